"""From a wish to a queued operation, in one commit: the note is claimed, the operation made, its price reserved."""

import math
import re

from shared.doors import Doors, wake
from shared.errors import Conflict, NotFound, TooMany
from shared.events.trace import cut
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.note import Note, ResearchState
from shared.models.operation import ACTIVE, Operation, ResearchInput
from shared.operations.budget import spent_today
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.research.engine import is_own, own_run
from shared.store import answers
from shared.store.days import Day, Days, date_of
from shared.store.documents import Expect, Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.records import Stored, until_settled

QUESTION = 30_000
"""Characters of a note that a run takes along."""
_URL = re.compile(r"https?://[^\s<>\"')\]]+")


def wish(note: Note) -> ResearchState:
    """The note's research with a wish for it; nothing is bought by that alone."""
    return note.research.model_copy(update={"requested": True})


async def claim(doors: Doors, tenant: str, note_id: str) -> Operation | None:
    """Answer a delivered wish: at most one operation, however often it is delivered. None where nothing is started."""

    async def attempt() -> Operation | None:
        notes = Notes(doors.documents, tenant)
        found = await notes.find(note_id)
        if found is None or found.value.deleted_at or not found.value.research.requested:
            return None
        note = found.value
        answered = note.research.model_copy(update={"requested": False})
        if await _running(doors, tenant, note) is None:
            try:
                return await _claimed(doors, tenant, found, None)
            except TooMany as limit:
                told = f"{limit.message} {limit.next}"
                answered = answered.model_copy(update={"status": "failed", "error": told})
        # A run is on already, or none may be started: the wish has its answer, and nothing is bought.
        settled = note.changed(doors.now(), research=answered)
        await doors.documents.commit(notes.put(settled, found.version, previous=note))
        return None

    operation = await until_settled(attempt)
    if operation:
        await wake(doors, tenant)
    return operation


async def request(
    doors: Doors, tenant: str, note_id: str, *, key: answers.Key | None = None, beyond_budget: bool = False
) -> Operation:
    """A person asks now. Conflict `already_running` while a run is on; TooMany where the day's limit is reached.

    `beyond_budget`: the person said yes to a cost beyond the day's limit. How many runs a day may have stays.
    """

    async def attempt() -> Operation:
        if known := await _known(doors, tenant, key):
            return known
        try:
            return await _asked(doors, tenant, note_id, key, beyond_budget=beyond_budget)
        except (Conflict, TooMany):
            # What stands in the way may be this very request, which somebody else has just done.
            if known := await _known(doors, tenant, key):
                return known
            raise

    operation = await until_settled(attempt)
    await wake(doors, tenant)
    return operation


async def _known(doors: Doors, tenant: str, key: answers.Key | None) -> Operation | None:
    """The operation that an earlier request with this key made."""
    known = await answers.known(doors.documents, key, doors.now()) if key else None
    return (await Operations(doors.documents, tenant).get(known)).value if known else None


async def _asked(doors: Doors, tenant: str, note_id: str, key: answers.Key | None, *, beyond_budget: bool) -> Operation:
    found = await Notes(doors.documents, tenant).get(note_id)
    if found.value.deleted_at:
        raise Conflict("The note is in the bin.", code="note_deleted", next="Restore it first.")
    if running := await _running(doors, tenant, found.value):
        raise Conflict(
            "Research on this note is already under way.",
            code="already_running",
            next=f"Follow or cancel operation {running.id}.",
        )
    return await _claimed(doors, tenant, found, key, beyond_budget=beyond_budget)


async def _running(doors: Doors, tenant: str, note: Note) -> Operation | None:
    """The run on this note that has not ended. It can't end unseen: its ending writes the note, which we expect."""
    if note.research.operation_id is None:
        return None
    try:
        operation = (await Operations(doors.documents, tenant).get(note.research.operation_id)).value
    except NotFound:
        return None
    return operation if operation.status in ACTIVE else None


async def _claimed(
    doors: Doors, tenant: str, found: Stored[Note], key: answers.Key | None, *, beyond_budget: bool = False
) -> Operation:
    now, note, settings = doors.now(), found.value, doors.settings
    notes, days = Notes(doors.documents, tenant), Days(doors.documents, tenant)
    writes: list[Write] = []
    cost = 0.0
    mine = await preferences(doors.documents, settings, tenant)
    own = is_own(mine)
    if settings.research_paid and not own:
        cost = settings.research_cost_usd
        day = await days.get(date_of(now))
        _within(day, cost, mine.daily_paid_runs, math.inf if beyond_budget else mine.daily_budget_usd)
        writes.append(days.put(day, runs=1, cost_usd=cost))
    text = "\n\n".join(part for part in (note.title, note.url, await notes.body(note)) if part)
    operation_id = ulid(now)
    operation = Operation(
        id=operation_id,
        created_at=moment(now),
        updated_at=moment(now),
        kind="deep_research",
        status="created",
        input=ResearchInput(note_id=note.id, question=cut(text, QUESTION), urls=_URL.findall(text)[:10]),
        source_note_id=note.id,
        # Nothing has to be started for it, so nothing can get lost on the way.
        interaction_id=own_run(tenant, operation_id) if own else None,
        budget_usd=mine.operation_budget_usd,
        budget_tokens=mine.operation_budget_tokens,
        estimated_usd=cost,
        budget_day=date_of(now) if cost else None,
    )
    change = Change(operation, now)
    change.queue()
    state = ResearchState(status="queued", operation_id=operation.id)
    claimed = note.changed(now, research=state)
    writes += notes.put(claimed, found.version, previous=note)
    writes += Operations(doors.documents, tenant).put(change.operation, change.events, Expect.ABSENT)
    if key:
        writes.append(answers.write(key, operation.id, now))
    await doors.documents.commit(writes)
    return change.operation


def _within(day: Day, cost: float, runs: int, budget: float) -> None:
    if day.paid_runs >= runs:
        raise TooMany(
            f"{day.paid_runs} paid research runs were started today (UTC), which is the limit.",
            code="daily_runs_reached",
            next="Start it again tomorrow, or raise the limit in Settings, to MEMEX_DAILY_PAID_RUNS at most.",
        )
    if over := spent_today(day.cost_usd, cost, budget):
        raise TooMany(
            over,
            code="daily_budget_reached",
            next="Start it again tomorrow, or raise the limit in Settings, to MEMEX_DAILY_BUDGET_USD at most.",
        )
