import asyncio
from pathlib import Path
from typing import Any

import pytest

from shared.agent.citing import cited
from shared.agent.model import Answer, ModelBusy, ModelDown, ModelFailed, Question
from shared.approvals.apply import approve, reject
from shared.capture import Capture, capture
from shared.errors import NotConfigured
from shared.models.activity import Activity
from shared.models.note import Note
from shared.models.operation import Operation
from shared.operations import ending
from shared.operations.ending import cancel
from shared.operations.transition import Change
from shared.preferences import Choices, choose
from shared.routines.ask import checked
from shared.routines.material import Material, gather
from shared.routines.run import NOTHING, UNCITED, step
from shared.routines.write import shares
from shared.store.activity import Activities
from shared.store.approvals import Approvals
from shared.store.days import Days, date_of
from shared.store.documents import Query, Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.sweep import sweep
from shared.task import NewTask, TaskChange, add, change
from tests.fakes.desk import Crash, Killed
from tests.fakes.scripted import ScriptedModel, says
from tests.shared.routines.working import (
    MORNING,
    TENANT,
    Bureau,
    done,
    proposals,
    routine_of,
    runs_of,
    started,
    stepped,
    switched_on,
)
from tests.shared.tools.using import HOSTILE

DAY = 86_400.0


async def noted(desk: Bureau, text: str, tenant: str = TENANT, **fields: Any) -> Note:
    desk.time += 1
    entry = Capture.model_validate({"text": text, **fields})
    return (await capture(desk.store, tenant, entry, desk.now())).note


async def reported(desk: Bureau, text: str) -> Note:
    note = await noted(desk, text, title="Report on pears")
    notes = Notes(desk.store, TENANT)
    found = await notes.get(note.id)
    changed = found.value.changed(desk.now(), kind="research")
    return await notes.commit(changed, found.version, body=None, previous=found.value)


async def a_day(desk: Bureau) -> dict[str, Note]:
    """Something of everything, and the review switched on."""
    await switched_on(desk)
    await switched_on(desk, "nightly_digest", at="07:00")
    return {
        "old": await noted_before(desk, "An old thought."),
        "pear": await noted(desk, "The pears are ripe. They want picking.", title="Pears", tags=["garden"]),
        "wall": await noted(desk, "The wall is warm.", tags=["garden"]),
        "book": await noted(desk, "A book about tides."),
        "report": await reported(desk, "Pears keep for weeks in the cold."),
    }


async def noted_before(desk: Bureau, text: str) -> Note:
    desk.time -= DAY
    note = await noted(desk, text)
    desk.time += DAY
    return note


async def run(desk: Bureau, name: Any = "daily_review") -> Operation:
    """The run of a routine that a person wants now."""
    from shared.routines.due import run_now
    from tests.shared.routines.working import given_a_slot

    desk.time = max(desk.time, MORNING)
    await run_now(desk, TENANT, name, None)
    return await given_a_slot(desk)


# -- by rule ---------------------------------------------------------------------------------------------------


async def test_the_review_quotes_and_cites_what_came_and_lists_what_is_open(desk: Bureau) -> None:
    day = await a_day(desk)
    await add(desk.store, TENANT, NewTask(title="Pick the pears", source_note_id=day["pear"].id), desk.now(), key=None)
    closed = await add(desk.store, TENANT, NewTask(title="Read"), desk.now(), key=None)
    await change(desk.store, TENANT, closed.id, TaskChange(status="done"), desk.now(), expected=None)
    ended = await done(desk, await run(desk))
    assert ended.status == "completed" and ended.partial is None
    (proposed,) = await proposals(desk)
    assert (proposed["tool"], proposed["kind"], proposed["title"]) == ("create_note", "review", "Review of 2027-01-16")
    assert proposed["text"] == (
        # The newest first: where there is no room, the old ones are counted.
        "## Captured\n\n"
        f"- [A book about tides.](#/notes/{day['book'].id})\n"
        f"- [The wall is warm.](#/notes/{day['wall'].id})\n"
        f"- “The pears are ripe.” [Pears](#/notes/{day['pear'].id})\n\n"
        "## Research that came in\n\n"
        f"- “Pears keep for weeks in the cold.” [Report on pears](#/notes/{day['report'].id})\n\n"
        "## Open tasks\n\n"
        f"- Pick the pears [Pears](#/notes/{day['pear'].id})"
    )
    assert ended.output and ended.output["schema"] == "memex.routine_result"
    assert ended.output["sources"] == [f"#/notes/{day[name].id}" for name in ("book", "wall", "pear", "report")]
    (row,) = await runs_of(desk)
    assert (row.status, row.approval_ids, row.draft) == ("completed", ended.output["approval_ids"], None)
    assert row.summary == "A review with 5 entries waits for your approval."


async def test_the_digest_goes_by_theme(desk: Bureau) -> None:
    day = await a_day(desk)
    await done(desk, await run(desk, "nightly_digest"))
    (proposed,) = await proposals(desk)
    assert (proposed["kind"], proposed["title"]) == ("digest", "Digest of 2027-01-16")
    garden, other = proposed["text"].split("## Other")
    assert garden.startswith("## #garden\n\n") and garden.count("\n- ") == 1 + 1
    assert all(day[name].id in garden for name in ("pear", "wall"))
    assert all(day[name].id in other for name in ("book", "report"))
    assert day["old"].id not in proposed["text"]


async def test_questions_and_reports_are_told_apart_from_what_was_noted(desk: Bureau) -> None:
    await switched_on(desk)
    said = await noted(desk, "Is clay heavy? It is, after rain.")
    asked = [await noted(desk, "How heavy is clay", tags=["research"]), await noted(desk, "Is clay heavy? Is loam?")]
    written = [await reported(desk, "Clay is heavy."), await noted(desk, "Clay weighs much.", tags=["research-report"])]
    found = await gather(desk.store, TENANT, "nightly_digest", desk.now() + 60, "7zzzzzzzzzzzzzzzzzzzzzzzzz")
    assert [one.id for one in found.captured] == [said.id]
    assert [one.id for one in found.asked] == [one.id for one in asked]
    assert [one.id for one in found.reports] == [one.id for one in written]
    assert found.is_news and set(found.sources) == {f"#/notes/{one.id}" for one in (said, *asked, *written)}


async def test_german_notes_have_german_headings(desk: Bureau) -> None:
    await switched_on(desk)
    await noted(desk, "Die Birnen sind reif und wollen nicht mehr warten, weil es heiß ist.", title="Birnen")
    await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    assert proposed["title"] == "Rückblick vom 2027-01-16" and "## Notiert" in proposed["text"]


@pytest.mark.parametrize("name", ["daily_review", "nightly_digest"])
async def test_without_anything_new_no_note_is_proposed_and_the_run_says_so(desk: Bureau, name: str) -> None:
    desk.time = MORNING - 3 * DAY
    await noted(desk, "An old thought.")
    await add(desk.store, TENANT, NewTask(title="An old task"), desk.now(), key=None)
    desk.time = MORNING
    ended = await done(desk, await run(desk, name))
    assert (ended.status, ended.output and ended.output["summary"]) == ("completed", NOTHING)
    assert await proposals(desk) == []
    (row,) = await runs_of(desk)
    assert (row.summary, row.approval_ids, row.note_id) == (NOTHING, [], None)


async def test_what_routines_wrote_and_what_is_in_the_bin_is_no_news(desk: Bureau) -> None:
    from shared.edit import discard

    await switched_on(desk)
    note = await noted(desk, "Pears.")
    ended = await done(desk, await run(desk))
    assert ended.output
    await approve(desk, TENANT, "ann", str(ended.output["approval_ids"][0]))  # type: ignore[index]
    await discard(desk.store, TENANT, note.id, desk.now())
    desk.time += 3600
    again = await done(desk, await run(desk))
    assert again.output and again.output["summary"] == NOTHING


async def test_a_run_looks_back_to_the_one_before_it_but_no_further_than_a_week(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING
    assert (await done(desk, await started(desk))).status == "completed"
    for days, expected in ((3, 3 * DAY), (20, 7 * DAY)):
        due = MORNING + days * DAY
        found = await gather(desk.store, TENANT, "daily_review", due, "7zzzzzzzzzzzzzzzzzzzzzzzzz")
        assert found.since == pytest.approx(due - expected, abs=60)
    # A run that failed told nobody anything.
    fresh = await gather(desk.store, TENANT, "nightly_digest", MORNING, "7zzzzzzzzzzzzzzzzzzzzzzzzz")
    assert fresh.since == MORNING - DAY


async def test_more_notes_than_fit_are_counted(desk: Bureau) -> None:
    await switched_on(desk)
    desk.time = MORNING - 3600
    for n in range(130):
        await noted(desk, f"Thought number {n}")
    await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    # Fifteen are read in a minute; forty of them were a wall.
    assert proposed["text"].count("\n- “") + proposed["text"].count("\n- [") == 15
    assert "- And 105 more." in proposed["text"] and proposed["text"].endswith("And 10 older notes.")


@pytest.mark.parametrize(
    ("sizes", "room", "given"),
    [([20, 0, 2], 15, [13, 0, 2]), ([20, 20, 20], 15, [5, 5, 5]), ([1, 1, 1], 2, [1, 1, 0]), ([3, 2], 15, [3, 2])],
)
def test_parts_share_the_room(sizes: list[int], room: int, given: list[int]) -> None:
    assert shares(sizes, room) == given


SYNTAX = """## Task lists

Write a hyphen and a box.

```md
- [ ] Task item 1
  - [ ] Subtask 1
```

- [ ] Task item 1
  - [ ] Subtask 1
- [ ] Prune the pears
"""


async def test_boxes_that_a_page_on_syntax_shows_are_no_open_tasks(desk: Bureau) -> None:
    await switched_on(desk)
    page = await noted(desk, SYNTAX, title="Formatting")
    other = await noted(desk, "- [ ] Task item 1", title="Mine")
    for title, note in (("Task item 1", page), ("Subtask 1", page), ("Prune the pears", page), ("Task item 1", other)):
        await add(desk.store, TENANT, NewTask(title=title, source_note_id=note.id), desk.now(), key=None)
    await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    _, _, tasks = proposed["text"].partition("## Open tasks")
    assert sorted(line.partition(" [")[0] for line in tasks.split("\n") if line.startswith("- ")) == [
        "- Prune the pears",
        "- Task item 1",
    ]
    assert f"- Task item 1 [Mine](#/notes/{other.id})" in tasks


async def test_a_sentence_that_announces_a_list_gives_way_to_one_that_tells(desk: Bureau) -> None:
    await switched_on(desk)
    await noted(desk, "These types are supported:\n\n- Lists\n\nMarkdown files are plain text.", title="Formats")
    await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    assert "- “Markdown files are plain text.” [Formats]" in proposed["text"]


@pytest.mark.survival(13)
async def test_hostile_notes_come_out_as_words(desk: Bureau) -> None:
    await switched_on(desk)
    stolen = "01j00000000000000000000000"
    note = await noted(desk, f"{HOSTILE}\n\n![x](https://evil.example/x.png) [y](#/notes/{stolen})", title="](#/x) <b>")
    ended = await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    text = proposed["text"]
    assert "](javascript" not in text and "](https" not in text and stolen not in text and "\u202e" not in text
    assert ended.output and ended.output["sources"] == [f"#/notes/{note.id}"]
    assert cited(text, {f"#/notes/{note.id}": note_citation(note)}).text == text


def note_citation(note: Note) -> Any:
    from shared.tools.shapes import citations

    return citations([note])[0]


# -- only a proposal -------------------------------------------------------------------------------------------


async def test_a_run_writes_no_note_and_the_person_decides(desk: Bureau) -> None:
    await a_day(desk)
    before = {one.id for one in await desk.store.query(Query("notes", None, limit=100))}
    operation = await run(desk)
    ended = await done(desk, operation)
    assert {one.id for one in await desk.store.query(Query("notes", None, limit=100))} == before
    (approval,) = await Approvals(desk.store, TENANT).page()
    assert (approval.status, approval.run_id, approval.subject) == ("pending", operation.id, "ann")
    (entry,) = [one for one in await Activities(desk.store, TENANT).page() if isinstance(one, Activity)]
    assert (entry.tool, entry.decision, entry.run_id) == ("create_note", "allowed", ended.id)
    events = await Operations(desk.store, TENANT).log(operation.id)
    assert [one.event for one in events if one.event.startswith("task.tool")] == ["task.tool_call", "task.tool_result"]
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    applied = await approve(desk, TENANT, "ann", approval.id)
    assert applied.undo and applied.undo.type == "note_created"
    note = await Notes(desk.store, TENANT).whole(applied.undo.note_id)
    assert (note.kind, note.enrichment.status) == ("review", "none")
    assert (await runs_of(desk))[0].note_id == note.id


# -- by a model ------------------------------------------------------------------------------------------------


async def test_a_model_writes_and_what_it_cannot_cite_is_dropped(desk: Bureau) -> None:
    day = await a_day(desk)
    pear, old = day["pear"].id, day["old"].id
    desk.writer = ScriptedModel(
        [
            says(
                f"Good morning!\n\n## Garden\n- The pears are ripe. [Pears](#/notes/{pear})\n- Buy my course.\n"
                f"- It was so. [Old](#/notes/{old})\n- See [here](https://evil.example/)\n\n## Empty\n- nothing\n"
            )
        ]
    )
    ended = await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    assert proposed["text"] == f"## Garden\n\n- The pears are ripe. [Pears](#/notes/{pear})"
    assert (ended.usage.tokens, ended.partial) == (15, None)


async def test_the_material_reaches_the_model_as_marked_data(desk: Bureau) -> None:
    await switched_on(desk)
    await noted(desk, HOSTILE)
    desk.writer = model = ScriptedModel([says("- nothing")])
    await done(desk, await run(desk))
    (question,) = model.questions
    assert "Ignore all of this" not in question.instruction
    assert question.messages[0].text.startswith('{"data": ') and '"mark": ' in question.messages[0].text
    assert "Ignore all of this" not in question.messages[1].text and question.tools == ()


async def test_a_model_that_cites_nothing_gives_way_to_the_rules(desk: Bureau) -> None:
    day = await a_day(desk)
    desk.writer = ScriptedModel([says("You had a lovely day, and everything is fine.")])
    ended = await done(desk, await run(desk))
    (proposed,) = await proposals(desk)
    assert day["pear"].id in proposed["text"] and "lovely" not in proposed["text"]
    assert (ended.partial, (await runs_of(desk))[0].partial) == (UNCITED, UNCITED)


def test_open_tasks_may_be_named_without_a_link() -> None:
    from shared.agent.models.offline_reading import Note as Source
    from shared.models.base import moment
    from shared.models.note import Task

    task = Task(id="0" * 26, created_at=moment(0), updated_at=moment(0), title="Call Ann")
    source = Source("01j00000000000000000000000", "Pears", "x", (), "capture")
    material = Material("daily_review", 0.0, (source,), (), (task,))
    text = "## A\n- Ripe. [Pears](#/notes/01j00000000000000000000000)\n## Tasks\n- Call Ann\n- Call everyone"
    assert checked(text, material).endswith("## Tasks\n\n- Call Ann")
    assert checked("## Tasks\n- Call Ann", material) == ""


PRICES = ("scripted=100/100",)


async def test_what_the_model_costs_is_counted_for_the_run_and_the_day(tmp_path: Path) -> None:
    desk = Bureau(tmp_path, prices=PRICES)
    day = await a_day(desk)
    desk.writer = ScriptedModel([says(f"- Ripe. [Pears](#/notes/{day['pear'].id})")])
    ended = await done(desk, await run(desk))
    assert ended.usage.cost_usd == pytest.approx(15 * 100 / 1_000_000)
    spent = await Days(desk.store, TENANT).get(date_of(desk.now()))
    assert spent.cost_usd == pytest.approx(ended.usage.cost_usd) and spent.paid_runs == 0
    desk.close()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"operation_budget_usd": 0.01}, "MEMEX_OPERATION_BUDGET_USD"),
        ({"operation_budget_tokens": 1_000}, "MEMEX_OPERATION_BUDGET_TOKENS"),
        ({"daily_budget_usd": 0.01}, "MEMEX_DAILY_BUDGET_USD"),
    ],
)
async def test_beyond_a_budget_nothing_is_asked_and_the_reason_names_it(
    tmp_path: Path, settings: dict[str, Any], named: str
) -> None:
    desk = Bureau(tmp_path, prices=PRICES, **settings)
    await a_day(desk)
    desk.writer = model = ScriptedModel([])
    ended = await done(desk, await run(desk))
    assert (ended.status, model.questions) == ("completed", [])
    assert ended.partial and named in ended.partial
    assert len(await proposals(desk)) == 1
    desk.close()


async def test_trouble_that_may_pass_is_waited_out(desk: Bureau) -> None:
    day = await a_day(desk)
    written = says(f"- Ripe. [Pears](#/notes/{day['pear'].id})")
    desk.writer = ScriptedModel([ModelBusy(), ModelDown(503), written])
    ended = await done(desk, await run(desk))
    assert (ended.status, ended.troubles) == ("completed", 0)
    assert len(await proposals(desk)) == 1


async def test_trouble_that_does_not_pass_ends_it_with_its_reason(tmp_path: Path) -> None:
    desk = Bureau(tmp_path, max_retries=2)
    await a_day(desk)
    desk.writer = model = ScriptedModel([ModelDown(503) for _ in range(5)])
    ended = await done(desk, await run(desk))
    assert (ended.status, len(model.questions)) == ("failed", 3)
    assert ended.error and ended.error.code == "model_down" and ended.error.next
    assert ((await routine_of(desk)).failures, await proposals(desk)) == (1, [])
    desk.close()


@pytest.mark.parametrize("error", [ModelFailed("It refused.", code="model_refused"), NotConfigured("No such model")])
async def test_what_does_not_pass_fails_at_once(desk: Bureau, error: Exception) -> None:
    await a_day(desk)
    desk.writer = ScriptedModel([error])
    ended = await done(desk, await run(desk))
    assert ended.status == "failed" and ended.error and ended.error.message == str(error)


# -- deaths, doubles, and a person's stop ----------------------------------------------------------------------


class Counting:
    """A model that answers always the same, and counts."""

    name = "scripted"

    def __init__(self, note: Note) -> None:
        self.asked = 0
        self._text = f"- Ripe. [Pears](#/notes/{note.id})"

    async def stream(self, question: Question) -> Any:
        self.asked += 1
        await asyncio.sleep(0)
        yield Answer(f"{self._text} ({self.asked})", tokens_in=10, tokens_out=5)


@pytest.mark.parametrize("died_after", [False, True])
async def test_a_death_at_any_use_of_a_door_proposes_one_note_once(tmp_path: Path, died_after: bool) -> None:
    for at in range(1, 200):
        desk = Bureau(tmp_path / f"{at}")
        day = await a_day(desk)
        desk.writer = model = Counting(day["pear"])
        operation = await run(desk)
        desk.reborn(Crash(at=at, after=died_after))
        try:
            await stepped(desk, operation)
            survived = True
        except Killed:
            survived = False
        desk.reborn()
        ended = await done(desk, operation)
        assert ended.status == "completed", at
        assert len(await proposals(desk)) == 1, at
        (row,) = await runs_of(desk)
        assert row.status == "completed" and len(row.approval_ids) == 1
        events = await Operations(desk.store, TENANT).log(operation.id)
        assert [one.event for one in events].count("task.tool_call") == 1
        assert model.asked <= 2
        desk.close()
        if survived:
            assert at > 15 and model.asked == 1
            return


async def test_steps_beside_each_other_ask_and_propose_once(desk: Bureau) -> None:
    day = await a_day(desk)
    desk.writer = model = Counting(day["pear"])
    operation = await run(desk)
    await asyncio.gather(*(stepped(desk, operation) for _ in range(4)))
    assert (await done(desk, operation)).status == "completed"
    assert (model.asked, len(await proposals(desk))) == (1, 1)
    stored = await desk.store.query(Query("approvals", None))
    assert await stepped(desk, operation) == "completed"
    assert await desk.store.query(Query("approvals", None)) == stored


async def test_a_step_that_looked_before_the_end_asks_nothing_after_it(desk: Bureau) -> None:
    day = await a_day(desk)
    desk.writer = model = Counting(day["pear"])
    looked = await run(desk)
    assert (await done(desk, looked)).status == "completed"
    await step(desk, TENANT, looked)
    assert (model.asked, len(await proposals(desk))) == (1, 1)
    assert await desk.store.query(Query("leases", f"tenants/{TENANT}")) == []


async def test_a_run_that_is_stopped_anywhere_leaves_nothing_to_decide(tmp_path: Path) -> None:
    for at in range(1, 200):
        desk = Bureau(tmp_path / f"{at}")
        await a_day(desk)
        operation = await run(desk)
        stopped = await stopped_at(desk, operation, at)
        ended = (await Operations(desk.store, TENANT).get(operation.id)).value
        waiting = await Approvals(desk.store, TENANT).page(status="pending")
        desk.close()
        if not stopped:
            assert at > 10 and ended.status == "completed"
            return
        if ended.status == "cancelled":
            assert waiting == [], at
        else:
            assert ended.status == "completed"


async def stopped_at(desk: Bureau, operation: Operation, at: int) -> bool:
    """A step, and a person who stops the run right after its n-th use of a door; whether that came to it."""
    desk.reborn()
    ours, stopped = desk.crash, list[bool]()
    around = ours.around

    async def passed(act: Any) -> Any:
        answer = await around(act)
        if ours.uses == at and not stopped:
            stopped.append(True)
            desk.reborn()
            await cancel(desk, TENANT, operation.id)
        return answer

    ours.around = passed  # type: ignore[method-assign]  # the moment between two uses
    await stepped(desk, operation)
    return bool(stopped)


async def test_a_run_that_died_after_its_proposal_and_is_then_stopped_leaves_nothing_to_decide(desk: Bureau) -> None:
    await a_day(desk)
    operation = await run(desk)
    for at in range(1, 200):
        desk.reborn(Crash(at=at, after=True))
        with pytest.raises(Killed):
            await stepped(desk, operation)
        if await proposals(desk):
            break
    desk.reborn()
    await cancel(desk, TENANT, operation.id)
    (approval,) = await Approvals(desk.store, TENANT).page()
    assert (approval.status, approval.rejection) == ("rejected", "The run that proposed it was cancelled.")


async def test_a_model_that_dies_with_its_process_is_given_up(desk: Bureau) -> None:
    class Deadly:
        name = "scripted"

        async def stream(self, question: Question) -> Any:
            if question:
                raise Killed
            yield

    await a_day(desk)
    desk.writer = Deadly()
    operation = await run(desk)
    for _ in range(3):
        with pytest.raises(Killed):
            await stepped(desk, operation)
        assert await stepped(desk, operation) == "running"
        desk.time += 200
    ended = await done(desk, operation)
    assert ended.status == "completed" and ended.partial and "its process died each time" in ended.partial


async def test_another_tenants_notes_are_in_no_review(desk: Bureau) -> None:
    await switched_on(desk)
    await noted(desk, "Secret pears.", tenant="other")
    ended = await done(desk, await run(desk))
    assert ended.output and ended.output["summary"] == NOTHING


async def test_a_declined_review_leaves_no_note(desk: Bureau) -> None:
    await a_day(desk)
    await done(desk, await run(desk))
    (approval,) = await Approvals(desk.store, TENANT).page()
    before = len(await desk.store.query(Query("notes", None, limit=100)))
    await reject(desk, TENANT, "ann", approval.id)
    assert len(await desk.store.query(Query("notes", None, limit=100))) == before
    assert (await runs_of(desk))[0].note_id is None


async def test_the_chosen_model_is_asked_for(desk: Bureau) -> None:
    asked: list[str] = []
    await a_day(desk)
    await choose(desk.store, desk.settings, TENANT, Choices(model="mine"), desk.now())
    writer, desk.model = desk.model, lambda name: asked.append(name) or writer(name)  # type: ignore[method-assign,func-returns-value]
    await done(desk, await run(desk))
    assert asked == ["mine"]


@pytest.mark.parametrize("died_after", [False, True], ids=["before", "after"])
async def test_what_a_dead_run_proposed_is_withdrawn_though_whoever_cancelled_it_died_too(
    tmp_path: Path, died_after: bool
) -> None:
    left = 0
    for at in range(1, 200):
        desk = Bureau(tmp_path / f"{at}")
        await a_day(desk)
        operation = await run(desk)
        desk.reborn(Crash(at=at, after=died_after))
        try:
            await done(desk, operation)
        except Killed:
            pass
        else:
            desk.close()
            break
        desk.reborn()
        await ending.end(desk, TENANT, operation.id, cancelled)  # and dies before it has closed anything
        ended = (await Operations(desk.store, TENANT).get(operation.id)).value
        pending = await Approvals(desk.store, TENANT).page(status="pending")
        left += ended.status == "cancelled" and len(pending) > 0
        await sweep(desk)
        after = await Approvals(desk.store, TENANT).page(status="pending")
        assert after == ([] if ended.status == "cancelled" else pending)
        desk.close()
    else:
        raise AssertionError("the run has no end")
    assert left > 0


def cancelled(change: Change) -> list[Write]:
    change.cancel()
    return []
