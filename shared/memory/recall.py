"""Recall: the only way on which something remembered reaches a prompt. What can't be proved stays out, and says why.

The best fit counts for nothing here until it is known whose it is and that it is current.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from shared.doors import Doors
from shared.errors import MemexError
from shared.memory.reading import Sight
from shared.memory.receipt import judge, overall
from shared.memory.scope import scope_of
from shared.models.base import JsonDict, Time, rfc3339
from shared.models.evidence import Passage
from shared.models.ids import derived
from shared.models.memory import ADDRESS, REMEMBERED, Expectation, Item, Judgement, Origin, Receipt
from shared.store.memories import Memories

NAMED = 100
"""Memories of unknown origin whose names one recall notes for an operator."""
READ_SECONDS = 10.0
"""How long a turn waits for them at most."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that may be used."""

    memory_ref: str
    fact: str
    origin: Origin
    at: Time
    """When its newest revision was proved, or written by its person."""

    @property
    def told(self) -> JsonDict:
        """What a prompt is told of it: the fact and its source, so that an answer can name that."""
        return {"fact": self.fact, "source": self.origin.kind, "at": rfc3339(self.at)}

    @property
    def passage(self) -> Passage:
        """It as evidence, by reference alone: what is stored of a turn holds no fact, and a later use asks anew."""
        return Passage(
            title=f"Memory of {self.at.date().isoformat()}",
            url=f"{ADDRESS}{self.memory_ref}",
            text="",
            source_kind="memory",
        )


@dataclass(frozen=True, slots=True)
class Withheld:
    """A memory that may not, and why."""

    memory_ref: str
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Recalled:
    """What one turn may know of a person. `problem` is for the person, where memory could not be asked."""

    allowed: tuple[Remembered, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    receipt: Receipt | None = None
    problem: str = ""

    @property
    def data(self) -> JsonDict:
        """What goes into the prompt, to be marked as data; empty where nothing may."""
        return {REMEMBERED: [one.told for one in self.allowed]} if self.allowed else {}

    @property
    def told(self) -> str:
        """One line for the trace, without any fact; empty where there is nothing to tell."""
        if self.receipt is None or not (self.allowed or self.withheld):
            return ""
        reasons: dict[str, int] = {}
        for one in self.withheld:
            reasons[one.judgement.case] = reasons.get(one.judgement.case, 0) + 1
        listed = ", ".join(
            f"{case.replace('_', ' ')}{f' ({count})' if count > 1 else ''}" for case, count in reasons.items()
        )
        worst = overall([one.judgement for one in self.withheld])
        why = f" {len(self.withheld)} withheld: {listed}. {worst.safe_action}" if self.withheld else ""
        return f"Memory: {len(self.allowed)} used.{why}"

    @property
    def event(self) -> dict[str, object]:
        """The same as an event of the trace; empty where there is nothing to tell."""
        if self.receipt is None:
            return {}
        return {
            "type": "recall",
            "text": self.told,
            "used": [one.memory_ref for one in self.allowed],
            "withheld": {one.memory_ref: one.judgement.case for one in self.withheld[:NAMED]},
            "receipt_id": self.receipt.id,
        }


async def recall(doors: Doors, tenant: str, subject: str, question: str, turn: str) -> Recalled:
    """What may be used for this question of this person. It never raises what a memory service can be guilty of.

    `tenant` and `subject` are those of who signed in; `turn` is the run's id, under which the receipt is kept.
    """
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await _recall(doors, tenant, subject, question, turn)
    except TimeoutError:
        return Recalled(problem=_PROBLEM.format(why="it did not answer in time"))
    except MemexError as error:
        return Recalled(problem=_PROBLEM.format(why=error.message.rstrip(".")))


_PROBLEM = "Memory is unavailable ({why}), so this answer is made without it."


async def _recall(doors: Doors, tenant: str, subject: str, question: str, turn: str) -> Recalled:
    memories, scope = Memories(doors.documents, tenant), scope_of(tenant, subject)
    references = await memories.references()
    sight = Sight(doors.memory, scope, references, doors.now)
    started = doors.now()
    await asyncio.gather(sight.by_scope(), sight.by_similarity(question))
    if not sight.readable:
        return Recalled(problem=_PROBLEM.format(why="its inventory could not be read"))
    refs = {name: references.memory(name) for name in sight.names}
    # After the reads: what its person forgets while it is being recalled is withheld.
    expectations = await memories.expectations(references.scope(scope), refs.values())
    while True:
        found = await _judged(sight, refs, expectations, turn, started)
        if found.receipt is None:
            return found
        strange = {ref: name for name, ref in refs.items() if ref not in expectations}
        writes = memories.protect(dict(list(strange.items())[:NAMED]), doors.now(), passing=True)
        await doors.documents.commit([memories.put(found.receipt), *writes])
        # Once more, with nothing to wait for after it: what was forgotten or corrected while the receipt was written
        # is judged anew, and the receipt with it. READ_SECONDS ends that, too.
        before, expectations = expectations, await memories.expectations(references.scope(scope), refs.values())
        if expectations == before:
            return found


async def _judged(
    sight: Sight,
    refs: Mapping[str, str],
    expectations: Mapping[str, Expectation],
    turn: str,
    started: float,
) -> Recalled:
    """What may be used by what is expected of each memory (name -> reference -> expectation), and the receipt."""
    for name, ref in refs.items():
        known = expectations.get(ref)
        if known and known.expected == "memory" and sight.in_doubt(name, known.origin.source):
            await sight.newest(name)
    allowed: list[Remembered] = []
    withheld: list[Withheld] = []
    items: list[Item] = []
    for name, ref in refs.items():
        seen = sight.evidence(name, expectations.get(ref))
        found, row, known = judge(seen), sight.row(name), expectations.get(ref)
        items.append(Item(memory_ref=ref, evidence=seen, judgement=found))
        if found.decision == "allow" and row is not None and known is not None:
            # The text is the inventory's: what similarity shows may be older.
            allowed.append(Remembered(ref, row.fact, known.origin, known.at))
        else:
            withheld.append(Withheld(ref, found))
    if not items:
        return Recalled()
    receipt = sight.receipt(
        derived(turn, "recall"), "recall", items, sight.names, source=turn, source_seen=True, started_at=started
    ).model_copy(update={"injected": len(allowed)})
    return Recalled(tuple(allowed), tuple(withheld), receipt)
