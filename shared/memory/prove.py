"""The proof of finished work: what each memory should show is written down, then read back in all four ways.

Inventory comes before relevance, and a receipt is kept in the commit that ends the operation. Nothing is written to the
service here, but for what its person had forgotten while it was being made.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal

from shared.doors import Doors
from shared.errors import Upstream
from shared.memory.kind import input_of
from shared.memory.reading import Sight
from shared.memory.receipt import judge, overall
from shared.memory.scope import References, Scope, canonical, scope_of
from shared.memory.service import Outcome, Work
from shared.models.base import JsonDict, moment
from shared.models.ids import derived
from shared.models.memory import Action, Expectation, Item, Origin, Receipt
from shared.models.operation import TERMINAL, Failure, Operation
from shared.operations.ending import end
from shared.operations.transition import Change
from shared.store.chats import Chats
from shared.store.documents import Expect, Write
from shared.store.memories import Memories
from shared.store.operations import Operations
from shared.store.records import until_settled

CONVERGING = ("created_not_fetchable", "deleted_still_visible", "stale_revision")
"""What reads may still show for a while after the work is done."""
UNREAD = ("unread", "revision_unread", "deletion_unproved")
"""What could not be read: that says nothing about the work."""
AT_ONCE = 100
"""Memories that are written down in one commit, with two documents each; a turn makes a few."""
Unproved = Literal["unseen", "unconverged"]


async def conclude(
    doors: Doors, tenant: str, operation: Operation, *, patient: bool, last: bool
) -> Operation | Unproved:
    """End an operation whose work is done, with its receipt.

    `unseen` where it is not done, or can't be looked at; `unconverged` where reads still show the old state. With
    `patient` False such reads count as they are, and with `last` reads that fail do, too.
    """
    assert operation.interaction_id is not None
    try:
        work = await doors.memory.operation(operation.interaction_id)
    except Upstream:
        return "unseen"
    if not work.done:
        return "unseen"
    turn = await turn_of(doors, tenant, operation)
    if ended := await _expect(turn, work):
        return ended
    sight, items = await _proved(turn, work)
    cases = {item.judgement.case for item in items}
    if not last and not cases.isdisjoint(UNREAD):
        return "unseen"
    if patient and not last and not cases.isdisjoint(CONVERGING):
        return "unconverged"
    receipt = receipt_of(turn, sight, items, [one.name for one in work.outcomes])
    return await _end(turn, receipt, work)


@dataclass(frozen=True, slots=True)
class Turn:
    """One generation, with all that its proof needs."""

    doors: Doors
    tenant: str
    operation: Operation
    memories: Memories
    references: References
    scope: Scope

    @property
    def source(self) -> str:
        """The opaque id of what was said."""
        return input_of(self.operation).turn


async def turn_of(doors: Doors, tenant: str, operation: Operation) -> Turn:
    """The turn behind an operation; whose it is was stored when it began, by who had signed in."""
    subject = (await Chats(doors.documents, tenant).run(input_of(operation).turn)).value.subject
    memories = Memories(doors.documents, tenant)
    references = await memories.references()
    return Turn(doors, tenant, operation, memories, references, scope_of(tenant, subject))


async def _expect(turn: Turn, work: Work) -> Operation | None:
    """Write down what each memory should show from now on, before anything is read: a recall may come in between.

    The operation, where it has ended meanwhile: then nothing is written down any more.
    """
    if work.error_code is not None or not work.outcomes:
        return None
    refs = {one.name: turn.references.memory(one.name) for one in work.outcomes}
    scope, at = turn.references.scope(turn.scope), moment(turn.doors.now())
    origin = Origin(kind="chat", source=turn.source, session_id=input_of(turn.operation).session_id)
    operations = Operations(turn.doors.documents, turn.tenant)

    async def attempt(some: Sequence[Outcome]) -> Operation | None:
        stored = await operations.get(turn.operation.id)
        if stored.value.status in TERMINAL:
            return stored.value
        named = {refs[one.name]: one.name for one in some}
        known = await turn.memories.expected(scope, named)
        # A new revision, so that whoever cancels meanwhile reads again, and takes back what this writes.
        change = Change(stored.value, turn.doors.now())
        change.set(revision=stored.value.revision + 1)
        writes = operations.put(change.operation, change.events, stored.version)
        writes += turn.memories.protect(named, turn.doors.now())
        for one in some:
            earlier, version = known.get(refs[one.name], (None, Expect.ABSENT))
            if earlier and earlier.origin.source > turn.source:
                continue  # something later has changed it since
            expected: Literal["memory", "deleted"] = "deleted" if one.action == "DELETED" else "memory"
            wanted = Expectation(memory_ref=refs[one.name], expected=expected, origin=origin, at=at)
            writes.append(turn.memories.expect(wanted, version))
        await turn.doors.documents.commit(writes)
        return None

    # What a person changes or forgets in between must not be written over.
    for start in range(0, len(work.outcomes), AT_ONCE):
        some = work.outcomes[start : start + AT_ONCE]
        if ended := await until_settled(partial(attempt, some)):
            return ended
    known = await turn.memories.expectations(scope, refs.values())
    for one in work.outcomes:
        now = known.get(refs[one.name])
        if one.action != "DELETED" and now and now.expected == "deleted":
            # Its person had it forgotten while it was being made.
            with suppress(Upstream):
                await turn.doors.memory.delete(one.name)
    return None


async def _proved(turn: Turn, work: Work) -> tuple[Sight, list[Item]]:
    """Inventory first, then the way on which the agent will look; the judgement of each memory."""
    sight = Sight(turn.doors.memory, turn.scope, turn.references, turn.doors.now)
    await sight.by_scope()
    await sight.by_list()
    for one in work.outcomes:
        row = await sight.by_name(one.name)
        await sight.by_similarity(row.fact if row else "what is known of this person")
    refs = {one.name: turn.references.memory(one.name) for one in work.outcomes}
    known = await turn.memories.expectations(turn.references.scope(turn.scope), refs.values())
    items: list[Item] = []
    for one in work.outcomes:
        expectation = known.get(refs[one.name])
        if expectation and expectation.expected == "memory" and sight.in_doubt(one.name, expectation.origin.source):
            await sight.newest(one.name)
        seen = sight.evidence(
            one.name, expectation, done=True, action=_action(one, expectation), error_code=work.error_code
        )
        items.append(Item(memory_ref=refs[one.name], evidence=seen, judgement=judge(seen)))
    if not work.outcomes:
        seen = sight.nothing(turn.source).model_copy(update={"error_code": work.error_code})
        items.append(Item(memory_ref=None, evidence=seen, judgement=judge(seen)))
    return sight, items


def _action(one: Outcome, expectation: Expectation | None) -> Action:
    """What was done in the end: what the person had forgotten meanwhile was deleted."""
    return "DELETED" if expectation and expectation.expected == "deleted" else one.action


def receipt_of(turn: Turn, sight: Sight, items: list[Item], wanted: list[str]) -> Receipt:
    """The receipt of a generation; a second one of the same operation takes the place of the first."""
    operation = turn.operation
    started = operation.intent_at or operation.created_at
    return sight.receipt(
        derived(operation.id, "receipt"),
        "generation",
        items,
        wanted,
        started_at=started.timestamp(),
        operation=operation.interaction_id,
        operation_id=operation.id,
        source=turn.source,
        source_seen=True,
        deadline_at=operation.deadline_at,
    )


async def _end(turn: Turn, receipt: Receipt, work: Work) -> Operation:
    """One commit: the operation, its last event, its slot, the receipt."""
    counts: JsonDict = {
        word: sum(one.action == action for one in work.outcomes)
        for word, action in (("created", "CREATED"), ("updated", "UPDATED"), ("deleted", "DELETED"))
    }
    judgement = overall([item.judgement for item in receipt.items])

    def decide(change: Change) -> list[Write]:
        if judgement.verdict in ("healthy", "degraded"):
            partial = judgement.safe_action if judgement.verdict == "degraded" else None
            change.complete({"verdict": judgement.verdict, **counts, "receipt_id": receipt.id}, partial=partial)
        else:
            told = f"What was remembered of this turn could not be proved: {judgement.case.replace('_', ' ')}."
            change.fail(Failure(code=judgement.case, message=told, next=judgement.safe_action))
        return writes_of(turn, receipt)

    return (await end(turn.doors, turn.tenant, turn.operation.id, decide)).operation


def writes_of(turn: Turn, receipt: Receipt) -> list[Write]:
    """The receipt as writes, and apart from it what its hashes stand for."""
    now, named = turn.doors.now(), turn.operation.interaction_id
    ours = {receipt.operation_ref: named} if receipt.operation_ref and named else {}
    return [
        turn.memories.put(receipt),
        *turn.memories.protect({receipt.scope: canonical(turn.scope)}, now),
        *turn.memories.protect(ours, now, passing=True),
    ]
