"""What a Markdown file is as a note: pure, so that an export can tell what an import had made of a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from infra.local.command.vault import dates, front_matter
from infra.local.command.vault.hashtags import hashtags
from infra.local.command.vault.heading import first_heading
from infra.local.command.vault.text import BOM
from shared.models.base import RESERVED_TAGS, kebab

MOST_TAGS = 50
LONGEST_TITLE = 500
LONGEST_HEAD = 20_000
"""Characters of front matter that an origin holds; a longer one stays in the note's text."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A file's note; `front_matter + body` is the file's text."""

    title: str
    tags: list[str]
    front_matter: str
    body: str
    written: datetime | None = None
    """When the person says that it was written, in UTC."""
    complaints: tuple[str, ...] = ()
    """What a person should know of this file, though it can be imported."""

    @property
    def user_tags(self) -> frozenset[str]:
        """The tags that say what the note is about; `research` and the like only steer."""
        return frozenset(self.tags) - RESERVED_TAGS


def draft(text: str, path: str) -> Draft:
    """The note that a file's text becomes. Titles: its front matter's, else its first heading, else its name.

    What it says of itself beyond title, tags and date is a claim, which vault/claim.py reads.
    """
    complaints: list[str] = []
    try:
        pieces = front_matter.split(text)
    except front_matter.Malformed as problem:
        complaints.append(f"its front matter can't be read and stays in the text ({problem})")
        pieces = front_matter.whole(text)
    fields = pieces.fields or {}
    tags, unusable = kept_tags([*front_matter.tags(fields), *hashtags(pieces.body)])
    if lost := [tag for tag in front_matter.tags(fields) if tag in unusable]:
        complaints.append(f"left out as a tag: {', '.join(lost[:5])}")
    if len(tags) > MOST_TAGS:
        complaints.append(f"has {len(tags)} tags; the first {MOST_TAGS} are kept")
    if odd := dates.unusable(fields):
        complaints.append(
            f"its date can't be used ({odd[:40]!r}), so the day counts on which the file was last changed"
        )
    head, body = pieces.head, pieces.body
    if len(head) > LONGEST_HEAD:
        complaints.append(f"its front matter is over {LONGEST_HEAD:,} characters and stays in the text")
        head, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    title = _title(front_matter.title(fields) or first_heading(pieces.body)) or named_after(path)
    return Draft(title, tags[:MOST_TAGS], head, body, dates.written(fields), tuple(complaints))


def named_after(path: str) -> str:
    """The title of a file that has none of its own."""
    return _title(PurePosixPath(path).stem) or "Untitled"


def _title(text: str) -> str:
    return text.strip()[:LONGEST_TITLE].strip()


def kept_tags(spelled: Iterable[str]) -> tuple[list[str], frozenset[str]]:
    """The tags as Memex keeps them, each once, and those that can't be any."""
    kept: dict[str, None] = {}
    unusable: set[str] = set()
    for tag in spelled:
        try:
            kept[kebab(tag)] = None
        except ValueError:
            unusable.add(tag)
    return list(kept), frozenset(unusable)
