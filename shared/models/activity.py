"""What was done for a tenant, and what was given up: entries that are only ever added. They hold no answer's text."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from shared.gateway.classes import Class
from shared.models.base import LATER, JsonDict, Model, Time
from shared.models.ids import Id

Decision = Literal["allowed", "asked", "approved", "denied", "refused"]
"""`asked`: nothing ran, a person was asked; `denied`: they said no, or nobody said anything; `refused`: by a rule."""


class Activity(Model):
    """One decision about one tool call, and how the call ended where it ran."""

    # The name on the wire is a word that Python keeps for itself.
    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    kind: Literal["tool"] = "tool"
    id: Id
    at: Time
    """When it was asked for."""
    subject: str
    """The person in whose name."""
    session_id: str
    run_id: str
    call_id: str
    tool: str
    """As the model named it; at most 100 characters."""
    class_: Class | None = Field(alias="class")
    """None for a tool that there is not."""
    decision: Decision
    arguments: JsonDict
    """Secrets masked, long texts cut."""
    ok: bool | None = None
    """None where nothing ran and nothing failed: a person was asked."""
    code: str = ""
    """Of the error, where there was one."""
    duration_ms: int = Field(default=0, ge=0)

    def seen_by(self, subject: str) -> "Activity":
        """The entry as this person may see it: what was asked in another person's conversation stays theirs.

        That something was done, by which tool, for whom and with what end, is everybody's in the tenant.
        """
        if not self.session_id or self.subject == subject:
            return self
        return self.model_copy(update={"arguments": {}})


class DeadLetter(Model):
    """A message that could not be delivered as often as it was tried. It held ids only, and so does this."""

    kind: Literal["dead_letter"] = "dead_letter"
    id: Id
    at: Time
    """When it was given up."""
    subscription: str
    """The function that should have heard it."""
    message_id: str
    attributes: dict[str, str]
    attempts: int = Field(ge=0)
    reason: str = Field(max_length=200)


Entry = Annotated[Activity | DeadLetter, Field(discriminator="kind")]
ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry, config=LATER)
