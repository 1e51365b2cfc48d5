"""The structured result of an agent task: what it found, and on which of the sources that it read each claim rests."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from shared.models.artifact import Artifact
from shared.models.base import Model
from shared.models.ids import Id

Percent = Annotated[int, Field(ge=0, le=100)]


class FormClaim(Model):
    """One claim, as a model fills it in."""

    claim: str = Field(min_length=1, pattern=r"\S", description="One sentence.")
    confidence: Percent | None = Field(default=None, description="0 to 100, or null where the sources give no measure.")
    evidence: list[str] = Field(default=[], description="Passages of the sources, word for word.")
    sources: list[str] = Field(default=[], description="Ids of the sources that say so, such as S1.")


class FormCompany(Model):
    """A company that the answer is about."""

    ticker: str = Field(min_length=1, pattern=r"\S")
    name: str | None = None


class Form(Model):
    """What a model is asked to fill in at the end."""

    summary: str = Field(min_length=1, pattern=r"\S", description="The answer in a few sentences.")
    claims: list[FormClaim] = Field(description="What the sources say. Nothing that no source says.")
    risks: list[str] = Field(default=[], description="What could go wrong, or speaks against it.")
    companies: list[FormCompany] = []
    themes: list[str] = []
    portfolio_impact: list[str] = Field(
        default=[], description="What it means for the holdings in notes tagged portfolio; empty without such notes."
    )
    confidence: Percent | None = None


class Source(Model):
    """Something that was really read in this run."""

    id: str
    """As claims name it."""
    title: str
    url: str
    """http(s) for a page, `#/notes/<id>` for a note."""
    note_id: Id | None = None


class Claim(Model):
    """One claim of a result."""

    claim: str
    confidence: Percent | None = None
    evidence: list[str] = []
    """Passages that stand in the sources word for word."""
    sources: list[str] = []
    """Ids of entries in the result's `sources`."""
    unsupported: bool = False
    """No source that was read is named for it."""


class Company(Model):
    """A company that the answer is about."""

    ticker: str
    name: str | None = None


class Result(Model):
    """The result; stored as an operation's output, and checked again by the client."""

    # The name on the wire is a method that every model has.
    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    schema_: Literal["memex.agent_task/1"] = Field(default="memex.agent_task/1", alias="schema")
    summary: str
    claims: list[Claim]
    sources: list[Source]
    """Those that claims or artifacts name."""
    risks: list[str] = []
    companies: list[Company] = []
    themes: list[str] = []
    portfolio_impact: list[str] = []
    confidence: Percent | None = None
    artifacts: list[Artifact] = []
    flags: list[str] = []
    """What a reader should distrust: citations and quotes that were taken off, parts that did not fit."""
