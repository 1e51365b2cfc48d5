"""What a person does with their memories: see, correct, forget, roll back. Each change is proved by reading again.

An id only counts within the person's own scope; what is someone else's is unknown here.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from shared.errors import Conflict, Invalid, NotFound, Unreachable
from shared.gateway.redact import holds_a_secret
from shared.memory.reading import Sight
from shared.memory.receipt import judge
from shared.memory.scope import References, Scope, canonical, scope_of
from shared.memory.service import Refused, Row, Work
from shared.memory.waiting import PAUSE_SECONDS, wait
from shared.models.base import moment
from shared.models.ids import is_id, ulid
from shared.models.memory import Action, Expectation, Item, Memory, Origin, Receipt, Revision
from shared.services import Services
from shared.store.documents import Write
from shared.store.memories import Memories
from shared.store.records import in_batches, until_settled

CHANGE_SECONDS = 20.0
"""How long a person waits for the service to carry out a change; what is not done by then is told as it is."""
CONVERGE_SECONDS = 4.0
"""How long reads may go on showing the old state before that is told."""
QUESTIONS = 5
"""How many of the changed memories are looked for by similarity, too."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whose memories, with all that is needed to reach them."""

    services: Services
    memories: Memories
    scope: Scope
    references: References

    def sight(self) -> Sight:
        """Fresh reads."""
        return Sight(self.services.memory, self.scope, self.references, self.services.now)


async def person(services: Services, tenant: str, subject: str) -> Person:
    """The person who signed in."""
    memories = Memories(services.documents, tenant)
    return Person(services, memories, scope_of(tenant, subject), await memories.references())


# -- seeing


async def everything(who: Person) -> list[Memory]:
    """All memories of a person, newest first, and whether each may be used."""
    sight = who.sight()
    rows = await who.services.memory.inventory(who.scope)
    sight.show(rows)
    return await _shown(who, sight, [row for row in rows if _mine(who, row)])


async def _shown(who: Person, sight: Sight, rows: Sequence[Row]) -> list[Memory]:
    refs = {row.name: who.references.memory(row.name) for row in rows}
    known = await who.memories.expectations(who.references.scope(who.scope), refs.values())
    found: list[Memory] = []
    for row in rows:
        expectation = known.get(refs[row.name])
        if expectation and expectation.expected == "memory" and sight.in_doubt(row.name, expectation.origin.source):
            await sight.newest(row.name)
        # What is nearest to a question is decided when there is one.
        seen = sight.evidence(row.name, expectation).model_copy(update={"similarity_hit": True})
        found.append(
            Memory(
                id=row.id,
                fact=row.fact,
                created_at=row.created_at,
                updated_at=row.updated_at,
                expires_at=row.expires_at,
                origin=expectation.origin if expectation else None,
                judgement=judge(seen),
            )
        )
    return sorted(found, key=lambda one: one.updated_at, reverse=True)


async def one(who: Person, memory_id: str) -> Row:
    """A memory of this person; NotFound for everybody else's."""
    row = await who.services.memory.find(memory_id)
    if row is None or not _mine(who, row):
        raise NotFound("There is no such memory.", code="memory_not_found", next="Reload the list of memories.")
    return row


async def shown(who: Person, memory_id: str) -> Memory:
    """One memory, as `everything` shows it."""
    row = await one(who, memory_id)
    sight = who.sight()
    sight.show([row])
    (found,) = await _shown(who, sight, [row])
    return found


async def revisions(who: Person, memory_id: str) -> list[Revision]:
    """A memory's revisions, newest first."""
    row = await one(who, memory_id)
    return [
        Revision(
            id=state.id,
            fact=state.fact,
            created_at=state.created_at,
            expires_at=state.expires_at,
            source=state.source,
        )
        for state in await who.services.memory.revisions(row.name)
    ]


def _mine(who: Person, row: Row) -> bool:
    return canonical(row.scope) == canonical(who.scope)


# -- changing


async def edit(who: Person, memory_id: str, fact: str) -> Receipt:
    """Give a memory another text; Invalid (`memory_secret`) where that holds a secret."""
    if holds_a_secret(fact):
        raise Invalid(
            "This looks like a password, a PIN, a key or an account's number. Those are never remembered.",
            code="memory_secret",
            next="Leave it out, and keep it in a password manager.",
        )
    row, source = await one(who, memory_id), ulid(who.services.now())
    begin = partial(who.services.memory.update, row.name, fact, source)
    return await _changed(who, row, Origin(kind="edit", source=source), begin, question=fact)


async def roll_back(who: Person, memory_id: str, revision_id: str) -> Receipt:
    """Bring a revision back; later ones are dropped."""
    row = await one(who, memory_id)
    states = await who.services.memory.revisions(row.name)
    state = next((state for state in states if state.id == revision_id), None)
    if state is None:
        raise NotFound("There is no such revision.", code="revision_not_found", next="Reload the memory's revisions.")
    begin = partial(who.services.memory.rollback, row.name, state.id)
    return await _changed(who, row, Origin(kind="rollback", source=state.source or ""), begin, question=state.fact)


async def _changed(
    who: Person, row: Row, origin: Origin, begin: Callable[[], Awaitable[Work]], *, question: str
) -> Receipt:
    """Change one memory. Until the reads show the new state it counts as stale, and is withheld."""
    services, ref, started = who.services, who.references.memory(row.name), who.services.now()
    scope = who.references.scope(who.scope)
    before = (await who.memories.expectations(scope, [ref])).get(ref)
    await services.documents.commit(_expected(who, row, "memory", origin))

    async def back() -> None:
        now, version = (await who.memories.expected(scope, [ref])).get(ref, (None, ""))
        if now and now.origin == origin and now.expected == "memory":  # else it was forgotten or changed meanwhile
            again = who.memories.expect(before, version) if before else who.memories.expect_nothing(ref, version)
            await services.documents.commit([again])

    try:
        work = await wait(services, services.memory, await begin(), CHANGE_SECONDS)
    except (Refused, Unreachable):
        await until_settled(back)  # nothing was changed
        raise
    if work.error_code is not None:
        await until_settled(back)
    works = {row.name: work}
    sight, items = await _converged(who, works, "UPDATED", {row.name: question})
    return await _kept(who, sight, items, works, origin.source, started)


async def forget(who: Person, memory_id: str) -> Receipt:
    """Forget one memory. From the first moment on it is withheld, whatever becomes of the deletion."""
    return await _forget(who, [await one(who, memory_id)])


async def forget_all(who: Person) -> tuple[int, Receipt]:
    """Forget everything of this person, and what is still being made of what they said until now; how many there were.

    Each memory is deleted by its name after its scope was compared: a filter that the service read in another way
    would take the memories of others.
    """
    services = who.services
    await services.documents.commit([who.memories.forget(who.references.scope(who.scope), ulid(services.now()))])
    rows = await services.memory.inventory(who.scope)
    if not all(_mine(who, row) for row in rows):
        raise Conflict(
            "The memory service answered with memories that are not yours, so nothing was deleted.",
            code="memory_isolation",
            next="Have whoever runs this deployment review how identities are mapped to scopes.",
        )
    return len(rows), await _forget(who, rows)


async def _forget(who: Person, rows: Sequence[Row]) -> Receipt:
    started, source = who.services.now(), ulid(who.services.now())
    gone = Origin(kind="edit", source=source)
    writes = [write for row in rows for write in _expected(who, row, "deleted", gone)]
    await in_batches(who.services.documents, writes)
    works = {row.name: await _deleted(who, row) for row in rows}
    sight, items = await _converged(who, works, "DELETED", {row.name: row.fact for row in rows})
    return await _kept(who, sight, items, works, source, started)


async def _deleted(who: Person, row: Row) -> Work:
    bank = who.services.memory
    try:
        work = await bank.delete(row.name)
    except Refused as refusal:
        if refusal.upstream_status != NotFound.status:
            raise
        return Work(row.name, done=True)  # somebody else was faster; the reads tell
    return await wait(who.services, bank, work, CHANGE_SECONDS)


def _expected(who: Person, row: Row, expected: Literal["memory", "deleted"], origin: Origin) -> list[Write]:
    ref, now = who.references.memory(row.name), who.services.now()
    expectation = Expectation(memory_ref=ref, expected=expected, origin=origin, at=moment(now))
    return [who.memories.expect(expectation), *who.memories.protect({ref: row.name}, now)]


# -- proving


async def _converged(
    who: Person, works: Mapping[str, Work], action: Action, questions: Mapping[str, str]
) -> tuple[Sight, list[Item]]:
    """Read until all is as it should be, or for as long as convergence may take."""
    services = who.services
    deadline = services.now() + CONVERGE_SECONDS
    while True:
        sight = who.sight()
        await sight.by_scope()
        await sight.by_list()
        for name in works:
            await sight.by_name(name)
        for question in list(questions.values())[:QUESTIONS]:
            await sight.by_similarity(question)
        items = await _judged(who, sight, works, action)
        settled = all(item.judgement.verdict in ("healthy", "degraded") for item in items)
        if settled or services.now() >= deadline or not any(_good(work) for work in works.values()):
            return sight, items
        await services.sleep(PAUSE_SECONDS)


def _good(work: Work) -> bool:
    return work.done and work.error_code is None


async def _judged(who: Person, sight: Sight, works: Mapping[str, Work], action: Action) -> list[Item]:
    refs = {name: who.references.memory(name) for name in works}
    known = await who.memories.expectations(who.references.scope(who.scope), refs.values())
    items: list[Item] = []
    for name, work in works.items():
        expectation = known.get(refs[name])
        if expectation and expectation.expected == "memory" and sight.in_doubt(name, expectation.origin.source):
            await sight.newest(name)
        seen = sight.evidence(
            name,
            expectation,
            done=work.done,
            late=not work.done,
            error_code=work.error_code,
            action=action if _good(work) else None,
        )
        items.append(Item(memory_ref=refs[name], evidence=seen, judgement=judge(seen)))
    return items


async def _kept(
    who: Person, sight: Sight, items: Sequence[Item], works: Mapping[str, Work], source: str, started: float
) -> Receipt:
    services = who.services
    operation = next((work.name for work in works.values()), None)
    receipt = sight.receipt(
        ulid(services.now()),
        "change",
        items,
        works,
        started_at=started,
        operation=operation,
        source=source if is_id(source) else None,
        source_seen=True,
        deadline_at=moment(started + CHANGE_SECONDS),
    )
    now, ours = services.now(), {receipt.operation_ref: operation} if receipt.operation_ref and operation else {}
    await services.documents.commit(
        [
            who.memories.put(receipt),
            *who.memories.protect({receipt.scope: canonical(who.scope)}, now),
            *who.memories.protect(ours, now, passing=True),
        ]
    )
    return receipt
