"""The steps that make memories of one turn, as the workflow calls them. Each may be called twice.

What was asked once is never asked again: a pending operation is polled, an unknown one is left alone. The service gets
the person's own words and nothing else: no answer of ours (it may repeat what was recalled, read or fetched), no tool's
output, no instruction, and no secret.
"""

from shared.doors import Doors
from shared.errors import NotConfigured, NotFound, Unreachable, Upstream
from shared.events.trace import User
from shared.memory.kind import WORKFLOW, failure, input_of
from shared.memory.prove import conclude, receipt_of, turn_of, writes_of
from shared.memory.reading import Sight
from shared.memory.receipt import judge
from shared.memory.scope import Scope, scope_of
from shared.memory.service import Refused
from shared.memory.told import told
from shared.models.base import moment
from shared.models.memory import Evidence, Item
from shared.models.operation import TERMINAL, Operation
from shared.operations.amend import amend
from shared.operations.drive import give_up, overdue
from shared.operations.ending import end, fail
from shared.operations.retries import used_up
from shared.operations.step import Answer, Polling, enter
from shared.operations.transition import Change
from shared.preferences import preferences
from shared.store.chats import Chats
from shared.store.documents import Write
from shared.store.memories import Memories
from shared.store.operations import Operations

ANSWER_SECONDS = 60
"""After so long, the answer to a request that was posted can't come any more."""
LONGEST_WAIT = 60
SPOKEN = 200
"""Things said in a conversation among which a turn's own are looked for."""
LOOKS = 5
"""How often reads are made again that still show the old state after the work is done."""


# -- generate --------------------------------------------------------------------------------------------------


async def generate(doors: Doors, request: Polling) -> Answer:
    """Have memories made of the turn, unless that was asked before."""
    entered = await enter(doors, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is not None:
        return _running(request)
    if entered.intent_at is not None:
        return await _posted(doors, request, entered)
    scope, said = await _said(doors, request.tenant, entered)
    if not said:
        return await _nothing_to_do(doors, request)
    operation, intended = await amend(doors, request.tenant, entered.id, _intend)
    if not intended:
        return Answer(status="deduped") if operation.status in TERMINAL else _running(request)
    return await _post(doors, request, operation, scope, said)


async def _said(doors: Doors, tenant: str, operation: Operation) -> tuple[Scope, list[str]]:
    """Whose turn it was, and what they said in it; nothing where they don't want that remembered, or not any more."""
    asked, chats = input_of(operation), Chats(doors.documents, tenant)
    mine = await preferences(doors.documents, doors.settings, tenant)
    try:
        session = (await chats.get(asked.session_id)).value
        subject = (await chats.run(asked.turn)).value.subject
    except NotFound:
        return {}, []  # they deleted the conversation
    scope = scope_of(tenant, subject)
    memories = Memories(doors.documents, tenant)
    forgotten = await memories.forgotten((await memories.references()).scope(scope))
    if session.incognito or not mine.memory_enabled or asked.turn <= forgotten:
        return scope, []
    spoken = await chats.spoken(asked.session_id, SPOKEN)
    mine_alone = [event.text for event in spoken if isinstance(event, User) and event.turn == asked.turn]
    return scope, [kept for text in mine_alone if (kept := told(text))]


def _intend(change: Change) -> bool:
    """Store that the request is about to be posted; False where somebody else has, or it is over."""
    if change.operation.status in TERMINAL or change.operation.intent_at is not None:
        return False
    change.set(intent_at=moment(change.now))
    return True


async def _post(doors: Doors, request: Polling, operation: Operation, scope: Scope, said: list[str]) -> Answer:
    try:
        work = await doors.memory.generate(scope, said, input_of(operation).turn)
    except (Refused, NotConfigured):
        return await _failed(doors, request, "memory_refused")
    except Upstream as error:
        # What was never reached, or answers 429, has taken nothing; after anything else it may be at work.
        if isinstance(error, Unreachable) or error.upstream_status == 429:
            return await _later(doors, request)
        return await _uncertain(doors, request, operation, "generation_unknown")

    def store(change: Change) -> bool:
        change.set(interaction_id=work.name, troubles=0)
        if change.operation.status not in TERMINAL:
            change.progress(20, "The memory service is at work", doors.now() + request.poll_seconds)
        return True

    stored, _ = await amend(doors, request.tenant, operation.id, store)
    return Answer(status="deduped") if stored.status in TERMINAL else _running(request)


async def _posted(doors: Doors, request: Polling, operation: Operation) -> Answer:
    """It was posted and its answer is not here: it may still come, and after a while it can't any more."""
    assert operation.intent_at is not None
    if doors.now() - operation.intent_at.timestamp() < ANSWER_SECONDS:
        return _running(request)
    return await _uncertain(doors, request, operation, "generation_unknown")


async def _nothing_to_do(doors: Doors, request: Polling) -> Answer:
    def decide(change: Change) -> list[Write]:
        change.complete({"verdict": "healthy", "created": 0, "updated": 0, "deleted": 0})
        return []

    ended = await end(doors, request.tenant, request.operation_id, decide)
    return Answer(status="completed" if ended.here else "deduped")


async def _later(doors: Doors, request: Polling) -> Answer:
    """Nothing was taken: ask again after a while, a few times."""
    pause = 0

    def note_it(change: Change) -> bool:
        nonlocal pause
        if change.operation.status in TERMINAL:
            return False
        troubles = change.operation.troubles + 1
        pause = min(LONGEST_WAIT, request.poll_seconds * 2 ** min(troubles, 6))
        change.set(troubles=troubles, intent_at=None)
        return True

    operation, noted = await amend(doors, request.tenant, request.operation_id, note_it)
    if not noted:
        return Answer(status="deduped")
    if overdue(doors, operation) or await used_up(doors, request.tenant, operation.troubles):
        return await _failed(doors, request, "memory_unavailable")
    return Answer(status="running", wait_seconds=pause)


# -- poll ------------------------------------------------------------------------------------------------------


async def poll(doors: Doors, request: Polling) -> Answer:
    """Look at the same operation again. Trouble at looking says nothing about it: only the time limit ends that."""
    entered = await enter(doors, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None:
        return await generate(doors, request)
    try:
        done = (await doors.memory.operation(entered.interaction_id)).done
    except Upstream:
        done = False
    if done:
        return Answer(status="ready")
    if overdue(doors, entered):
        return await _uncertain(doors, request, entered, "deadline_passed")
    return _running(request)


# -- reconcile -------------------------------------------------------------------------------------------------


async def reconcile(doors: Doors, request: Polling) -> Answer:
    """Prove what the finished operation says it did; while reads still show the old state, look again later."""
    entered = await enter(doors, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None:
        return await generate(doors, request)
    last = overdue(doors, entered)
    ended = await conclude(doors, request.tenant, entered, patient=entered.attempts < LOOKS, last=last)
    if isinstance(ended, Operation):
        return Answer(status="failed" if ended.status == "failed" else "completed")
    if last:
        return await _uncertain(doors, request, entered, "deadline_passed")
    if ended == "unseen":
        return _running(request)

    def looked(change: Change) -> bool:
        if change.operation.status in TERMINAL:
            return False
        change.set(attempts=change.operation.attempts + 1)
        change.progress(80, "Waiting until the change is visible", doors.now() + request.poll_seconds)
        return True

    _, noted = await amend(doors, request.tenant, entered.id, looked)
    return _running(request) if noted else Answer(status="deduped")


# -- fail, and what the steps share ----------------------------------------------------------------------------


async def abandon(doors: Doors, request: Polling) -> Answer:
    """The workflow failed, or its time is over: end the operation, or hand it to a new execution."""
    entered = await enter(doors, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    if entered.interaction_id is None and entered.intent_at is None:
        return await _failed(doors, request, "steps_failed")
    if overdue(doors, entered):
        return await _uncertain(doors, request, entered, "deadline_passed")
    await give_up(doors, request.tenant, entered)
    status = (await Operations(doors.documents, request.tenant).get(entered.id)).value.status
    return Answer(status=status if status in ("completed", "failed") else "superseded")


def _running(request: Polling) -> Answer:
    return Answer(status="running", wait_seconds=min(LONGEST_WAIT, request.poll_seconds))


async def _failed(doors: Doors, request: Polling, code: str) -> Answer:
    ended = await fail(doors, request.tenant, request.operation_id, failure(code))
    return Answer(status="failed" if ended.here else "deduped")


async def _uncertain(doors: Doors, request: Polling, operation: Operation, code: str) -> Answer:
    """Nobody knows what the service did. That is kept as it is: it proves no failure, and nothing is repeated."""
    if operation.interaction_id is not None:
        found = await conclude(doors, request.tenant, operation, patient=False, last=True)
        if isinstance(found, Operation):
            return Answer(status="failed" if found.status == "failed" else "completed")
    turn = await turn_of(doors, request.tenant, operation)
    sight = Sight(doors.memory, turn.scope, turn.references, doors.now)
    seen = Evidence(done=False, late=True, expected_scope=turn.references.scope(turn.scope))
    receipt = receipt_of(turn, sight, [Item(memory_ref=None, evidence=seen, judgement=judge(seen))], [])

    def decide(change: Change) -> list[Write] | None:
        if change.operation.status != "running":
            return None
        change.fail(failure(code))
        return writes_of(turn, receipt)

    ended = await end(doors, request.tenant, operation.id, decide)
    return Answer(status="failed" if ended.here else "deduped")
