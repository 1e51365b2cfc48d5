"""What the tools that change something are asked for; an approval holds the same. Null means left out, everywhere."""

from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from shared.models.base import Model, Tags
from shared.models.ids import Id
from shared.models.note import web_address

BODY = 100_000
"""Characters of a text that a tool takes."""
TASKS = 20
"""Tasks that one call makes."""


class CreateNote(Model):
    """A note to make."""

    text: str = Field(min_length=1, max_length=BODY, pattern=r"\S", description="The note's body, Markdown.")
    title: str | None = Field(default=None, max_length=500)
    tags: Tags | None = Field(default=None, max_length=50)
    kind: Literal["capture", "digest", "review"] = Field(
        default="capture", description="digest and review: what you wrote from several notes."
    )
    url: str | None = Field(default=None, max_length=4000, description="The page that the note is about.")

    @field_validator("url")
    @classmethod
    def _http_only(cls, url: str | None) -> str | None:
        return web_address(url) if url else None


class NoteChanges(Model):
    """What changes of a note."""

    title: str | None = Field(default=None, max_length=500, description="Empty takes the title off.")
    summary: str | None = Field(default=None, max_length=2000, description="Empty takes the summary off.")
    body: str | None = Field(default=None, max_length=BODY, description="The whole new body.")
    tags: Tags | None = Field(default=None, max_length=50, description="All tags, in place of those that are there.")
    add_tags: Tags | None = Field(default=None, max_length=50, description="Tags beside those that are there.")

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("there is nothing to change: give title, summary, body, tags or add_tags")
        return self


class UpdateNote(Model):
    """A note to change."""

    note_id: Id
    changes: NoteChanges


class WantedTask(Model):
    """A task to make."""

    title: str = Field(min_length=1, max_length=500, pattern=r"\S")
    tags: Tags | None = Field(default=None, max_length=50)


class CreateTasks(Model):
    """Tasks to make."""

    tasks: list[WantedTask] = Field(min_length=1, max_length=TASKS)
    source_note_id: Id | None = Field(default=None, description="The note that they come from.")


class TaskChanges(Model):
    """What changes of a task."""

    title: str | None = Field(default=None, min_length=1, max_length=500, pattern=r"\S")
    status: Literal["open", "done", "dropped"] | None = None
    tags: Tags | None = Field(default=None, max_length=50, description="All tags, in place of those that are there.")

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("there is nothing to change: give title, status or tags")
        return self


class UpdateTask(Model):
    """A task to change."""

    task_id: Id
    changes: TaskChanges


class DeleteNote(Model):
    """A note for the bin."""

    note_id: Id


class StartResearch(Model):
    """A note to research."""

    note_id: Id
