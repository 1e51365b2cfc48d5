"""What a routine writes from: the notes since the last run, what research brought, the open tasks. It only reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.agent.models.offline_reading import Note as Source
from shared.agent.models.offline_reading import sentences
from shared.enrichment.actions import same
from shared.enrichment.proposal import TASK, one_line
from shared.enrichment.text import read
from shared.models.base import RESERVED_TAGS, JsonDict, moment
from shared.models.ids import ulid_floor
from shared.models.note import Citation, Note, Task
from shared.models.operation import RoutineName
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.store.routines import RoutineRuns
from shared.store.tasks import Tasks
from shared.tools.shapes import link, title
from shared.witness import ROUTINES, asks, reports

DAY_SECONDS = 86_400.0
LONGEST_DAYS = 7
"""How far back a run looks after routines that were missed."""
MOST_NOTES, MOST_TASKS = 120, 30
TEXT = 1_500
"""Characters of a note that are read."""
PAGE = 50


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to tell of, newest last; `left` counts the notes that were too many."""

    routine: RoutineName
    since: float
    captured: tuple[Source, ...] = ()
    """What the person kept and that says something."""
    reports: tuple[Source, ...] = ()
    tasks: tuple[Task, ...] = ()
    """Open ones, newest first; only for the review."""
    left: int = 0
    asked: tuple[Source, ...] = ()
    """Questions that the person kept."""

    @property
    def is_news(self) -> bool:
        """Whether anything came since the last run; old tasks alone were told of then."""
        return bool(self.notes or any(_is_new(task, self.since) for task in self.tasks))

    @property
    def notes(self) -> tuple[Source, ...]:
        """All of them."""
        return (*self.captured, *self.asked, *self.reports)

    @property
    def sources(self) -> dict[str, Citation]:
        """Everything that may be cited, by address."""
        return {
            link(note.id): Citation(
                number=number, title=note.title, url=link(note.id), source_kind="note", note_id=note.id
            )
            for number, note in enumerate(self.notes, 1)
        }

    def plain(self) -> JsonDict:
        """As data for a model."""
        return {
            "notes": [_told(note) for note in self.captured],
            "questions": [_told(note) for note in self.asked],
            "research reports": [_told(note) for note in self.reports],
            "open tasks": [task.title for task in self.tasks],
        }


async def gather(documents: Documents, tenant: str, routine: RoutineName, due_at: float, run_id: str) -> Material:
    """The material of a run: since the run before it, at least a day and at most a week."""
    since = due_at - DAY_SECONDS
    before = await RoutineRuns(documents, tenant).page(routine=routine, status="completed", before=run_id, limit=1)
    if before:
        since = min(since, max(before[0].fired_at.timestamp(), due_at - LONGEST_DAYS * DAY_SECONDS))
    notes, left = await _notes(documents, tenant, since)
    written = [note for note in notes if reports(note)]
    asked = [note for note in notes if note not in written and _only_asks(note)]
    captured = [note for note in notes if note not in written and note not in asked]
    tasks: list[Task] = []
    if routine == "daily_review":
        tasks = await _open_tasks(documents, tenant)
    return Material(routine, since, _sources(captured), _sources(written), tuple(tasks), left, _sources(asked))


async def _open_tasks(documents: Documents, tenant: str) -> list[Task]:
    """The newest that are open, without what a page on syntax only shows."""
    tasks = await Tasks(documents, tenant).page(status="open", limit=MOST_TASKS)
    ids = dict.fromkeys(task.source_note_id for task in tasks if task.source_note_id)
    shown = {note.id: _examples(note.body) for note in await Notes(documents, tenant).get_many(list(ids))}
    return [task for task in tasks if same(task.title) not in shown.get(task.source_note_id or "", ())]


def _examples(body: str) -> frozenset[str]:
    """The boxes that stand in a note's code: the same box outside of it shows what comes of the code."""
    code = [block.text for block in read(body).blocks if block.kind == "code"]
    boxes = [block for text in code if "[" in text for block in read(text).blocks if block.box]
    return frozenset(same(one_line(block.text, TASK)) for block in boxes)


async def _notes(documents: Documents, tenant: str, since: float) -> tuple[list[Note], int]:
    """Notes of the time, oldest first, apart from what routines wrote themselves; and how many were too many."""
    notes, oldest = Notes(documents, tenant), ulid_floor(since)
    found: list[Note] = []
    left, before = 0, None
    while True:
        page = await notes.page(before=before, limit=PAGE)
        for note in page:
            if note.id < oldest:
                break
            if note.kind in ROUTINES:
                continue
            if len(found) >= MOST_NOTES:
                left += 1
                continue
            found.append(note)
        if len(page) < PAGE or page[-1].id < oldest or left >= MOST_NOTES:
            return found[::-1], left
        before = page[-1].id


def _only_asks(note: Note) -> bool:
    """Whether it asks for research, or holds questions alone."""
    said = [] if asks(note) else sentences(note.body[:TEXT])
    return asks(note) or (bool(said) and all(one.rstrip(" \"'”)»").endswith(("?", "？", "؟")) for one in said))


def _sources(notes: Sequence[Note]) -> tuple[Source, ...]:
    return tuple(map(_source, notes))


def _source(note: Note) -> Source:
    tags = tuple(tag for tag in note.tags if tag not in RESERVED_TAGS)
    text = note.body if note.body.strip() else note.summary or ""
    return Source(note.id, title(note), text[:TEXT], tags, note.kind)


def _told(note: Source) -> JsonDict:
    return {"link": link(note.id), "title": note.title, "text": note.text, "tags": list(note.tags)}


def _is_new(task: Task, since: float) -> bool:
    return task.created_at > moment(since)
