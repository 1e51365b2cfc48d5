"""What was gathered before an answer is written: passages of sources, each with where it came from."""

from typing import Literal

from pydantic import Field

from shared.models.base import Model
from shared.models.ids import Id
from shared.models.note import Citation

SourceKind = Literal["note", "research", "memory", "web", "mcp"]
TOOL = "tool:"
"""How the address of a tool begins where its answer is a source that names no page; the tool's name follows."""


class Passage(Model):
    """A passage of something that was really read."""

    number: int = 0
    """As the answer may name it; 0 before it has one."""
    title: str
    url: str
    """http(s) for a page, `#/notes/<id>` for a note; whatever its source calls it, else."""
    text: str
    source_kind: SourceKind
    note_id: Id | None = None
    merged_from: list[SourceKind] = []
    """Every source that found it, the first first."""

    def citation(self) -> Citation:
        """The same as a source of an answer."""
        return Citation(
            number=self.number,
            title=self.title,
            url=self.url,
            source_kind="web" if self.url.startswith(("http://", "https://")) else "note",
            note_id=self.note_id,
        )


class Gathered(Model):
    """What each source found, best first; the sources that found nothing, and those that failed."""

    found: dict[SourceKind, list[Passage]] = {}
    nothing: list[SourceKind] = []
    failed: list[SourceKind] = []


class Evidence(Model):
    """What the sources found together, best first, numbered from 1."""

    passages: list[Passage] = Field(default=[])
    nothing: list[SourceKind] = []
    failed: list[SourceKind] = []

    def told(self) -> str:
        """In a sentence or two, misses and failures included."""
        found = len(self.passages)
        parts = [f"{found} {'passage' if found == 1 else 'passages'} found." if found else "Nothing was found."]
        if self.nothing and found:
            parts.append(f"Nothing in: {', '.join(NAMES[one] for one in self.nothing)}.")
        if self.failed:
            parts.append(f"Could not be asked: {', '.join(NAMES[one] for one in self.failed)}.")
        return " ".join(parts)


NAMES: dict[SourceKind, str] = {
    "note": "notes",
    "research": "research reports",
    "memory": "memories",
    "web": "the web",
    "mcp": "connected servers",
}
