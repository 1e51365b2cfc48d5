"""The offline model with the product's own tools behind the gateway: each plain request does what it says."""

import pytest

from shared.agent.model import Answer, Message, Question, ToolAnswer
from shared.agent.models.offline import Offline
from shared.gateway.gateway import Asks, Done, Gateway, Policy
from shared.store.notes import Notes
from shared.store.tasks import Tasks
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk
from tests.shared.tools.conftest import desk
from tests.shared.tools.using import TENANT, captured, errand, everything, note_of

__all__ = ["desk"]


async def says(desk: Desk, text: str, *, yes: bool = True) -> tuple[str, list[str]]:
    """The answer, and the tools that ran; a question of the gateway is answered with yes or no."""
    gateway = Gateway(built_in(), Policy(None, True, False, (), None), desk.now)
    messages, ran, outside = [Message("user", text)], list[str](), False
    while True:
        question = Question("", tuple(messages), gateway.specs())
        *_, answer = [piece async for piece in Offline().stream(question)]
        assert isinstance(answer, Answer)
        if not answer.calls:
            return answer.text, ran
        (call,) = answer.calls
        act = errand(desk, call.id)
        reply: Done | Asks = await gateway.call(act, call, outside=outside)
        if isinstance(reply, Asks):
            reply = (
                await gateway.call(act, call, outside=outside, approved=True)
                if yes
                else gateway.denied(act, call, "no")
            )
        assert isinstance(reply, Done)
        if reply.ok:
            ran.append(call.tool)
        outside = outside or reply.outside
        messages.append(Message("model", calls=answer.calls))
        messages.append(Message("tool", answers=(ToolAnswer(call.id, call.tool, reply.result),)))


async def test_notes_are_found_and_quoted(desk: Desk) -> None:
    kept = await captured(desk, "Pears ripen in August. Buy a ladder.", title="Pears")
    await captured(desk, "Call the bank.")
    said, ran = await says(desk, "What did I note about pears?")
    assert ran == ["search_notes"]
    assert f"“Pears ripen in August.” — [Pears](#/notes/{kept.id})" in said
    assert "nothing" in (await says(desk, "What did I note about bridges?"))[0]


async def test_a_task_is_added_and_done(desk: Desk) -> None:
    await says(desk, "add a task to call the library")
    assert "call the library" in (await says(desk, "what are my tasks?"))[0]
    assert (await says(desk, "mark call the library as done"))[1] == ["list_tasks", "update_task"]
    (task,) = await Tasks(desk.store, TENANT).page(limit=5)
    assert (task.title, task.status) == ("call the library", "done")


async def test_the_last_note_is_tagged_renamed_and_thrown_away(desk: Desk) -> None:
    note = await captured(desk, "Pears at the wall", tags=["garden"])
    assert (await says(desk, "tag my last note fruit trees"))[1] == ["list_recent_notes", "update_note"]
    await says(desk, "change the title of my last note to Espalier")
    changed = await note_of(desk, note.id)
    assert (changed.tags, changed.title) == (["garden", "fruit-trees"], "Espalier")
    said, ran = await says(desk, "delete my last note", yes=False)
    assert ran == ["list_recent_notes"] and "You said no" in said
    assert (await note_of(desk, note.id)).deleted_at is None
    await says(desk, "delete my last note")
    assert (await note_of(desk, note.id)).deleted_at is not None


async def test_a_note_is_made_and_researched(desk: Desk) -> None:
    said, ran = await says(desk, "research how pears grow at a wall")
    assert ran == ["create_note", "start_research"]
    (note,) = await Notes(desk.store, TENANT).page(limit=5)
    assert note.body == "how pears grow at a wall" and note.research.status == "queued"
    assert f"#/notes/{note.id}" in said


async def test_a_digest_is_kept(desk: Desk) -> None:
    await captured(desk, "Pears ripen in August.")
    _, ran = await says(desk, "Make a digest of my notes this week and save it as a note")
    assert ran == ["list_recent_notes", "create_note"]
    (kept,) = [note for note in await Notes(desk.store, TENANT).page(limit=5) if note.kind == "digest"]
    assert "“Pears ripen in August.”" in kept.body and kept.title == "Digest of the last 7 days"


async def test_a_tag_is_found_and_taken_off(desk: Desk) -> None:
    note = await captured(desk, "Pears at the wall", tags=["south-wall", "garden"])
    await captured(desk, "The garden has a gate.")
    said, ran = await says(desk, "find notes tagged south wall")
    assert ran == ["search_notes"] and note.id in said and "gate" not in said
    await captured(desk, "Bread.", tags=["garden"])
    await says(desk, "remove the tag south wall from the note about pears")
    assert (await note_of(desk, note.id)).tags == ["garden"]


async def test_notes_are_counted_and_the_last_one_summed_up(desk: Desk) -> None:
    for _ in range(55):
        await captured(desk, "Pears ripen in August. Buy a ladder.")
    assert "Your notes: 55" in (await says(desk, "How many notes do I have?"))[0]
    said, ran = await says(desk, "summarize my last note")
    assert ran == ["list_recent_notes", "get_note"] and "“Buy a ladder.”" in said
    assert "(55)" in (await says(desk, "digest of this week's notes"))[0]


async def test_a_note_is_changed_and_added_to(desk: Desk) -> None:
    note = await captured(desk, "The bike lock is blue. The code is 4412.", title="Bike lock")
    said, ran = await says(desk, "change the note about the bike lock: the code is 5528")
    assert ran == ["search_notes", "get_note", "update_note"] and "5528" in said and note.id in said
    await says(desk, "append to the note about the bike lock: It squeaks.")
    assert (await note_of(desk, note.id)).body == "The bike lock is blue. the code is 5528.\n\nIt squeaks."


async def test_a_long_note_is_not_cut_by_a_change(desk: Desk) -> None:
    note = await captured(desk, "The code is 4412. " + "Words stand here. " * 3_000, title="Bike lock")
    for text in ("change the note about the bike lock: the code is 5528", "append to my last note: more"):
        said, ran = await says(desk, text)
        assert "update_note" not in ran and ("did not work" in said or "changed nothing" in said)
    assert (await note_of(desk, note.id)).body == note.body


async def test_everyday_words_about_tasks(desk: Desk) -> None:
    await says(desk, "I need to call the dentist tomorrow")
    assert (await says(desk, "move the dentist task to Monday"))[1] == ["list_tasks", "update_task"]
    assert "call the dentist (Monday)" in (await says(desk, "which tasks are due on Monday?"))[0]
    await says(desk, "I'm done with calling the dentist")
    (task,) = await Tasks(desk.store, TENANT).page(limit=5)
    assert (task.title, task.status) == ("call the dentist (Monday)", "done")


async def test_two_requests_are_two_calls(desk: Desk) -> None:
    said, ran = await says(desk, "note that the pump is broken and remind me to call the plumber tomorrow")
    assert ran == ["create_note", "create_tasks"] and "pump" in said and "plumber" in said
    (note,) = await Notes(desk.store, TENANT).page(limit=5)
    assert note.body == "the pump is broken"


async def test_a_question_about_today_writes_nothing(desk: Desk) -> None:
    await captured(desk, "Pears ripen in August.")
    before = await everything(desk)
    for text in ("what did I save today", "which links did I save?", "what was the last note I wrote"):
        await says(desk, text)
    assert await everything(desk) == before


async def test_research_and_its_question_are_neither_witness_nor_meant_beside_a_note(desk: Desk) -> None:
    own = await captured(desk, "Family dinner is at seven on Sundays.", title="Dinner")
    await says(desk, "research what is a good family dinner")
    report = await captured(
        desk, "A family dinner is good. So they say.", title="Research: what is a good family dinner"
    )
    stored = await Notes(desk.store, TENANT).get(report.id)
    written = stored.value.model_copy(update={"kind": "research"})
    await desk.store.commit(Notes(desk.store, TENANT).put(written, stored.version, body=written.body))
    assert (await says(desk, "tag the note about family dinner with family"))[1][-1] == "update_note"
    assert (await note_of(desk, own.id)).tags == ["family"]
    said, _ = await says(desk, "What did I note about the family dinner?")
    assert "“Family dinner is at seven on Sundays.” — [Dinner]" in said and "(a research report)" in said
    assert said.count("#/notes/") <= 3 and "“what is a good" not in said


@pytest.mark.parametrize(
    ("text", "tool", "words"),
    [
        ("what is 17 % of 340?", "calculator", "= 57.8"),
        ("what is 1/3?", "calculator", "≈ 0.333"),
        ("Was ist 3,5 mal 2?", "calculator", "= 7"),
        ("what is the square root of 2", "calculator", "≈ 1.414"),
        ("2 to the power of 10", "calculator", "= 1024"),
        ("what time is it?", "current_time", "(UTC)"),
        ("note that it rains", "create_note", "Noted"),
    ],
)
async def test_the_rest_runs_its_tool(desk: Desk, text: str, tool: str, words: str) -> None:
    said, ran = await says(desk, text)
    assert ran == [tool] and words in said


async def test_the_web_is_closed_and_says_so(desk: Desk) -> None:
    said, ran = await says(desk, "search the web for pears")
    assert ran == [] and "web_search" in said
