"""Theses: a note of their own, evidence with its source, each change once."""

import pytest
from pydantic import ValidationError

from shared.edit import discard
from shared.errors import Conflict, Forbidden, MemexError, NotFound, Unprocessable
from shared.events.trace import NoteChanged
from shared.gateway.tool import Outcome
from shared.models.base import JsonDict
from shared.models.thesis import MAX_EVIDENCE, AddEvidence, CreateThesis
from shared.store.notes import Notes
from shared.tools.catalog import applied, for_tasks
from shared.undo import undo
from tests.fakes.desk import Crash, Desk, Killed
from tests.shared.tools.using import HOSTILE, RUN, TENANT, captured, errand, everything, note_of

PAGE = "https://example.org/pears"


async def use(desk: Desk, name: str, arguments: JsonDict, call: str = "c1") -> Outcome:
    tool = applied()[name]
    return await tool.run(errand(desk, call), tool.arguments.model_validate(arguments))


async def thesis(desk: Desk, **fields: object) -> str:
    made = await use(desk, "create_thesis", {"statement": "Walls ripen pears.", **fields}, "t1")  # type: ignore[dict-item]
    note = made.result["note"]
    assert isinstance(note, dict)
    return str(note["note_id"])


async def test_a_thesis_is_a_note_with_its_status_its_confidence_and_its_evidence(desk: Desk) -> None:
    source = await captured(desk, "Walls store warmth.")
    note = await note_of(
        desk,
        await thesis(
            desk,
            text="Because of warmth.",
            status="active",
            confidence=70,
            evidence_for=[{"text": "They store warmth", "source": source.id}],
            evidence_against=[{"text": "Not in the north", "source": PAGE}],
        ),
    )
    assert (note.kind, note.title, note.body) == ("thesis", "Walls ripen pears.", "Because of warmth.")
    assert note.thesis
    assert (note.thesis.status, note.thesis.confidence) == ("active", 70)
    assert [one.source for one in note.thesis.supporting] == [f"#/notes/{source.id}"]
    assert [one.source for one in note.thesis.opposing] == [PAGE]
    assert not note.research.requested


@pytest.mark.parametrize(
    "wrong",
    [
        {"statement": " "},
        {"statement": "x", "confidence": 101},
        {"statement": "x", "status": "validated"},
        {"statement": "x", "evidence_for": [{"text": "no source"}]},
        {"statement": "x", "evidence_for": [{"text": "x", "source": "javascript:alert(1)"}]},
        {"statement": "x", "evidence_for": [{"text": "x", "source": "somewhere"}]},
        {"statement": "x", "evidence_for": [{"text": "x" * 501, "source": PAGE}]},
    ],
)
def test_what_is_no_thesis_is_refused(wrong: JsonDict) -> None:
    with pytest.raises(ValidationError):
        CreateThesis.model_validate(wrong)


async def test_reserved_tags_stay_reserved(desk: Desk) -> None:
    with pytest.raises(MemexError):
        await thesis(desk, tags=["research"])


async def test_evidence_is_added_once_and_told_in_the_trace(desk: Desk) -> None:
    note_id = await thesis(desk)
    wanted: JsonDict = {"note_id": note_id, "stance": "against", "text": HOSTILE[:200], "source": PAGE}
    for _ in range(2):
        await use(desk, "add_evidence", wanted, "c2")
    after = await everything(desk)
    again = await use(desk, "add_evidence", wanted, "c3")
    assert again.result["message"] == "This evidence is there already."
    assert await everything(desk) == after
    note = await note_of(desk, note_id)
    assert note.thesis
    assert [one.text for one in note.thesis.opposing] == [HOSTILE[:200]]
    assert note.revision == 2
    (event,) = await Notes(desk.store, TENANT).trace(note_id)
    assert event.type == "user"
    assert event.changes["evidence_against"] == [None, {"text": HOSTILE[:200], "source": PAGE}]


async def test_evidence_needs_a_thesis_with_room(desk: Desk) -> None:
    plain = await captured(desk, "no thesis")
    wanted: JsonDict = {"stance": "for", "text": "x", "source": PAGE}
    with pytest.raises(Unprocessable) as refused:
        await use(desk, "add_evidence", {**wanted, "note_id": plain.id})
    assert refused.value.code == "not_a_thesis"
    with pytest.raises(NotFound):
        await use(desk, "add_evidence", {**wanted, "note_id": RUN})
    note_id = await thesis(desk)
    for number in range(MAX_EVIDENCE):
        await use(desk, "add_evidence", {**wanted, "note_id": note_id, "text": f"x{number}"}, f"m{number}")
    with pytest.raises(Unprocessable) as full:
        await use(desk, "add_evidence", {**wanted, "note_id": note_id, "text": "one more"}, "last")
    assert full.value.code == "thesis_full"
    await discard(desk.store, TENANT, note_id, desk.now())
    with pytest.raises(Conflict):
        await use(desk, "add_evidence", {**wanted, "note_id": note_id}, "binned")


async def test_a_thesis_can_be_taken_back(desk: Desk) -> None:
    made = await use(desk, "create_thesis", {"statement": "So it is."})
    assert made.undo
    await undo(desk, TENANT, made.undo, desk.now(), None)
    assert made.undo.type == "note_created"
    assert (await note_of(desk, made.undo.note_id)).deleted_at


async def test_evidence_can_be_taken_back_and_the_rest_stays(desk: Desk) -> None:
    note_id = await thesis(desk)
    added = {}
    for call, stance in (("a", "for"), ("b", "for"), ("c", "against")):
        wanted: JsonDict = {"note_id": note_id, "stance": stance, "text": call, "source": PAGE}
        added[call] = await use(desk, "add_evidence", wanted, call)
        assert (await use(desk, "add_evidence", wanted, call)).undo == added[call].undo, "a repeat offers the same"
    first = added["a"].undo
    assert first and first.type == "note_changed"
    assert await undo(desk, TENANT, first, desk.now(), None) == {"undone": "note_changed", "note_id": note_id}
    note = await note_of(desk, note_id)
    assert note.thesis
    assert [one.text for one in note.thesis.supporting] == ["b"]
    assert [one.text for one in note.thesis.opposing] == ["c"]
    event = (await Notes(desk.store, TENANT).trace(note_id))[-1]
    assert event.type == "user"
    assert (event.text, event.changes) == ("Taken back", {"evidence_for": [{"text": "a", "source": PAGE}, None]})
    with pytest.raises(Conflict) as refused:
        await undo(desk, TENANT, first, desk.now(), None)
    assert refused.value.code == "changed_since"
    again = NoteChanged(type="note_changed", note_id=note_id, seq=event.seq)
    await undo(desk, TENANT, again, desk.now(), None)
    note = await note_of(desk, note_id)
    assert note.thesis and [one.text for one in note.thesis.supporting] == ["b", "a"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, 9))
async def test_a_death_leaves_one_thesis_and_one_piece_of_evidence(desk: Desk, at: int, after: bool) -> None:
    async def both() -> None:
        note_id = await thesis(desk)
        wanted: JsonDict = {"note_id": note_id, "stance": "for", "text": "x", "source": PAGE}
        await use(desk, "add_evidence", wanted, "c2")

    desk.reborn(Crash(at, after))
    try:
        await both()
    except Killed:
        desk.reborn()
        await both()
    (note,) = await Notes(desk.store, TENANT).page()
    assert note.thesis and len(note.thesis.supporting) == 1


# -- as proposals


async def test_a_proposal_is_queued_once_and_changes_nothing(desk: Desk) -> None:
    tool = for_tasks("because of pears")["create_thesis"]
    asked = tool.arguments.model_validate({"statement": "So it is."})
    first, second = [await tool.run(errand(desk), asked) for _ in range(2)]
    assert first.result == second.result
    assert await Notes(desk.store, TENANT).page() == []
    from shared.store.approvals import Approvals

    (proposal,) = await Approvals(desk.store, TENANT).page()
    assert proposal.id == first.result["queued_for_approval"]
    assert (proposal.reason, proposal.action.tool) == ("because of pears", "create_thesis")


async def test_a_page_counts_as_a_source_only_where_it_was_given_or_read(desk: Desk) -> None:
    note_id = await thesis(desk)
    tool = for_tasks("because")["add_evidence"]
    asked = AddEvidence(note_id=note_id, stance="for", text="x", source=PAGE)
    with pytest.raises(Forbidden):
        await tool.run(errand(desk, "p1"), asked)
    done = await tool.run(errand(desk, "p2", addresses=frozenset({PAGE})), asked)
    assert done.result["queued_for_approval"]
