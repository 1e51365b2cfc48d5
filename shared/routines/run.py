"""One run of a routine, as the workflow's steps ask for it: gather, write, propose, end. It writes no note itself.

What was written is kept before it is proposed, and the proposal has one key in the ledger: a step that is called
again, after a death or beside itself, pays for nothing twice and proposes nothing twice.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Protocol

from shared.agent.model import OFFLINE, Model, ToolCall
from shared.approvals.doing import PASSING
from shared.doors import Doors
from shared.errors import MemexError, Unreachable
from shared.gateway.gateway import Done, Gateway
from shared.gateway.policy import Policy
from shared.gateway.tool import Errand
from shared.models.base import JsonDict
from shared.models.operation import TERMINAL, Failure, Operation, RoutineInput, Status, Usage
from shared.models.routine import RoutineName, RoutineRun
from shared.operations.amend import amend
from shared.operations.ending import end, fail
from shared.operations.paid import Away, Hopeless, Purse, Refused, charge
from shared.operations.retries import used_up
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.routines import ask, write
from shared.routines.kind import ROUTINE, run_of
from shared.routines.material import gather
from shared.routines.withdraw import CALL, withdraw
from shared.store import ledger
from shared.store.activity import Activities
from shared.store.documents import Write
from shared.store.operations import Operations
from shared.store.records import Stored, until_settled
from shared.store.routines import RoutineRuns, Routines
from shared.tools.catalog import built_in
from shared.tools.propose import proposed
from shared.zone import zone_of

SCHEMA, VERSION = "memex.routine_result", 1
TOOL = "create_note"
_KINDS: dict[RoutineName, str] = {"daily_review": "review", "nightly_digest": "digest"}
_REASONS: dict[RoutineName, str] = {
    "daily_review": "The morning's review of what was captured, what research brought, and what is open.",
    "nightly_digest": "The evening's digest of the day's notes, by theme.",
}
_ADDRESS = re.compile(r"\]\((#/notes/[0-9a-z]{26})\)")
UNCITED = "The model cited none of the notes, so what it wrote was dropped and this was put together by rule."
NOTHING = "There was nothing new to tell of, so nothing was proposed."


class Staff(Doors, Protocol):
    """The doors, and whoever writes."""

    def model(self, name: str) -> Model:
        """The model of that name; empty means the deployment's own. NotConfigured where nothing serves it."""
        ...


@dataclass(frozen=True, slots=True)
class _Draft:
    """What was written, what it took, and why it is less than it could be."""

    title: str
    text: str
    usage: Usage = field(default_factory=Usage)
    partial: str | None = None
    also: tuple[Write, ...] = ()
    """What else belongs to the commit that keeps it."""


async def step(doors: Staff, tenant: str, operation: Operation) -> Status:
    """Bring a running routine to its end; the operation's status afterwards.

    What may pass is raised (so that the workflow calls again, later and later) until it has failed `max_retries`
    times in a row; everything else ends the operation, with what happened and what to do.
    """
    if operation.status != "running":
        return operation.status
    try:
        return await _work(doors, tenant, operation)
    except MemexError as error:
        if error.retryable and not await used_up(doors, tenant, await _troubled(doors, tenant, operation.id)):
            raise
        failure = Failure(code=error.code, message=error.message, next=error.next)
        return (await fail(doors, tenant, operation.id, failure)).operation.status


async def _work(doors: Staff, tenant: str, operation: Operation) -> Status:
    assert isinstance(operation.input, RoutineInput)
    run = await run_of(doors, tenant, operation)
    if run.value.draft is None:
        draft = await _write(doors, tenant, operation)
        if draft is None:
            return "running"
        run = await _keep(doors, tenant, operation, draft)
    kept = run.value
    if kept.status in TERMINAL or not await _still_runs(doors, tenant, operation.id):
        return (await Operations(doors.documents, tenant).get(operation.id)).value.status
    if not kept.draft:
        return await _complete(doors, tenant, operation, kept, NOTHING, None)
    done = await _propose(doors, tenant, operation, kept)
    if not done.ok:
        passing = done.result.get("error") in PASSING
        raise (Unreachable if passing else MemexError)(
            f"What was written could not be proposed: {done.result.get('message')}",
            code=str(done.result.get("error")),
            next=str(done.result.get("next") or "It is tried again at the next run."),
        )
    return await _complete(doors, tenant, operation, kept, _summary(kept), done)


# -- writing ---------------------------------------------------------------------------------------------------


async def _write(doors: Staff, tenant: str, operation: Operation) -> _Draft | None:
    """What there is to say, by the model that is chosen or by rule; empty where there is nothing.

    None while another step is at it.
    """
    assert isinstance(operation.input, RoutineInput)
    await _tell(doors, tenant, operation.id, 10, "Looking through the notes")
    due_at = operation.input.due_at
    material = await gather(doors.documents, tenant, operation.input.routine, due_at.timestamp(), operation.id)
    if not material.is_news:
        return _Draft("", "")
    mine = await preferences(doors.documents, doors.settings, tenant)
    title = write.title(material, due_at.astimezone(zone_of(mine.time_zone)).date())
    by_rule = _Draft(title, write.written(material))
    model = doors.model(mine.model)
    if model.name == OFFLINE:
        return by_rule
    await _tell(doors, tenant, operation.id, 40, "Writing")

    async def work(counted: Model) -> str:
        return await ask.ask(counted, material)

    async def stored() -> bool:
        run = (await run_of(doors, tenant, operation)).value
        return run.draft is not None or run.status in TERMINAL

    purse = Purse(doors, tenant, operation, mine)
    try:
        bought = await purse.buy(model, ask.question(material), work, seconds=ask.SECONDS, stored=stored)
    except Away:
        return None
    except (Refused, Hopeless) as error:
        return replace(by_rule, partial=f"{error.reason} So it was put together by rule, without the model.")
    also = (bought.release,)
    if bought.value:
        return _Draft(title, bought.value, bought.spent, also=also)
    return replace(by_rule, usage=bought.spent, partial=UNCITED, also=also)


async def _keep(doors: Doors, tenant: str, operation: Operation, draft: _Draft) -> Stored[RoutineRun]:
    """Store what was written and what it cost, in one commit; what another step has stored before counts instead."""
    runs, operations = RoutineRuns(doors.documents, tenant), Operations(doors.documents, tenant)

    async def attempt() -> None:
        stored, run, now = await operations.get(operation.id), await run_of(doors, tenant, operation), doors.now()
        if run.value.draft is not None:
            return
        # What was paid for is counted, even where the run was stopped meanwhile.
        change = Change(stored.value, now)
        writes = [*draft.also, *await charge(doors, tenant, change, draft.usage)]
        if stored.value.status == "running":
            change.set(troubles=0)
            text = f"# {draft.title}\n\n{draft.text}" if draft.text else ""
            writes.append(runs.put(run.value.changed(now, draft=text, partial=draft.partial), run.version))
        writes += operations.put(change.operation, change.events, stored.version)
        await doors.documents.commit(writes)

    await until_settled(attempt)
    return await run_of(doors, tenant, operation)


# -- proposing and ending --------------------------------------------------------------------------------------


async def _propose(doors: Doors, tenant: str, operation: Operation, run: RoutineRun) -> Done:
    """Queue the note for approval, through the gateway; asked again, it is the proposal that is there."""
    call = ToolCall(CALL, TOOL, _note(run))

    def called(change: Change) -> bool:
        if change.operation.status != "running" or change.operation.progress.percent >= 80:
            return False
        change.progress(80, "Proposing a note")
        change.called(TOOL, _told(call.arguments))
        return True

    await amend(doors, tenant, operation.id, called)
    routine = (await Routines(doors.documents, tenant).get(run.routine, doors.now())).value
    tool = proposed(built_in()[TOOL], _REASONS[run.routine])
    policy = Policy(ROUTINE.tools, approve_tools=True, egress_enabled=False, allowed_hosts=(), budget_left=None)
    errand = Errand(
        doors=doors,
        tenant=tenant,
        subject=routine.subject or run.routine.replace("_", " "),
        session_id="",
        run_id=operation.id,
        effect=ledger.key(tenant, operation.id, CALL, TOOL, call.arguments),
    )
    done = await Gateway({TOOL: tool}, policy, doors.now).call(errand, call, outside=True)
    assert isinstance(done, Done), "proposing asks nobody"
    return done


def _note(run: RoutineRun) -> JsonDict:
    head, _, text = (run.draft or "").partition("\n\n")
    return {"title": head.removeprefix("# "), "text": text, "kind": _KINDS[run.routine]}


def _told(arguments: JsonDict) -> JsonDict:
    """The call as its event tells it: what it says stands in the approval."""
    return {**arguments, "text": f"{len(str(arguments['text']))} characters"}


def _summary(run: RoutineRun) -> str:
    count = write.entries(str(_note(run)["text"]))
    return f"A {_KINDS[run.routine]} with {count} {'entry' if count == 1 else 'entries'} waits for your approval."


async def _complete(
    doors: Doors, tenant: str, operation: Operation, run: RoutineRun, summary: str, done: Done | None
) -> Status:
    approval_id = str(done.result["queued_for_approval"]) if done else None
    ids: list[str] = [approval_id] if approval_id else []
    output: JsonDict = {"schema": SCHEMA, "version": VERSION, "routine": run.routine, "summary": summary}
    output |= {"approval_ids": [*ids], "sources": [*_sources(run)]}

    def decide(change: Change) -> list[Write] | None:
        if change.operation.status != "running":
            return None
        if done:
            change.answered(TOOL, done.result)
        change.complete(output, partial=run.partial)
        return [Activities(doors.documents, tenant).put(done.entry)] if done else []

    ended = (await end(doors, tenant, operation.id, decide)).operation
    # Stopped while it proposed: nobody is asked about what they did not want.
    await withdraw(doors, tenant, ended)
    return ended.status


def _sources(run: RoutineRun) -> list[str]:
    """The addresses that it cites, by appearance."""
    return list(dict.fromkeys(_ADDRESS.findall(run.draft or "")))


# -- what the steps share --------------------------------------------------------------------------------------


async def _still_runs(doors: Doors, tenant: str, operation_id: str) -> bool:
    return (await Operations(doors.documents, tenant).get(operation_id)).value.status == "running"


async def _tell(doors: Doors, tenant: str, operation_id: str, percent: int, message: str) -> None:
    def told(change: Change) -> bool:
        if change.operation.status != "running" or change.operation.progress.percent >= percent:
            return False
        change.progress(percent, message)
        return True

    await amend(doors, tenant, operation_id, told)


async def _troubled(doors: Doors, tenant: str, operation_id: str) -> int:
    """Count one more failure that may pass; how many there were in a row."""

    def counted(change: Change) -> bool:
        if change.operation.status != "running":
            return False
        change.set(troubles=change.operation.troubles + 1)
        return True

    return (await amend(doors, tenant, operation_id, counted))[0].troubles
