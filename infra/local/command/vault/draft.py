"""What a Markdown file is as a note: pure, so that an export can tell what an import had made of a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from infra.local.command.vault import front_matter
from infra.local.command.vault.hashtags import hashtags
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
    complaints: tuple[str, ...] = ()
    """What a person should know of this file, though it can be imported."""

    @property
    def user_tags(self) -> frozenset[str]:
        """The tags that say what the note is about; `research` and the like only steer."""
        return frozenset(self.tags) - RESERVED_TAGS


def draft(text: str, path: str) -> Draft:
    """The note that a file's text becomes; it is named after its path where it has no title."""
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
    head, body = pieces.head, pieces.body
    if len(head) > LONGEST_HEAD:
        complaints.append(f"its front matter is over {LONGEST_HEAD:,} characters and stays in the text")
        head, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    title = front_matter.title(fields) or PurePosixPath(path).stem.strip()
    return Draft(title[:LONGEST_TITLE].strip() or "Untitled", tags[:MOST_TAGS], head, body, tuple(complaints))


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
