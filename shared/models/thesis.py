"""A thesis: a statement that a note puts to the test, with evidence for and against, each with its source."""

from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from shared.models.base import Model, Tags, Time
from shared.models.ids import Id, is_id

MAX_EVIDENCE = 60
"""Pieces of evidence of one thesis: it is part of the note's document, which must stay small."""
TEXT = 500
"""Characters of one piece."""
NOTE = "#/notes/"

Stance = Literal["for", "against"]
ThesisStatus = Literal["draft", "active", "validated", "invalidated"]


def source_address(text: str) -> str:
    """A source: a note's id or `#/notes/<id>`, as the latter, or an http(s) address. ValueError for anything else."""
    text = text.strip()
    if is_id(text.removeprefix(NOTE)):
        return f"{NOTE}{text.removeprefix(NOTE)}"
    from shared.models.note import web_address  # a note holds a thesis, so that module needs this one

    return web_address(text)


class Finding(Model):
    """Something that speaks for or against, and where it says so."""

    text: str = Field(min_length=1, max_length=TEXT, pattern=r"\S", description="What the source says.")
    source: str = Field(max_length=4000, description="The note's id, or the page's address.")

    @field_validator("source")
    @classmethod
    def _somewhere(cls, source: str) -> str:
        return source_address(source)

    @property
    def note_id(self) -> str | None:
        """The note that it comes from; None for a page."""
        return self.source.removeprefix(NOTE) if self.source.startswith(NOTE) else None


class Evidence(Finding):
    """A finding as a thesis holds it."""

    added_at: Time


class Thesis(Model):
    """What makes a note a thesis; the statement is the note's title, its reasons are the body."""

    status: ThesisStatus = "draft"
    confidence: int | None = Field(default=None, ge=0, le=100)
    """None where nobody has judged."""
    supporting: list[Evidence] = []
    opposing: list[Evidence] = []

    def holds(self, stance: Stance, finding: Finding) -> bool:
        """Whether this very finding is there already."""
        return any((one.text, one.source) == (finding.text, finding.source) for one in self._of(stance))

    def with_(self, stance: Stance, evidence: Evidence) -> Self:
        """The thesis with one more piece of evidence."""
        field = "supporting" if stance == "for" else "opposing"
        return self.model_copy(update={field: [*self._of(stance), evidence]})

    def without(self, stance: Stance, finding: Finding) -> Self:
        """The thesis without this finding."""
        field = "supporting" if stance == "for" else "opposing"
        left = [one for one in self._of(stance) if (one.text, one.source) != (finding.text, finding.source)]
        return self.model_copy(update={field: left})

    @property
    def size(self) -> int:
        """How many pieces of evidence it holds."""
        return len(self.supporting) + len(self.opposing)

    def _of(self, stance: Stance) -> list[Evidence]:
        return self.supporting if stance == "for" else self.opposing


class CreateThesis(Model):
    """A thesis to write down."""

    statement: str = Field(min_length=1, max_length=500, pattern=r"\S", description="One sentence that may be wrong.")
    text: str | None = Field(default=None, max_length=20_000, description="Why it may be so, Markdown.")
    status: Literal["draft", "active"] = "draft"
    confidence: int | None = Field(default=None, ge=0, le=100, description="0 to 100; leave it out where unsure.")
    evidence_for: list[Finding] = Field(default=[], max_length=20)
    evidence_against: list[Finding] = Field(default=[], max_length=20)
    tags: Tags | None = Field(default=None, max_length=50)


class ThesisChange(Model):
    """What a person changes of a thesis; what is left out stays, and null says that nobody has judged."""

    statement: str | None = Field(default=None, min_length=1, max_length=500, pattern=r"\S")
    """The note's title."""
    status: ThesisStatus | None = None
    confidence: int | None = Field(default=None, strict=True, ge=0, le=100)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for field in ("statement", "status"):
            if field in self.model_fields_set and getattr(self, field) is None:
                raise ValueError(f"{field} can't be null")
        return self


class AddEvidence(Model):
    """Evidence for a thesis that is there."""

    note_id: Id = Field(description="The thesis.")
    stance: Stance
    text: str = Field(min_length=1, max_length=TEXT, pattern=r"\S", description="What the source says.")
    source: str = Field(max_length=4000, description="The note's id, or the page's address.")

    @field_validator("source")
    @classmethod
    def _somewhere(cls, source: str) -> str:
        return source_address(source)

    @property
    def finding(self) -> Finding:
        """What is added."""
        return Finding(text=self.text, source=self.source)
