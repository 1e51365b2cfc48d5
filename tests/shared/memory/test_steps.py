"""Generation: asked once, polled until done or too late, proved, and never fed with anything but the person's words."""

from pathlib import Path

import pytest

from shared.chat import sessions
from shared.chat.turns import Speaker
from shared.errors import Conflict, UpstreamTimeout
from shared.events.trace import Text, ToolResult, TraceEvent, User
from shared.memory import steps
from shared.memory.change import forget_all, person
from shared.memory.scope import scope_of
from shared.models.base import moment
from shared.models.memory import Receipt
from shared.models.operation import Operation
from shared.operations.dispatch import dispatch
from shared.operations.drive import give_up
from shared.operations.ending import cancel
from shared.operations.step import Polling
from shared.preferences import Choices, choose
from shared.store.memories import Memories
from shared.store.operations import Operations
from tests.fakes.desk import Crash, Door, Killed
from tests.shared.memory.world import TENANT, World

SAM = scope_of(TENANT, "sam")


async def receipts(world: World, subject: str = "sam") -> list[Receipt]:
    memories = Memories(world.services.documents, TENANT)
    scope = (await memories.references()).scope(scope_of(TENANT, subject))
    return await memories.receipts(scope)


async def proof(world: World, operation: Operation) -> Receipt:
    (found,) = [one for one in await receipts(world) if one.operation_id == operation.id]
    return found


def asked(world: World) -> int:
    return world.bank.store.count("generate")


# -- what is made ----------------------------------------------------------------------------------------------


async def test_a_turn_becomes_a_memory_with_its_proof(world: World) -> None:
    operation, request = await world.started("I drink green tea.")
    assert await world.driven(request) == ["running", "ready", "completed"]
    ended = await world.operation(operation.id)
    assert ended.status == "completed"
    receipt = await proof(world, operation)
    assert ended.output == {
        "verdict": "healthy", "created": 1, "updated": 0, "deleted": 0, "receipt_id": receipt.id,
    }  # fmt: skip
    (item,) = receipt.items
    assert (item.evidence.action, item.judgement.case, receipt.decision) == ("CREATED", "clean_write", "allow")
    assert (receipt.source_seen, item.evidence.done, item.evidence.get_status) == (True, True, 200)
    reads = receipt.reads
    assert [one.hits for one in (reads.get, reads.listed, reads.scope, reads.similarity)] == [1, 1, 1, 1]
    assert receipt.started_at and receipt.finished_at and receipt.deadline_at


async def test_the_same_fact_twice_is_one_memory_with_the_newer_source(world: World) -> None:
    await world.remembers("I drink green tea.")
    again = await world.remembers("I drink green tea.")
    assert again.output and (again.output["created"], again.output["updated"]) == (0, 1)
    assert await world.used("tea") == {"I drink green tea."}


async def test_a_contradiction_changes_the_memory_and_both_states_stay_to_be_seen(world: World) -> None:
    await world.remembers("I live in Leiden.")
    changed = await world.remembers("I live in Delft.")
    assert changed.output and (changed.output["created"], changed.output["updated"]) == (0, 1)
    assert await world.used("Where do I live?") == {"I live in Delft."}


async def test_what_holds_no_longer_is_deleted_and_a_404_is_the_proof(world: World) -> None:
    await world.remembers("I live in Leiden.")
    gone = await world.remembers("I no longer live in Leiden.")
    assert gone.status == "completed" and gone.output and gone.output["deleted"] == 1
    (item,) = (await proof(world, gone)).items
    assert (item.judgement.case, item.evidence.get_status) == ("deletion_converged", 404)
    assert await world.used("Leiden") == set()


async def test_nothing_durable_is_healthy(world: World) -> None:
    operation = await world.remembers("When do pears ripen?")
    assert operation.status == "completed" and operation.output and operation.output["created"] == 0
    (item,) = (await proof(world, operation)).items
    assert (item.judgement.case, item.memory_ref) == ("no_topic_noop", None)


async def test_only_the_persons_own_words_of_that_turn_are_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    session, turn = await world.says("I drink green tea.")
    chats, at = Speaker(world.services.documents, TENANT, "").chats, moment(world.services.now())
    others: list[TraceEvent] = [
        Text(seq=2, at=at, turn=turn, text="I own the answer."),
        ToolResult(seq=3, at=at, turn=turn, tool="http_fetch", ok=True, result={"text": "I own the page."}),
        Text(seq=4, at=at, turn=turn, text="I remember that I own a recalled fact."),
        User(seq=5, at=at, turn="01arz3ndektsv4rrffq69g5fav", text="I own another turn."),
    ]
    await world.services.documents.commit(chats.put_events(session, others))
    sent: list[object] = []
    generate = world.bank.client.generate

    async def heard(scope: object, said: object, source: str) -> object:
        sent.append((scope, list(said), source))  # type: ignore[call-overload]
        return await generate(scope, said, source)  # type: ignore[arg-type]

    monkeypatch.setattr(world.bank.client, "generate", heard)
    operation = await world.asks_to_remember(session, turn)
    assert operation
    await dispatch(world.services, TENANT)
    await world.driven(Polling(tenant=TENANT, operation_id=operation.id, execution_id="e1", poll_seconds=5))
    assert sent == [(SAM, ["I drink green tea."], turn)]
    assert await world.bank.facts(SAM) == {"I drink green tea."}


# -- when nothing is made --------------------------------------------------------------------------------------


async def test_one_turn_starts_one_operation_however_often_it_ends(world: World) -> None:
    session, turn = await world.says("I drink tea.")
    assert await world.asks_to_remember(session, turn)
    with pytest.raises(Conflict):
        await world.asks_to_remember(session, turn)
    assert len(await Operations(world.services.documents, TENANT).page(kind="memory_generation")) == 1


async def test_an_incognito_conversation_leaves_nothing(world: World) -> None:
    assert await world.asks_to_remember(*await world.says("I drink tea.", incognito=True)) is None


async def test_memory_that_is_off_makes_nothing_and_one_that_was_turned_off_meanwhile_neither(tmp_path: Path) -> None:
    world = World(tmp_path, memory_enabled=False)
    assert await world.asks_to_remember(*await world.says("I drink tea.")) is None
    current = world.services
    await choose(current.documents, current.settings, TENANT, Choices(memory_enabled=True), current.now())
    _operation, request = await world.started("I drink tea.")
    await choose(current.documents, current.settings, TENANT, Choices(memory_enabled=False), current.now())
    assert await world.driven(request) == ["completed"]
    assert asked(world) == 0
    await world.aclose()


async def test_a_conversation_that_was_deleted_meanwhile_is_not_remembered(world: World) -> None:
    session, turn = await world.says("I drink tea.")
    operation = await world.asks_to_remember(session, turn)
    assert operation
    await dispatch(world.services, TENANT)
    world.clock.advance(60)
    await sessions.delete(world.services.documents, TENANT, session, world.services.now())
    await world.driven(Polling(tenant=TENANT, operation_id=operation.id, execution_id="e1", poll_seconds=5))
    assert asked(world) == 0 and (await world.operation(operation.id)).status == "completed"


# -- never twice -----------------------------------------------------------------------------------------------


async def test_a_generation_that_never_ends_is_polled_to_the_deadline_and_told_as_uncertain(world: World) -> None:
    world.bank.fails(never_done=True)
    operation, request = await world.started("I drink green tea.")
    seen = await world.driven(request)
    assert seen[-1] == "failed" and set(seen[:-1]) == {"running"} and len(seen) > 100
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "deadline_passed"
    receipt = await proof(world, operation)
    assert (receipt.verdict, receipt.decision) == ("uncertain", "wait")
    assert receipt.operation_ref and "second" in receipt.safe_action
    assert asked(world) == 1


async def test_a_lost_answer_is_never_asked_for_again(world: World) -> None:
    world.bank.fails(no_answer=True)
    operation, request = await world.started("I drink green tea.")
    assert await world.driven(request) == ["failed"]
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "generation_unknown"
    assert (await proof(world, operation)).verdict == "uncertain"
    assert asked(world) == 1
    # What was written all the same has no proof, so it is not used.
    world.bank.fails()
    world.clock.advance(60)
    recalled = await world.recalls("tea")
    assert recalled.allowed == () and len(recalled.withheld) == 1


async def test_a_service_that_is_busy_has_taken_nothing_and_is_asked_again(world: World) -> None:
    world.bank.fails(busy=2)
    _operation, request = await world.started("I drink green tea.")
    assert await world.driven(request) == ["running", "running", "running", "ready", "completed"]
    assert asked(world) == 1


async def test_a_service_that_stays_busy_is_given_up(world: World) -> None:
    world.bank.fails(busy=1000)
    operation, request = await world.started("I drink green tea.")
    assert (await world.driven(request))[-1] == "failed"
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "memory_unavailable" and ended.error.next
    assert asked(world) == 0


async def test_trouble_at_looking_says_nothing_about_the_work(world: World) -> None:
    _operation, request = await world.started("I drink green tea.")
    await steps.generate(world.services, request)
    world.bank.fails(down=True)
    for _ in range(8):
        assert (await steps.poll(world.services, request)).status == "running"
        assert (await steps.reconcile(world.services, request)).status == "running"
    world.bank.fails()
    assert (await steps.reconcile(world.services, request)).status == "completed"
    assert asked(world) == 1


async def test_each_step_may_come_twice_and_late(world: World) -> None:
    _operation, request = await world.started("I drink green tea.")
    for _ in range(3):
        assert (await steps.generate(world.services, request)).status == "running"
    assert (await steps.poll(world.services, request)).status == "ready"
    assert (await steps.poll(world.services, request)).status == "ready"
    assert (await steps.reconcile(world.services, request)).status == "completed"
    for step in (steps.generate, steps.poll, steps.reconcile, steps.abandon):
        assert (await step(world.services, request)).status == "deduped"
    stranger = request.model_copy(update={"execution_id": "e9"})
    assert (await steps.generate(world.services, stranger)).status == "deduped"
    assert asked(world) == 1 and len(await receipts(world)) == 1


async def test_a_second_execution_is_told_so(world: World) -> None:
    _, request = await world.started("I drink green tea.")
    await steps.generate(world.services, request)
    stranger = request.model_copy(update={"execution_id": "e9"})
    for step in (steps.generate, steps.poll, steps.reconcile, steps.abandon):
        assert (await step(world.services, stranger)).status == "superseded"


async def test_an_operation_that_was_cancelled_stays_so_and_what_it_made_is_not_used(world: World) -> None:
    operation, request = await world.started("I drink green tea.")
    await steps.generate(world.services, request)
    await cancel(world.services, TENANT, operation.id)
    world.clock.advance(60)
    assert (await steps.poll(world.services, request)).status == "deduped"
    assert (await world.recalls("tea")).allowed == ()


async def test_work_that_is_done_is_completed_by_whoever_takes_over(world: World) -> None:
    operation, request = await world.started("I drink green tea.")
    await steps.generate(world.services, request)
    await give_up(world.services, TENANT, await world.operation(operation.id))
    assert (await world.operation(operation.id)).status == "completed"
    assert await world.used("tea") == {"I drink green tea."}


async def test_a_workflow_that_broke_before_anything_was_asked_fails_the_operation(world: World) -> None:
    operation, request = await world.started("I drink green tea.")
    assert (await steps.abandon(world.services, request)).status == "failed"
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "steps_failed"


async def test_a_refusal_ends_it_at_once(world: World) -> None:
    del world.services.__dict__["memory"]  # no bank is configured
    operation, request = await world.started("I drink green tea.")
    assert await world.driven(request) == ["failed"]
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "memory_refused"


# -- convergence -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said", [("I drink tea.",), ("I live in Leiden.", "I live in Delft."), ("I drink tea.", "I no longer drink tea.")]
)
async def test_reads_that_lag_are_waited_for(world: World, said: tuple[str, ...]) -> None:
    for text in said[:-1]:
        await world.remembers(text)
    world.bank.fails(lag=9)
    operation = await world.remembers(said[-1])
    assert operation.status == "completed" and operation.attempts > 0
    assert asked(world) == len(said)


@pytest.mark.parametrize(
    ("fault", "case"),
    [
        ({"never_shown": True}, "created_not_fetchable"),
        ({"error_code": 7}, "operation_failed"),
        ({"empty": True}, "no_topic_noop"),
    ],
)
async def test_what_never_converges_is_told_with_its_safe_action(
    world: World, fault: dict[str, object], case: str
) -> None:
    world.bank.fails(**fault)
    operation = await world.remembers("I drink green tea.")
    (item,) = (await proof(world, operation)).items
    assert item.judgement.case == case
    assert (operation.error.next if operation.error else "") == item.judgement.safe_action
    assert asked(world) == 1


async def test_a_miss_by_similarity_completes_as_degraded(world: World) -> None:
    world.bank.fails(no_similarity=True)
    operation = await world.remembers("I drink green tea.")
    assert operation.status == "completed" and operation.partial and "don't write" in operation.partial
    assert (await proof(world, operation)).verdict == "degraded"


async def test_an_older_turn_that_is_proved_late_does_not_undo_a_newer_one(world: World) -> None:
    await world.remembers("I live in Leiden.")
    older, older_request = await world.started("I live in Delft.")
    await steps.generate(world.services, older_request)
    await world.bank.client.operation(str((await world.operation(older.id)).interaction_id))
    newer = await world.remembers("I live in Gouda.")
    assert newer.status == "completed"
    await steps.poll(world.services, older_request)
    await steps.reconcile(world.services, older_request)
    assert await world.used("Where do I live?") == {"I live in Gouda."}


async def test_forgetting_everything_reaches_what_is_still_being_made(world: World) -> None:
    _operation, request = await world.started("I drink green tea.")
    await steps.generate(world.services, request)
    world.clock.advance(1)
    await forget_all(await person(world.services, TENANT, "sam"))
    await world.driven(request)
    assert await world.bank.facts(SAM) == set()
    assert await world.used("tea") == set()
    _waiting, late = await world.started("I drink black tea.")
    world.clock.advance(1)
    await forget_all(await person(world.services, TENANT, "sam"))
    await world.driven(late)
    assert asked(world) == 1, "what was not asked yet is not asked any more"


# -- deaths ----------------------------------------------------------------------------------------------------


async def die_at(folder: Path, at: int, *, after: bool) -> bool:
    """One generation with a death at the n-th use of a door; whether there was one."""
    folder.mkdir()
    world = World(folder)
    try:
        operation, request = await world.started("I drink green tea.")
        crash = Crash(at, after)
        documents, bank = world.services.documents, world.bank.client
        world.services.__dict__["documents"] = Door(documents, crash)
        world.services.__dict__["memory"] = Door(bank, crash)
        died = False
        try:
            await world.driven(request)
        except Killed:
            died = True
        world.services.__dict__["documents"] = documents
        world.services.__dict__["memory"] = bank
        world.clock.advance(steps.ANSWER_SECONDS + 1)
        await world.driven(request)
        ended = await world.operation(operation.id)
        assert asked(world) <= 1
        assert ended.status == "completed" or (ended.error and ended.error.code == "generation_unknown")
        assert len(await receipts(world)) == 1
        used = await world.used("tea")
        assert used == ({"I drink green tea."} if ended.status == "completed" else set())
        return died
    finally:
        await world.aclose()


@pytest.mark.parametrize("after", [False, True])
async def test_a_death_at_any_use_of_a_door_asks_once_and_ends_in_one_receipt(tmp_path: Path, after: bool) -> None:
    at = 1
    while await die_at(tmp_path / f"{at}", at, after=after):
        at += 1
    assert at > 20, "the deaths reach the end of the work"


async def test_an_answer_that_comes_too_late_is_unknown(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(*_: object) -> object:
        raise UpstreamTimeout("The service did not answer in time")

    monkeypatch.setattr(world.bank.client, "generate", late)
    operation, request = await world.started("I drink green tea.")
    assert await world.driven(request) == ["failed"]
    ended = await world.operation(operation.id)
    assert ended.error and ended.error.code == "generation_unknown"
