"""The canary: a harmless fact of nobody's, written, read back in all four ways, deleted, and looked for once more.

It says whether the service works just now, and never anything about a person's memories: those are judged when used.
"""

import logging
import secrets
from dataclasses import dataclass

from shared.errors import MemexError
from shared.memory.reading import Sight
from shared.memory.receipt import judge
from shared.memory.scope import References, canary_scope
from shared.memory.service import Work
from shared.memory.waiting import PAUSE_SECONDS, wait
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.memory import Action, Expectation, Item, Origin, Receipt
from shared.services import Services

FACT = "The canary's favourite colour is yellow."
QUESTION = "What is the canary's favourite colour?"
TTL_SECONDS = 3600
"""The service drops the fact by itself, should its deletion fail."""
WORK_SECONDS = 30.0
CONVERGE_SECONDS = 10.0

log = logging.getLogger("memex.memory")


@dataclass(frozen=True, slots=True)
class Song:
    """What became of it: the receipt of the write, that of the cleanup, and what kept either from being made."""

    written: Receipt | None = None
    cleaned: Receipt | None = None
    problem: str = ""

    @property
    def receipts(self) -> list[Receipt]:
        """The receipts that there are."""
        return [one for one in (self.written, self.cleaned) if one]

    @property
    def healthy(self) -> bool:
        """Whether both were made, and both are healthy."""
        return len(self.receipts) == 2 and all(one.verdict == "healthy" for one in self.receipts)

    @property
    def told(self) -> str:
        """One line without content."""
        names = zip(("write", "cleanup"), (self.written, self.cleaned), strict=True)
        said = [f"{name} {_cases(receipt)}" for name, receipt in names if receipt]
        return ", ".join([*said, *([self.problem] if self.problem else [])])


def _cases(receipt: Receipt) -> str:
    cases = ", ".join(item.judgement.case for item in receipt.items)
    return f"{receipt.verdict} ({cases})"


async def sing(services: Services) -> Song:
    """One run of it against the configured service, in a scope that no person can have."""
    run = ulid(services.now())
    references, scope = References(secrets.token_hex(32)), canary_scope(run)

    def sight() -> Sight:
        return Sight(services.memory, scope, references, services.now)

    async def proved(work: Work, name: str, action: Action, started: float) -> Receipt:
        origin, at = Origin(kind="canary", source=run), moment(services.now())
        expectation = Expectation(
            memory_ref=references.memory(name),
            expected="deleted" if action == "DELETED" else "memory",
            origin=origin,
            at=at,
        )
        deadline = services.now() + CONVERGE_SECONDS
        while True:
            seen = sight()
            await seen.by_name(name)
            await seen.by_list()
            await seen.by_scope()
            await seen.by_similarity(QUESTION)
            good = work.done and work.error_code is None
            evidence = seen.evidence(
                name,
                expectation,
                done=work.done,
                late=not work.done,
                error_code=work.error_code,
                action=action if good else None,
            )
            item = Item(memory_ref=expectation.memory_ref, evidence=evidence, judgement=judge(evidence))
            if item.judgement.verdict == "healthy" or not good or services.now() >= deadline:
                break
            await services.sleep(PAUSE_SECONDS)
        return seen.receipt(
            ulid(services.now()), "canary", [item], [name], started_at=started, operation=work.name, source=run
        )

    written = cleaned = None
    try:
        started = services.now()
        work = await services.memory.create(scope, FACT, run, ttl_seconds=TTL_SECONDS)
        work = await wait(services, services.memory, work, WORK_SECONDS)
        if work.memory is None:
            return Song(problem="the service did not name what it wrote")
        name = work.memory
        written = await proved(work, name, "CREATED", started)
        started = services.now()
        gone = await wait(services, services.memory, await services.memory.delete(name), WORK_SECONDS)
        cleaned = await proved(gone, name, "DELETED", started)
    except MemexError as error:
        return Song(written, cleaned, problem=error.message)
    return Song(written, cleaned)


async def watch(services: Services) -> int:
    """One run that is told in the log: 1 where it was healthy, else 0."""
    song = await sing(services)
    if song.healthy:
        log.info("memory canary: %s", song.told)
    else:
        log.error("memory canary: %s", song.told)
    return int(song.healthy)
