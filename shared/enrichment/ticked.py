"""What ticking a box means for the task that came from it. It closes tasks, and opens, makes or renames none."""

from collections.abc import Iterable

from shared.enrichment.actions import same, ticked
from shared.enrichment.text import read
from shared.models.note import Note, Task


def closed(note: Note, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """Those of a note's open tasks that stand in a ticked box of `body`, as done; a task that was changed stays.

    A changed task is a person's word, even where it is the same one: whoever reopened it means it.
    """
    own = [one for one in tasks if one.id in note.task_ids and one.status == "open" and one.revision == 1]
    if not own:
        return []
    done = ticked(read(body))
    return [one.changed(now, status="done") for one in own if same(one.title) in done]
