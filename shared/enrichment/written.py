"""What writing a box into a note's text means: a task, at once. It asks no model, and makes nothing of other words."""

from collections.abc import Iterable

from shared.enrichment.actions import opened, same
from shared.enrichment.actions import tasks as said
from shared.enrichment.apply import made
from shared.enrichment.text import read
from shared.models.note import Note, Task

MOST = 50
"""Tasks that one edit makes: whoever pastes a longer list keeps it as a list."""


def written(note: Note, before: str, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """The tasks of the open boxes that an edit wrote: new ones, and those that were dropped and are written again.

    A box that was open before says nothing new, so that its task may be gone for a reason. `tasks` are the note's.
    """
    if "[" not in body:
        return []
    old, there = opened(read(before)), {same(one.title): one for one in tasks}
    new = {name: title for name, title in opened(read(body)).items() if name not in old}
    again = [there[name].changed(now, status="open") for name in new if name in there]
    again = [one for one in again if there[same(one.title)].status == "dropped"]
    return [*again, *made(note, [title for name, title in new.items() if name not in there], now)][:MOST]


def taken_out(note: Note, before: str, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """The tasks whose box goes with an edit that is taken back, as dropped.

    One that somebody changed, or that the text still asks for, stays.
    """
    gone = opened(read(before)).keys() - opened(read(body)).keys()
    left = {same(title) for title in said(read(body), note.kind)}
    own = [one for one in tasks if one.id in note.task_ids and one.status == "open" and one.revision == 1]
    return [one.changed(now, status="dropped") for one in own if same(one.title) in gone - left]
