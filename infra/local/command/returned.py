"""Files of an export that come back: whether their note says the same, and whether it may become what the file is now.

That a file names a note proves nothing: a note is changed only where the folder's own list tells that the file was
written from the note as it still is.
"""

from dataclasses import dataclass

from infra.local.command.answers import Note, child, children, edited, note
from infra.local.command.entry import Entry
from infra.local.command.failure import Refused
from infra.local.command.http import Api, encode
from infra.local.command.ledger import History
from infra.local.command.update import tags_of
from infra.local.command.vault.draft import draft
from infra.local.command.vault.kinship import exported, unedited
from infra.local.command.vault.page import page
from infra.local.command.vault.text import decode, digest

_TRIES = 3


@dataclass(frozen=True, slots=True)
class _Now:
    """The note as it is, and the file that an export would write of it."""

    note: Note
    raw: bytes
    untouched: bool
    """Whether the note is what the file was of which it came, where it came of one."""


async def settle(api: Api, file: Entry, history: History, *, update: bool) -> tuple[str, str]:
    """What becomes of a file with a claim: `there`, `changed`, `updated`, or `left_alone` and the reason."""
    assert file.claim
    for _ in range(_TRIES):
        try:
            now = await _now(api, file.claim.id, history)
        except Refused as refusal:
            if refusal.status != 404:
                raise
            return "left_alone", "the note that it was is deleted for good"
        if digest(now.raw) == file.sha256 or _says_the_same(file, now):
            return "there", ""
        if not update:
            return "changed", ""
        if not history.exported(file.name, digest(now.raw)) and not (
            now.untouched and now.note.origin and now.note.origin.path == file.path
        ):
            return "left_alone", _why(file, history)
        try:
            await api.send(
                "PATCH",
                f"/api/v1/notes/{now.note.id}",
                encode(_change(file, now.note)),
                headers={"If-Match": str(now.note.revision)},
            )
        except Refused as refusal:
            if refusal.code == "revision_conflict":
                continue  # enrichment may have come between; what it adds is no edit
            if refusal.status in (401, 403, 429) or refusal.status >= 500:
                raise
            return "left_alone", refusal.message
        return "updated", ""
    return "left_alone", "the note is being changed in Memex right now; run the command again"


async def _now(api: Api, note_id: str, history: History) -> _Now:
    answer = await api.get(f"/api/v1/notes/{note_id}")
    found, by_person = note(child(answer, "note")), edited(children(answer, "trace"))
    if found.origin is None:
        return _Now(found, page(found, history.link(found.source_note_id)).encode(), untouched=False)
    untouched = unedited(found, found.origin, by_person) is not None
    return _Now(found, exported(found, found.origin, by_person), untouched)


def _says_the_same(file: Entry, now: _Now) -> bool:
    """Whether title, text and tags are those of the note; what enrichment found since is no difference."""
    made, there, guessed = file.draft, draft(decode(now.raw), file.path), now.note.guessed_tags
    return (
        made.body == there.body
        and (not (file.claim and file.claim.titled) or made.title == there.title)
        and made.user_tags - guessed == there.user_tags - guessed
    )


def _why(file: Entry, history: History) -> str:
    if file.claim and history.notes.get(file.name) == file.claim.id:
        return "the note was changed in Memex since it was exported; it stays as it is there"
    return "a note with its id is there and says something else; without the `id` line it comes in as a new note"


def _change(file: Entry, stored: Note) -> dict[str, object]:
    made = file.draft
    change: dict[str, object] = {"body": made.body, "tags": tags_of(stored, made)}
    if stored.origin or (file.claim and file.claim.titled):
        change["title"] = made.title
    if stored.origin:
        change["origin"] = {
            "path": stored.origin.path,
            "front_matter": made.front_matter,
            "content_sha256": file.sha256,
        }
    return change
