"""Takes a changed file over into its note, unless somebody edited that note in Memex: then it is left alone."""

from infra.local.command.answers import Note, child, children, edited, note
from infra.local.command.failure import Refused
from infra.local.command.http import Api, encode
from infra.local.command.vault.draft import Draft
from infra.local.command.vault.kinship import unedited
from shared.models.base import RESEARCH, RESERVED_TAGS

_TRIES = 3


async def take_over(api: Api, note_id: str, made: Draft, path: str, sha256: str) -> str:
    """Make the note what the file is now; the reason where that was not done."""
    for _ in range(_TRIES):
        answer = await api.get(f"/api/v1/notes/{note_id}")
        stored = note(child(answer, "note"))
        if stored.origin and stored.origin.content_sha256 == sha256:
            return ""  # an earlier attempt arrived after all
        if stored.origin is None or unedited(stored, stored.origin, edited(children(answer, "trace"))) is None:
            return "the note was edited in Memex too; it stays as it is there"
        change = {
            "title": made.title,
            "body": made.body,
            "tags": tags_of(stored, made),
            "origin": {"path": path, "front_matter": made.front_matter, "content_sha256": sha256},
        }
        try:
            await api.send(
                "PATCH", f"/api/v1/notes/{note_id}", encode(change), headers={"If-Match": str(stored.revision)}
            )
        except Refused as refusal:
            if refusal.code == "revision_conflict":
                continue  # enrichment may have come between; what it adds is no edit
            if refusal.status in (401, 403, 429) or refusal.status >= 500:
                raise
            return refusal.message
        return ""
    return "the note is being changed in Memex right now; run the command again"


def tags_of(stored: Note, made: Draft) -> list[str]:
    """The file's tags, and those that others than the file gave. An update never asks for research."""
    kept = [tag for tag in stored.tags if tag in stored.guessed_tags or tag in RESERVED_TAGS]
    given = [tag for tag in made.tags if tag != RESEARCH or tag in stored.tags]
    return list(dict.fromkeys([*given, *kept]))[:50]
