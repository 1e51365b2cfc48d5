"""What a note in Memex still has in common with the file it was imported from. A hash decides, never a guess."""

from infra.local.command.answers import Note, Origin
from infra.local.command.vault import front_matter
from infra.local.command.vault.draft import draft, kept_tags, named_after
from infra.local.command.vault.retouch import Wish, retouch
from infra.local.command.vault.text import encoding_of
from shared.models.base import RESERVED_TAGS


def unedited(note: Note, origin: Origin, edited: frozenset[str]) -> bytes | None:
    """The imported file, where title, text and tags of the note are still those of the file."""
    text = origin.front_matter + note.body
    encoding = encoding_of(text, origin.content_sha256)
    if encoding is None or _wish(note, origin, text, edited, same_text=True):
        return None
    return text.encode(encoding)


def exported(note: Note, origin: Origin, edited: frozenset[str]) -> bytes:
    """The file as it was, but for what a person changed; `edited` names the fields that its trace tells of."""
    text = origin.front_matter + note.body
    encoding = encoding_of(text, origin.content_sha256)
    wish = _wish(note, origin, text, edited, same_text=encoding is not None)
    return (retouch(text, wish) if wish else text).encode(encoding or "utf-8")


def _wish(note: Note, origin: Origin, text: str, edited: frozenset[str], *, same_text: bool) -> Wish:
    """What front matter would have to say for the note's sake; false where it says it already.

    While the text is the file's, its title and tags are known exactly; after that, only the trace tells whose they are.
    """
    made = draft(text, origin.path)
    # Notes that were imported before a heading counted are called after their file, and nobody wished for that.
    own_title = "title" in edited or (same_text and note.title != named_after(origin.path))
    title = note.title if own_title and note.title and note.title != made.title else None
    if not same_text and "tags" not in edited:
        return Wish(title)
    # `research` and the like only steer; what enrichment added is no word of the user's.
    own = note.own_tags - RESERVED_TAGS
    return Wish(title, drop=_listed(text) & made.user_tags - own, add=tuple(sorted(own - made.user_tags)))


def _listed(text: str) -> frozenset[str]:
    """The tags in a text's front matter: those in the text itself are the text's."""
    try:
        fields = front_matter.split(text).fields or {}
    except front_matter.Malformed:
        return frozenset()
    return frozenset(kept_tags(front_matter.tags(fields))[0])
