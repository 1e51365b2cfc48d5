"""Artifacts: what an agent lays out for a person as typed data. The client draws them; nothing in them is markup."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from shared.models.base import Model

Line = Annotated[str, Field(max_length=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Sources = Annotated[list[Annotated[str, Field(max_length=4_000)]], Field(max_length=30)]


class _Artifact(Model):
    title: Name
    sources: Sources = []
    """Where it comes from: notes or pages that were read."""


class Table(_Artifact):
    """Rows under named columns."""

    kind: Literal["table"]
    columns: list[Name] = Field(min_length=1, max_length=12)
    rows: list[list[Line]] = Field(min_length=1, max_length=100)

    @model_validator(mode="after")
    def _even(self) -> Self:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("each row has to have as many cells as there are columns")
        return self


class Moment(Model):
    """Something that happened, or will."""

    at: Annotated[str, Field(min_length=1, max_length=60)]
    """As the source says it: a year, a date, a quarter."""
    text: Line


class Timeline(_Artifact):
    """What happened when, in order."""

    kind: Literal["timeline"]
    events: list[Moment] = Field(min_length=1, max_length=100)


class Listing(_Artifact):
    """One thing after the other."""

    kind: Literal["list"]
    items: list[Line] = Field(min_length=1, max_length=100)


class Aspect(Model):
    """One point of a comparison, with a value for each of what is compared."""

    name: Name
    values: list[Line] = Field(max_length=8)


class Comparison(_Artifact):
    """Things beside each other, aspect by aspect."""

    kind: Literal["comparison"]
    subjects: list[Name] = Field(min_length=2, max_length=8)
    aspects: list[Aspect] = Field(min_length=1, max_length=40)

    @model_validator(mode="after")
    def _even(self) -> Self:
        if any(len(aspect.values) != len(self.subjects) for aspect in self.aspects):
            raise ValueError("each aspect has to have one value for each subject")
        return self


Artifact = Annotated[Table | Timeline | Listing | Comparison, Field(discriminator="kind")]
