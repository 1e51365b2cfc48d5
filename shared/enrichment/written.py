"""What writing a box, rewording it or taking it out means for the tasks of a note. It makes nothing of other words."""

from collections.abc import Iterable, Iterator, Sequence

from shared.enrichment.actions import opened, same, ticked
from shared.enrichment.actions import tasks as said
from shared.enrichment.apply import made
from shared.enrichment.boxes import standing
from shared.enrichment.proposal import TASK, one_line
from shared.enrichment.text import Page, read
from shared.models.ids import derived
from shared.models.note import Note, Task

MOST = 50
"""Tasks that one edit makes: whoever pastes a longer list keeps it as a list."""


def written(note: Note, before: str, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """The tasks of the open boxes that an edit wrote: new ones, and those that were dropped and are written again.

    A box that was open before says nothing new, so that its task may be gone for a reason. `tasks` are the note's.
    """
    if "[" not in body:
        return []
    old, known = opened(read(before)), list(tasks)
    there, by_id = {same(one.title): one for one in known}, {one.id: one for one in known}
    new = {name: title for name, title in opened(read(body)).items() if name not in old}
    again = [there[name] for name in new if name in there]
    fresh: list[Task] = []
    for one in made(note, [title for name, title in new.items() if name not in there], now):
        holder = by_id.get(one.id)
        if holder and id_of(note, holder.title) not in note.task_ids:
            again.append(holder)  # renamed by hand, and still the task of this box
        else:
            fresh.append(_apart(note, one, by_id) if holder else one)
    return [*(one.changed(now, status="open") for one in again if one.status == "dropped"), *fresh[:MOST]]


def reworded(note: Note, before: str, body: str, tasks: Sequence[Task], now: float) -> list[Task]:
    """The task of the one box whose line an edit words otherwise where it stands, under its new words; else none.

    An edit that moves, adds or takes out boxes besides says of none which other one it has become.
    """
    own = [one for one in tasks if one.id in note.task_ids and one.status == "open"]
    if not own or "[" not in body:
        return []
    old, new = list(_lines(read(before))), list(_lines(read(body)))
    other = [pair for pair in zip(old, new, strict=False) if pair[0][0] != pair[1][0]]
    if len(old) != len(new) or len(other) != 1:
        return []
    (was, _), (name, title) = other[0]
    if name in {one for one, _ in old} | {same(one.title) for one in tasks} or was not in _gone(note, before, body):
        return []
    return [one.changed(now, title=title) for one in own if same(one.title) == was][:1]


def taken_out(note: Note, before: str, body: str, tasks: Iterable[Task], now: float) -> list[Task]:
    """The tasks whose box an edit took out, as dropped.

    One that somebody changed, but for turning its box, stays; so does one that the text still asks for.
    """
    own = [one for one in tasks if one.id in note.task_ids and one.status == "open" and not one.tags]
    gone = _gone(note, before, body) if own else {}
    return [
        one.changed(now, status="dropped")
        for one in own
        if (title := gone.get(same(one.title))) and (one.title == title or one.id == id_of(note, one.title))
    ]


def id_of(note: Note, title: str) -> str:
    """The id of the task that is found by these words in a note; empty for none."""
    return next((one.id for one in made(note, [title], 0.0)), "")


def _gone(note: Note, before: str, body: str) -> dict[str, str]:
    """What was to do by an open box and is asked for no more: its form by `same`, and its title."""
    page = read(body)
    left = opened(page).keys() | ticked(page) | {same(title) for title in said(page, note.kind, most=None)}
    gone = {name: title for name, title in opened(read(before)).items() if name not in left}
    # Words further up may have pushed a box out of what is read of a long text, or made its paragraph look like code.
    still = standing(body) if gone else frozenset()
    return {name: title for name, title in gone.items() if name not in still}


def _lines(page: Page) -> Iterator[tuple[str, str]]:
    """What each box says, in their order: the form by `same`, and the title that its task would have."""
    for block in page.blocks:
        title = one_line(block.text, TASK).rstrip(" .,;:!") if block.box and block.kind == "item" else ""
        if name := same(title):
            yield name, title


def _apart(note: Note, task: Task, taken: dict[str, Task]) -> Task:
    """The task under an id of its own, where the one that was found by these words has been reworded since."""
    number = 2
    while (id := derived(task.id, "task", str(number))) in taken:
        number += 1
    return task.model_copy(update={"id": id})
