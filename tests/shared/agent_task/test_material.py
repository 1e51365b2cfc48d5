"""What a task reads of the notes: what the person kept first, reports as reports, and no note that only asks."""

from typing import Any

from shared.agent_task.material import FOUND, REPORTS, gather
from shared.models.note import Citation, Note
from shared.models.operation import AgentInput
from shared.models.result import Result
from shared.store.notes import Notes
from tests.fakes.scripted import says
from tests.shared.agent_task.working import TENANT, TaskDesk, claim, form, seen

ASKED = "What do I know about magnets and compasses?"
MINE = "My compass went wrong beside the magnets of the speaker."
REPORT = "Magnets turn compasses, and compasses obey magnets. Strong magnets spoil compasses for weeks [cite: 1]."


async def written(desk: TaskDesk, text: str, kind: str, **fields: Any) -> Note:
    """A note as research or a routine writes it."""
    note = await desk.note(text, title="Magnets and compasses")
    notes = Notes(desk.store, TENANT)
    found = await notes.get(note.id)
    changed = found.value.changed(desk.now(), kind=kind, **fields)
    return await notes.commit(changed, found.version, body=None, previous=found.value)


async def after_research(desk: TaskDesk) -> tuple[Note, Note]:
    """The person's note of long ago and the report, among everything else that holds the words."""
    mine = await desk.note(MINE)
    await desk.note("Do magnets hurt compasses? Which magnets, which compasses?", tags=["research"])
    cites = [Citation(number=n, title=f"Paper {n}", url=f"https://paper.example/{n}") for n in (1, 2, 3, 4, 5)]
    report = await written(desk, REPORT, "research", citations=cites)
    await written(desk, "Of magnets and compasses the notes say much.", "digest")
    return mine, report


async def test_the_persons_own_note_is_cited_first_and_the_report_as_a_report(desk: TaskDesk) -> None:
    mine, report = await after_research(desk)
    operation = await desk.ask(ASKED)
    made = Result.model_validate(operation.output)
    assert [one.note_id for one in made.sources] == [mine.id, report.id]
    assert made.claims[0].claim == MINE
    called = "Research report: Magnets and compasses (cites Paper 1, Paper 2, Paper 3, 2 more)"
    assert made.sources[1].title == called


async def test_a_model_is_told_what_a_report_cites_and_never_of_questions_and_digests(desk: TaskDesk) -> None:
    mine, _ = await after_research(desk)
    model = desk.says(says("It went wrong."), form(claim("It went wrong.", mine.id)))
    await desk.ask(ASKED)
    told = seen(model.questions[0])
    assert "https://paper.example/5" in told and MINE in told
    assert "Which magnets" not in told and "the notes say much" not in told


async def test_a_note_that_was_picked_is_read_whatever_it_is(desk: TaskDesk) -> None:
    digest = await written(desk, "Of magnets and compasses the notes say much.", "digest")
    operation = await desk.ask(ASKED, digest.id)
    assert [one.note_id for one in Result.model_validate(operation.output).sources] == [digest.id]


async def test_many_reports_leave_room_for_what_the_person_kept(desk: TaskDesk) -> None:
    for n in range(FOUND + 2):
        await desk.note(f"Magnets of kind {n} move the compass.")
    for _ in range(FOUND + 2):
        await written(desk, REPORT, "research")
    doors: Any = desk
    found = await gather(doors, TENANT, AgentInput(question=ASKED))
    titled = [one.title.startswith("Research report: ") for one in found.sources]
    assert titled == [False] * (FOUND - REPORTS) + [True] * REPORTS
