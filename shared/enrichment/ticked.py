"""What turning a box means for the task that came from it. It makes, drops and renames none."""

from collections.abc import Iterable

from shared.enrichment.actions import opened, same, ticked
from shared.enrichment.text import read
from shared.models.note import Note, Task


def followed(note: Note, before: str, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """Those of a note's tasks whose box an edit turned, as the box in `body` says: done, or open again.

    A box that stands as it stood is nobody's new word, so that a task which was changed by hand stays. One that is
    gone from the text says nothing either.
    """
    own = [one for one in tasks if one.id in note.task_ids and one.status != "dropped"]
    if not own:
        return []
    old, new = read(before), read(body)
    was, now_done, now_open = ticked(old), ticked(new), opened(new)
    turned: list[Task] = []
    for one in own:
        name = same(one.title)
        if one.status == "open" and name in now_done - was:
            turned.append(one.changed(now, status="done"))
        if one.status == "done" and name in was and name in now_open:
            turned.append(one.changed(now, status="open"))
    return turned
