"""The canary: a harmless fact of nobody's, written, read back in all four ways, deleted, and looked for once more.

It says whether the service works just now, and never anything about a person's memories: those are judged when used.
"""

import asyncio
import logging
import secrets

from shared.errors import Conflict, MemexError
from shared.memory.reading import Sight
from shared.memory.receipt import judge
from shared.memory.scope import References, canary_scope
from shared.memory.service import Work
from shared.memory.waiting import PAUSE_SECONDS, wait
from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.memory import Action, Expectation, Item, Origin, Receipt, Song
from shared.services import Services
from shared.store import answers, leases
from shared.store.memories import Memories

FACT = "The canary's favourite colour is yellow."
QUESTION = "What is the canary's favourite colour?"
TTL_SECONDS = 3600
"""The service drops the fact by itself, should its deletion fail."""
WORK_SECONDS = 30.0
CONVERGE_SECONDS = 10.0
SECONDS = 120.0
"""How long one run may take in all, however slowly the service answers."""
LEASE = "memory-canary"

log = logging.getLogger("memex.memory")


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
    problem = ""
    try:
        async with asyncio.timeout(SECONDS):
            started = services.now()
            work = await services.memory.create(scope, FACT, run, ttl_seconds=TTL_SECONDS)
            work = await wait(services, services.memory, work, WORK_SECONDS)
            if work.memory is None:
                problem = "the service did not name what it wrote"
            else:
                name = work.memory
                written = await proved(work, name, "CREATED", started)
                started = services.now()
                gone = await wait(services, services.memory, await services.memory.delete(name), WORK_SECONDS)
                cleaned = await proved(gone, name, "DELETED", started)
    except TimeoutError:
        problem = f"the service took longer than {SECONDS:.0f} seconds"
    except MemexError as error:
        problem = error.message
    return Song(id=run, at=moment(services.now()), written=written, cleaned=cleaned, problem=problem)


async def sing_once(services: Services, tenant: str, key: answers.Key | None) -> Song:
    """One run at a person's wish, kept with its receipts. Conflict `canary_running` while another runs.

    The same key gives the run that it began; what died in between is sung anew once its lease is over.
    """
    documents, memories = services.documents, Memories(services.documents, tenant)

    async def known() -> Song | None:
        found = await answers.known(documents, key, services.now()) if key else None
        return await memories.song(found) if found else None

    if song := await known():
        return song
    lease = await leases.take(documents, tenant, LEASE, services.now(), SECONDS + 30)
    if lease is None:
        raise Conflict(
            "The memory service is being tested just now.",
            code="canary_running",
            next="Wait until that test has ended, for two minutes at most, then look again.",
        )
    if song := await known():
        # The one that held the lease a moment ago was this very request.
        await documents.commit([lease.release()])
        return song
    song = await sing(services)
    writes = [memories.put_song(song), lease.release()]
    if key:
        writes.append(answers.write(key, song.id, services.now()))
    await documents.commit(writes)
    return song


async def watch(services: Services) -> int:
    """One run that is told in the log: 1 where it was healthy, else 0."""
    song = await sing(services)
    if song.healthy:
        log.info("memory canary: %s", song.told)
    else:
        log.error("memory canary: %s", song.told)
    return int(song.healthy)
