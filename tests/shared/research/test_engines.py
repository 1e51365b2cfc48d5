"""Both engines of research behind one operation: the same note, the same endings, whatever dies or comes twice."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest

from shared.agent.model import ModelBusy, ModelFailed
from shared.agent.models.offline import Offline
from shared.agent_task.paid import PAUSES
from shared.errors import MemexError, NotConfigured, Unreachable, UpstreamTimeout
from shared.events.operation import Progressed
from shared.gateway.tool import Errand
from shared.operations import ending
from shared.operations.dispatch import dispatch
from shared.research import claim, steps
from shared.research.extract.inert import sentence
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


UNKNOWN = "What do quinces weigh?"


async def test_a_model_that_stays_away_ends_it_after_some_tries(own: ResearchDesk) -> None:
    await own.note(WALL)
    rules(own).errors = [ModelBusy() for _ in range(50)]
    operation, asked = await own.started()
    # What was read by rule is left.
    assert await own.drive(asked) == "completed"
    assert len(rules(own).asked) == own.settings.max_retries + 1
    ended = await own.operation(operation.id)
    assert ended.partial
    (report,) = await own.reports()
    assert "limit" in report.body and f"{WALL} [cite: 1]" in report.body and report.summary == WALL


async def test_a_model_that_fails_for_good_ends_it_at_once(own: ResearchDesk) -> None:
    await own.note(WALL)
    # The planner is done without; the researcher is not.
    rules(own).errors = [ModelFailed("It refused.", code="model_refused", next="Ask otherwise.") for _ in range(9)]
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    assert rules(own).asked == ["planner", "researcher"]
    ended = await own.operation(operation.id)
    assert ended.partial
    (report,) = await own.reports()
    assert report.body.startswith("> **Incomplete.**") and "> It refused." in report.body
    assert (report.title, report.summary) == (QUESTION.rstrip("?"), WALL)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ModelBusy(), "unavailable", "limit"),
        (ModelFailed("It refused.", code="model_refused", next="Ask otherwise."), "model_failed", "It refused."),
    ],
)
async def test_where_nothing_is_found_either_no_service_is_blamed(
    own: ResearchDesk, error: Exception, code: str, said: str
) -> None:
    rules(own).errors = [error for _ in range(50)]
    operation, asked = await own.started(UNKNOWN)
    assert await own.drive(asked) == "failed"
    ended = await own.operation(operation.id)
    assert ended.error and ended.error.code == code and said in ended.error.message
    assert "service failed" not in ended.error.message


async def test_a_budget_that_pays_no_question_leaves_a_report_by_rule(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "local", operation_budget_tokens=1_000)
    await desk.note(WALL)
    operation, asked = await desk.started()
    assert await desk.drive(asked) == "completed"
    assert rules(desk).asked == []
    ended = await desk.operation(operation.id)
    assert ended.partial and "budget" in ended.partial and ended.usage.tokens == 0
    (report,) = await desk.reports()
    assert "MEMEX_OPERATION_BUDGET_TOKENS" in report.body and f"{WALL} [cite: 1]" in report.body
    # The answer, and not what is said of the report; nor does that need a source.
    assert (report.title, report.summary) == (QUESTION.rstrip("?"), WALL)
    assert ended.output and ended.output["summary"] == WALL and ended.output["flags"] == []
    assert [one.quote for one in report.citations] == [WALL]
    await ended_once(desk, operation.id)
    desk.close()


async def test_a_budget_that_pays_no_question_where_nothing_is_found_is_told_as_ours(tmp_path: Path) -> None:
    desk = fresh(tmp_path, "local", operation_budget_tokens=1_000)
    operation, asked = await desk.started(UNKNOWN)
    assert await desk.drive(asked) == "failed"
    ended = await desk.operation(operation.id)
    assert ended.error and ended.error.code == "budget_exceeded"
    assert "MEMEX_OPERATION_BUDGET_TOKENS" in ended.error.message and "service" not in ended.error.message
    desk.close()


@pytest.mark.parametrize(("question", "status"), [(QUESTION, "completed"), (UNKNOWN, "failed")])
async def test_a_model_that_is_not_set_up_leaves_a_report_by_rule(
    own: ResearchDesk, monkeypatch: pytest.MonkeyPatch, question: str, status: str
) -> None:
    def missing(_name: str) -> Any:
        raise NotConfigured("No key is set for this model.", next="Set one, or choose another model.")

    monkeypatch.setattr(own, "model", missing)
    await own.note(WALL)
    operation, asked = await own.started(question)
    assert await own.drive(asked) == status
    ended = await own.operation(operation.id)
    if status == "failed":
        assert ended.error and ended.error.code == "not_configured" and "No key is set" in ended.error.message
        return
    (report,) = await own.reports()
    assert "> No key is set for this model. Set one, or choose another model.\n\n# " in report.body
    assert report.summary == WALL and report.citations[0].quote == WALL
    await ended_once(own, operation.id)


async def ended_once(desk: ResearchDesk, operation_id: str) -> None:
    log = await Operations(desk.store, TENANT).log(operation_id)
    assert sum(one.event in ("task.completed", "task.failed", "task.cancelled") for one in log) == 1
    assert await desk.store.query(Query("leases", f"tenants/{TENANT}")) == []


class Slow(Rules):
    """An agent of it takes longer than there is time."""

    def __init__(self, desk: ResearchDesk, who: str) -> None:
        super().__init__()
        self._desk = desk
        self._who = who

    async def stream(self, question: Any) -> Any:
        if self._answer(question)[0] == self._who:
            self._desk.time += 120 * 60 + 1
            raise UpstreamTimeout("The model did not answer in time.", next="It is asked again.")
        async for piece in super().stream(question):
            yield piece


@pytest.mark.parametrize("who", ["planner", "researcher", "critic"])
async def test_a_time_limit_that_ends_during_an_answer_keeps_what_there_is(own: ResearchDesk, who: str) -> None:
    own.answering = Slow(own, who)
    await own.note(WALL)
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    ended = await own.operation(operation.id)
    assert ended.partial
    (report,) = await own.reports()
    assert "Its time is over." in report.body and [one.quote for one in report.citations] == [WALL]
    assert ("They are tied to wires" in report.body) == (who == "critic")
    await ended_once(own, operation.id)


async def test_a_time_limit_that_ends_while_it_pauses_keeps_what_there_is(own: ResearchDesk) -> None:
    class Late(Rules):
        async def stream(self, question: Any) -> Any:
            async for piece in super().stream(question):
                own.time += 120 * 60 + 1 if self.asked[-1] == "researcher" else 0
                yield piece

    own.answering = Late()
    await own.note(WALL)
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    assert (await own.operation(operation.id)).partial
    assert len(await own.reports()) == 1


async def test_out_of_time_with_nothing_found_it_says_so(own: ResearchDesk) -> None:
    own.answering = Slow(own, "planner")
    operation, asked = await own.started(UNKNOWN)
    assert await own.drive(asked) == "failed"
    ended = await own.operation(operation.id)
    assert ended.error and ended.error.code == "deadline_exceeded"


async def test_a_draft_that_names_no_source_gives_way_to_the_sources_themselves(own: ResearchDesk) -> None:
    class Boasting(Rules):
        def _answer(self, question: Any) -> Any:
            agent, text, calls = super()._answer(question)
            invented = "Reuters agrees [1].\n\n**Sources:**\n1. Reuters: pears poison"
            return (agent, invented, ()) if agent == "researcher" and not calls else (agent, text, calls)

    own.answering = Boasting()
    await own.note(WALL)
    operation, asked = await own.started()
    assert await own.drive(asked) == "completed"
    (report,) = await own.reports()
    assert "Reuters" not in report.body and f"{WALL} [cite: 1]" in report.body
    assert report.body.startswith("> What the agents wrote named no source") and report.summary == WALL
    ended = await own.operation(operation.id)
    assert ended.output and ended.output["flags"] == []


# -- a store that is full for a moment


class Full:
    """A store that refuses commits while it is told to, as a full disk does."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.refuses = 0
        self.refused = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def commit(self, writes: Any) -> None:
        if self.refuses:
            self.refuses -= 1
            self.refused += 1
            raise OSError(28, "No space left on device")
        await self._inner.commit(writes)


class FillingDesk(ResearchDesk):
    """The disk is full after an answer of `who`; short pauses pass."""

    def _wire(self) -> None:
        super()._wire()
        self.full = Full(self.documents)
        self.documents = self.full

    async def sleep(self, seconds: float) -> None:
        if seconds not in PAUSES:
            await super().sleep(seconds)
        self.time += seconds


class Filling(Rules):
    def __init__(self, desk: FillingDesk, who: str, times: int) -> None:
        super().__init__()
        self._desk, self._who, self._times = desk, who, times

    async def stream(self, question: Any) -> Any:
        async for piece in super().stream(question):
            if self.asked[-1] == self._who and self._times:
                self._desk.full.refuses, self._times = self._times, 0
            yield piece


@pytest.mark.parametrize("times", [1, len(PAUSES)])
@pytest.mark.parametrize("who", ["planner", "researcher", "check", "critic"])
async def test_an_answer_outlasts_a_store_that_is_full_for_a_moment(tmp_path: Path, who: str, times: int) -> None:
    desk = FillingDesk(tmp_path, "local")
    desk.answering = Filling(desk, who, times)
    await desk.note(WALL)
    operation, asked = await desk.started()
    begun = desk.time
    assert await desk.drive(asked) == "completed"
    assert desk.full.refused == times
    assert rules(desk).asked == ["planner", "researcher", "researcher", "check", "critic"]
    assert (await desk.operation(operation.id)).usage.tokens == 50
    assert desk.time - begun < 120
    await ended_well(desk, operation.id)
    desk.close()


async def test_where_an_answer_can_not_be_stored_it_is_asked_again_at_once_and_counted(tmp_path: Path) -> None:
    desk = FillingDesk(tmp_path, "local")
    desk.answering = Filling(desk, "researcher", len(PAUSES) + 1)
    await desk.note(WALL)
    operation, asked = await desk.started()
    with pytest.raises(OSError, match="No space"):
        await steps.poll(desk, asked)
    begun = desk.time
    assert await desk.drive(asked) == "completed"
    assert desk.time - begun < 120
    assert rules(desk).asked == ["planner", "researcher", "researcher", "researcher", "check", "critic"]
    # What was lost is counted by what was expected.
    assert (await desk.operation(operation.id)).usage.tokens > 1_500
    await ended_well(desk, operation.id)
    desk.close()


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
    assert report.body.startswith(
        "> Deep Research could not be had, so Memex's own agents wrote this. "
        f"The reason: {sentence(trouble.message)}\n\n# Pears\n\n"
    )
    assert (report.title, report.summary) == ("Pears", "They are tied to wires a note. Made up says more.")
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
