"""What a routine writes from: the notes since the last run, what research brought, the open tasks. It only reads."""

from dataclasses import dataclass

from shared.agent.models.offline_reading import Note as Source
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

DAY_SECONDS = 86_400.0
LONGEST_DAYS = 7
"""How far back a run looks after routines that were missed."""
MOST_NOTES, MOST_TASKS = 120, 30
TEXT = 1_500
"""Characters of a note that are read."""
PAGE = 50
_WRITTEN = ("digest", "review")


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to tell of, newest last; `left` counts the notes that were too many."""

    routine: RoutineName
    since: float
    captured: tuple[Source, ...] = ()
    reports: tuple[Source, ...] = ()
    tasks: tuple[Task, ...] = ()
    """Open ones, newest first; only for the review."""
    left: int = 0

    @property
    def is_news(self) -> bool:
        """Whether anything came since the last run; old tasks alone were told of then."""
        return bool(self.captured or self.reports or any(_is_new(task, self.since) for task in self.tasks))

    @property
    def sources(self) -> dict[str, Citation]:
        """Everything that may be cited, by address."""
        notes = (*self.captured, *self.reports)
        return {
            link(note.id): Citation(
                number=number, title=note.title, url=link(note.id), source_kind="note", note_id=note.id
            )
            for number, note in enumerate(notes, 1)
        }

    def plain(self) -> JsonDict:
        """As data for a model."""
        return {
            "notes": [_told(note) for note in self.captured],
            "research reports": [_told(note) for note in self.reports],
            "open tasks": [task.title for task in self.tasks],
        }


async def gather(documents: Documents, tenant: str, routine: RoutineName, due_at: float, run_id: str) -> Material:
    """The material of a run: since the run before it, at least a day and at most a week."""
    since = due_at - DAY_SECONDS
    before = await RoutineRuns(documents, tenant).page(routine=routine, status="completed", before=run_id, limit=1)
    if before:
        since = min(since, max(before[0].fired_at.timestamp(), due_at - LONGEST_DAYS * DAY_SECONDS))
    captured, reports, left = await _notes(documents, tenant, since)
    tasks: list[Task] = []
    if routine == "daily_review":
        tasks = await _open_tasks(documents, tenant)
    return Material(routine, since, captured, reports, tuple(tasks), left)


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


async def _notes(documents: Documents, tenant: str, since: float) -> tuple[tuple[Source, ...], tuple[Source, ...], int]:
    """Notes of the time, oldest first, apart from what routines wrote themselves."""
    notes, oldest = Notes(documents, tenant), ulid_floor(since)
    captured: list[Source] = []
    reports: list[Source] = []
    left, before = 0, None
    while True:
        page = await notes.page(before=before, limit=PAGE)
        for note in page:
            if note.id < oldest:
                break
            if note.kind in _WRITTEN:
                continue
            if len(captured) + len(reports) >= MOST_NOTES:
                left += 1
                continue
            (reports if note.kind == "research" else captured).append(_source(note))
        if len(page) < PAGE or page[-1].id < oldest or left >= MOST_NOTES:
            return tuple(reversed(captured)), tuple(reversed(reports)), left
        before = page[-1].id


def _source(note: Note) -> Source:
    tags = tuple(tag for tag in note.tags if tag not in RESERVED_TAGS)
    text = note.body if note.body.strip() else note.summary or ""
    return Source(note.id, title(note), text[:TEXT], tags, note.kind)


def _told(note: Source) -> JsonDict:
    return {"link": link(note.id), "title": note.title, "text": note.text, "tags": list(note.tags)}


def _is_new(task: Task, since: float) -> bool:
    return task.created_at > moment(since)
