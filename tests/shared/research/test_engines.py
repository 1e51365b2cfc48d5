"""Both engines of research behind one operation: the same note, the same endings, whatever dies or comes twice."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest

from shared.agent.model import ModelBusy, ModelFailed
from shared.agent.models.offline import Offline
from shared.errors import MemexError, Unreachable
from shared.events.operation import Progressed
from shared.gateway.tool import Errand
from shared.operations import ending
from shared.operations.dispatch import dispatch
from shared.research import claim, steps
from shared.research.service import Busy, NotToBeHad, WrongKey
from shared.store import ledger
from shared.store.documents import Query
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.sweep import sweep
from tests.fakes.desk import Crash, Killed
from tests.shared.research.working import QUESTION, TENANT, WALL, Engine, ResearchDesk, Rules, request

REPORT = {
    "status": "completed",
    "steps": [
        {"type": "thought", "summary": [{"type": "text", "text": "**Scoping**"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "# Pears\n\nTied to wires. [cite: 1]\n\n"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "**Sources:**\n1. [a](https://a.example/)\n"}]},
    ],
}


@pytest.fixture(params=get_args(Engine))
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ResearchDesk]:
    made = fresh(tmp_path, request.param)
    yield made
    made.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ResearchDesk]:
    made = fresh(tmp_path, "local")
    yield made
    made.close()


def fresh(folder: Path, engine: Engine, **more: Any) -> ResearchDesk:
    made = ResearchDesk(folder, engine, **more)
    made.service.looks = [REPORT]
    return made


def rules(desk: ResearchDesk) -> Rules:
    assert isinstance(desk.answering, Rules)
    return desk.answering


async def ended_well(desk: ResearchDesk, operation_id: str) -> None:
    """One cited report note, a completed operation, a free slot, a gap-free log with one ending."""
    operation = await desk.operation(operation_id)
    assert (operation.status, operation.error, operation.partial) == ("completed", None, None)
    (report,) = await desk.reports()
    assert (report.id, report.source_note_id) == (operation.id, operation.source_note_id)
    assert report.tags == ["research-report"] and report.title == "Pears"
    assert [one.number for one in report.citations] == [1]
    assert operation.output and operation.output["claims"] and operation.output["sources"]
    assert not (await Operations(desk.store, TENANT).slots()).holders
    log = await Operations(desk.store, TENANT).log(operation.id)
    assert [event.seq for event in log] == list(range(1, operation.events + 1))
    assert sum(event.event in ("task.completed", "task.failed", "task.cancelled") for event in log) == 1
    trace = await Notes(desk.store, TENANT).trace(operation.id)
    assert [event.seq for event in trace] == list(range(1, len(trace) + 1)) and trace[0].type == "thinking"
    assert operation.source_note_id
    source = (await Notes(desk.store, TENANT).get(operation.source_note_id)).value
    assert (source.research.status, source.research.requested) == ("completed", False)
    assert await desk.store.query(Query("leases", f"tenants/{TENANT}")) == []


async def test_a_run_ends_with_one_cited_report(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    await ended_well(desk, operation.id)
    assert len(desk.service.creates) == (desk.engine_name == "deep")


async def test_every_step_may_be_called_twice(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    for act in (steps.create, steps.create, steps.poll, steps.poll, steps.finish):
        await act(desk, asked)
    assert (await steps.finish(desk, asked)).status == "deduped"
    await ended_well(desk, operation.id)


async def test_steps_at_the_same_moment_buy_nothing_twice(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    for act in (steps.create, steps.poll, steps.poll, steps.poll, steps.finish):
        await asyncio.gather(*(act(desk, asked) for _ in range(5)))
        desk.time += 60
    await ended_well(desk, operation.id)
    if desk.engine_name == "local":
        assert rules(desk).asked == ["planner", "researcher", "researcher", "check", "critic"]


async def test_a_second_execution_is_told_that_it_is_superseded(desk: ResearchDesk) -> None:
    operation, asked = await desk.started()
    await steps.create(desk, asked)
    assert (await steps.poll(desk, request(operation.id, "e99"))).status == "superseded"
    assert len(rules(desk).asked) == 0


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_at_any_moment_ends_in_one_report(tmp_path: Path, after: bool) -> None:
    at = 0
    died = True
    while died:
        at += 1
        desk = fresh(tmp_path / f"{after}-{at}", "local")
        await desk.note(WALL)
        operation, asked = await desk.started()
        desk.reborn(Crash(at=at, after=after))
        try:
            await desk.drive(asked)
            died = False
        except Killed:
            desk.reborn()
            assert await desk.drive(asked) in ("completed", "deduped")
        await ended_well(desk, operation.id)
        told = rules(desk).asked
        # A node that died asks anew; the critic asks two questions, the second after its own look.
        assert len(told) <= (7 if died else 5), told
        assert (await desk.operation(operation.id)).usage.tokens >= 50
        desk.close()
    assert at > 40, "a run uses more doors than that"


async def test_a_start_never_gets_lost(tmp_path: Path) -> None:
    for after in (False, True):
        for at in range(1, 40):
            desk = fresh(tmp_path / f"{after}-{at}", "local")
            await desk.note(WALL)
            await desk.chose(research_engine="local")
            desk.reborn(Crash(at=at, after=after))
            with suppress(Killed):
                note_id = await desk.wished()
                await claim.claim(desk, TENANT, note_id)
                await dispatch(desk, TENANT)
            desk.reborn()
            if asking := await Notes(desk.store, TENANT).page(tag="research"):
                await sweep(desk, patience=0)
                await sweep(desk, patience=0)
                (operation,) = await Operations(desk.store, TENANT).page()
                assert operation.source_note_id == asking[0].id
                for name in list(desk.engine.states):
                    await desk.drive(request(operation.id, name.rpartition("/")[2]))
                await ended_well(desk, operation.id)
            desk.close()


async def test_a_cancel_wins_over_a_late_step(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    await steps.create(desk, asked)
    cancelled = await ending.cancel(desk, TENANT, operation.id)
    assert (cancelled.status, (await desk.operation(operation.id)).remote_open) == ("cancelled", False)
    assert (await steps.poll(desk, asked)).status == "deduped"
    assert (await steps.finish(desk, asked)).status == "deduped"
    assert await desk.reports() == []
    assert rules(desk).asked == []


async def test_a_cancel_in_the_middle_of_an_answer_stores_no_report(own: ResearchDesk) -> None:
    await own.note(WALL)
    operation, asked = await own.started()

    class Cancelling(Rules):
        async def stream(self, question: Any) -> Any:
            await ending.cancel(own, TENANT, operation.id)
            async for piece in super().stream(question):
                yield piece

    own.answering = Cancelling()
    assert (await steps.poll(own, asked)).status == "deduped"
    assert await own.reports() == []
    assert len(rules(own).asked) == 1


async def test_a_dead_execution_is_replaced_while_the_run_goes_on(desk: ResearchDesk) -> None:
    await desk.note(WALL)
    operation, asked = await desk.started()
    desk.service.looks = [{"status": "in_progress", "steps": []}, REPORT]
    rules(desk).errors = [ModelBusy()]
    await steps.create(desk, asked)
    await steps.poll(desk, asked)
    desk.service.looks = [{"status": "in_progress", "steps": []}, REPORT]
    rules(desk).errors = [ModelBusy()]
    desk.engine.states = dict.fromkeys(desk.engine.states, "FAILED")
    desk.time += 601
    await dispatch(desk, TENANT)
    assert [*desk.engine.states.values()] == ["FAILED", "ACTIVE"]
    assert (await steps.poll(desk, asked)).status == "superseded"
    assert await desk.drive(request(operation.id, "e2")) == "completed"
    await ended_well(desk, operation.id)


# -- money and time


async def test_own_research_reserves_nothing_and_counts_what_its_model_costs(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "local", prices=("rules=1000/1000",), operation_budget_usd=3.0)
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert (operation.estimated_usd, operation.budget_day) == (0.0, None)
    assert await desk.drive(asked) == "completed"
    ended = await desk.operation(operation.id)
    assert ended.usage.tokens == 10 * len(rules(desk).asked)
    assert ended.usage.cost_usd == pytest.approx(0.05)
    (day,) = await desk.store.query(Query("days", f"tenants/{TENANT}"))
    assert (day.data["paid_runs"], round(float(str(day.data["cost_usd"])), 6)) == (0, 0.05)
    desk.close()


async def test_over_the_budget_it_ends_with_what_it_found(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "local", operation_budget_tokens=5_000)
    rules(desk).tokens = 1_500
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    ended = await desk.operation(operation.id)
    assert ended.partial and "budget" in ended.partial
    (report,) = await desk.reports()
    assert "MEMEX_OPERATION_BUDGET_TOKENS" in report.body and "tied to wires" in report.body
    assert len(report.citations) == 1
    desk.close()


async def test_out_of_time_it_ends_with_what_it_found(own: ResearchDesk) -> None:
    await own.note(WALL)
    operation, asked = await own.started()
    rules(own).verdicts = []
    await steps.create(own, asked)

    class Late(Rules):
        async def stream(self, question: Any) -> Any:
            if "You review a draft" in question.instruction:
                raise ModelBusy
            async for piece in super().stream(question):
                yield piece

    own.answering = Late()
    await steps.poll(own, asked)
    own.time += 120 * 60 + 1
    assert (await steps.abandon(own, asked)).status == "completed"
    ended = await own.operation(operation.id)
    assert ended.partial
    (report,) = await own.reports()
    assert "tied to wires" in report.body and "[cite: 1]" in report.body


@pytest.mark.parametrize(("engine", "price"), [("deep", 3.0), ("local", 0.0)])
async def test_the_chat_is_told_what_it_costs(tmp_path: Path, engine: Engine, price: float) -> None:
    from shared.models.arguments import StartResearch
    from shared.tools.research import TOOLS

    desk = fresh(tmp_path, engine)
    await desk.chose(research_engine=engine)
    (tool,) = TOOLS
    doors: Any = desk
    effect = ledger.key(TENANT, "0" * 26, "c", "start_research", {})
    errand = Errand(doors=doors, tenant=TENANT, subject="me", session_id="", run_id="0" * 26, effect=effect)
    assert tool.price and await tool.price(errand, StartResearch(note_id="0" * 26)) == price
    desk.close()


# -- what it writes


async def test_what_was_not_read_is_no_source_of_the_report(own: ResearchDesk) -> None:
    wall = await own.note(WALL)
    operation, asked = await own.started()
    await own.drive(asked)
    (report,) = await own.reports()
    assert [one.note_id for one in report.citations] == [wall]
    assert report.citations[0].quote == WALL
    assert "0" * 26 not in report.body and "Made up says more." in report.body
    assert report.body.startswith("# Pears\n\nThey are tied to wires a note [cite: 1].")
    assert f"1. [{WALL[:10]}" in report.body
    ended = await own.operation(operation.id)
    assert ended.output and ended.output["claims"] == [
        {"claim": "They are tied to wires a note.", "confidence": None, "evidence": [WALL], "sources": ["1"]}
    ]


async def test_nothing_found_is_no_report(own: ResearchDesk) -> None:
    await own.note("Bread wants time and patience, says the baker.")
    operation, asked = await own.started("What do quinces weigh?")
    assert await own.drive(asked) == "failed"
    ended = await own.operation(operation.id)
    assert ended.error and ended.error.code == "no_sources"
    assert await own.reports() == []


async def test_a_question_and_an_earlier_report_are_no_sources(own: ResearchDesk) -> None:
    await own.note(WALL)
    _, asked = await own.started()
    await own.drive(asked)
    (first,) = await own.reports()
    second, asked = await own.started(f"{QUESTION} Really?")
    own.time += 60
    name = next(name for name, state in own.engine.states.items() if state == "ACTIVE" and not name.endswith("/e1"))
    assert await own.drive(request(second.id, name.rpartition("/")[2])) == "completed"
    report = next(one for one in await own.reports() if one.id == second.id)
    assert [one.title for one in report.citations] == [one.title for one in first.citations]


async def test_a_draft_that_is_sent_back_is_written_anew(own: ResearchDesk) -> None:
    await own.note(WALL)
    rules(own).verdicts = ["REVISE: it is too short."]
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    await ended_well(own, operation.id)
    assert rules(own).asked.count("critic") == 2
    trace = await Notes(own.store, TENANT).trace(operation.id)
    assert any(event.type == "thinking" and "too short" in event.text for event in trace)


async def test_without_a_language_model_the_notes_own_sentences_are_the_report(own: ResearchDesk) -> None:
    own.answering = Offline()
    await own.note(WALL)
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    (report,) = await own.reports()
    # As the local research service writes it: under its question.
    assert report.body.startswith(f"# {QUESTION.rstrip('?')}\n\n{WALL} [cite: 1]\n\n")
    assert report.citations[0].quote == WALL
    ended = await own.operation(operation.id)
    assert (ended.usage.tokens, ended.usage.cost_usd) == (0, 0.0)


async def test_a_model_that_stays_away_ends_it_after_some_tries(own: ResearchDesk) -> None:
    await own.note(WALL)
    rules(own).errors = [ModelBusy() for _ in range(50)]
    operation, asked = await own.started()
    assert await own.drive(asked) == "failed"
    assert len(rules(own).asked) == own.settings.max_retries + 1
    ended = await own.operation(operation.id)
    assert ended.error and "limit" in ended.error.message


async def test_a_model_that_fails_for_good_is_asked_no_more_and_what_was_found_is_told(own: ResearchDesk) -> None:
    await own.note(WALL)
    # The planner only helps; without a researcher there is no draft.
    rules(own).errors = [ModelFailed("It refused.", code="model_refused", next="Ask otherwise.") for _ in range(2)]
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    assert len(rules(own).asked) == 2
    ended = await own.operation(operation.id)
    assert ended.output and "It refused." in str(ended.output)


# -- where the service is not to be had


def gone(status: int) -> Exception:
    return NotToBeHad(f"It refused (HTTP {status})", service_code="x", upstream_status=status)


@pytest.mark.parametrize(
    ("trouble", "may_pass"),
    [(Unreachable("no"), True), (Busy("slow"), True), (gone(403), False), (gone(404), False)],
    ids=["unreachable", "busy", "not allowed", "gone"],
)
async def test_our_own_agents_step_in_where_the_service_stays_away(
    tmp_path: Path, trouble: MemexError, may_pass: bool
) -> None:
    desk = fresh(tmp_path, "deep")
    desk.service.create_error = [trouble for _ in range(50)]
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert operation.estimated_usd == 3.0
    assert await desk.drive(asked) == "completed"
    (report,) = await desk.reports()
    assert report.body.startswith("> Deep Research could not be had")
    assert [one.number for one in report.citations] == [1]
    assert desk.service.creates == []
    assert 50 - len(desk.service.create_error) == (desk.settings.max_retries + 1 if may_pass else 1)
    told = [
        one.message
        for one in await Operations(desk.store, TENANT).log(operation.id)
        if isinstance(one, Progressed) and "own agents" in one.message
    ]
    assert told == [f"Memex's own agents do it, since Deep Research is not to be had: {trouble.message}"]
    await nothing_was_bought(desk, operation.id)
    desk.close()


async def nothing_was_bought(desk: ResearchDesk, operation_id: str) -> None:
    ended = await desk.operation(operation_id)
    assert (ended.usage.cost_usd, ended.estimated_usd, ended.budget_day) == (0.0, 0.0, None)
    (day,) = await desk.store.query(Query("days", f"tenants/{TENANT}"))
    assert (day.data["paid_runs"], day.data["cost_usd"]) == (0, 0.0)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_death_after_a_refusal_buys_nothing_and_ends_once(tmp_path: Path, after: bool) -> None:
    at = 0
    died = True
    while died:
        at += 1
        desk = fresh(tmp_path / f"{after}-{at}", "deep")
        desk.service.create_error = [gone(404) for _ in range(50)]
        await desk.note(WALL)
        operation, asked = await desk.started()
        desk.reborn(Crash(at=at, after=after))
        try:
            await steps.create(desk, asked)
            died = False
        except Killed:
            pass
        desk.reborn()
        # A death between the post and what is stored of it leaves a start whose outcome nobody knows.
        assert await desk.drive(asked) in ("completed", "failed")
        ended = await desk.operation(operation.id)
        assert desk.service.creates == [] and 50 - len(desk.service.create_error) <= 1
        if ended.status == "completed":
            await nothing_was_bought(desk, operation.id)
            assert len(await desk.reports()) == 1
        else:
            assert ended.error and ended.error.code == "start_unknown"
        desk.close()
    assert at > 6, "a start uses more doors than that"


async def test_a_cancel_during_the_refusal_gives_back_what_was_reserved(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "deep")
    await desk.note(WALL)
    operation, asked = await desk.started()

    class Cancelling(type(desk.service)):  # type: ignore[misc]  # the desk says which service it has
        async def create(self, question: str, labels: Any = None) -> str:
            await ending.cancel(desk, TENANT, operation.id)
            raise gone(404)

    desk.service.__class__ = Cancelling
    assert (await steps.create(desk, asked)).status == "deduped"
    assert (await desk.operation(operation.id)).status == "cancelled"
    await nothing_was_bought(desk, operation.id)
    assert await desk.reports() == []
    desk.close()


async def test_a_key_that_is_not_taken_is_told_and_nobody_steps_in(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "deep")
    desk.service.create_error = [WrongKey("API key not valid.", service_code="x", upstream_status=401)]
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "failed"
    ended = await desk.operation(operation.id)
    assert ended.error and ended.error.code == "wrong_key"
    assert "API key not valid." in ended.error.message and "MEMEX_GEMINI_API_KEY" in ended.error.next
    assert await desk.reports() == [] and rules(desk).asked == []
    (day,) = await desk.store.query(Query("days", f"tenants/{TENANT}"))
    assert (day.data["paid_runs"], day.data["cost_usd"]) == (0, 0.0)
    desk.close()


async def test_a_service_that_comes_back_in_time_does_it(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "deep")
    desk.service.create_error = [Unreachable("no"), Unreachable("no")]
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    assert len(desk.service.creates) == 1
    await ended_well(desk, operation.id)
    desk.close()


async def test_our_own_agents_step_in_where_no_service_is_configured(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "deep")
    desk.configured = False
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    assert len(await desk.reports()) == 1
    assert (await desk.operation(operation.id)).usage.cost_usd == 0.0
    desk.close()
