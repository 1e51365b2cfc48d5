import json
from typing import Any

import pytest
from pydantic import ValidationError

from shared import edit
from shared.errors import Conflict, NotFound, Unprocessable
from shared.events.trace import User
from shared.gateway.size import MAX_RESULT, size
from shared.models.note import Citation
from shared.store.notes import Notes
from shared.tools import notes as tools
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk
from tests.shared.tools.using import HOSTILE, TENANT, captured, everything, note_of, use

ABSENT = "01j00000000000000000000000"


# -- finding ---------------------------------------------------------------------------------------------------


async def test_a_search_answers_with_the_best_note_first_and_names_it_as_a_source(desk: Desk) -> None:
    await captured(desk, "Bread wants flour and water.")
    best = await captured(desk, "Espaliered pears want a sunny wall.", title="Pears", tags=["garden"])
    outcome = await use(desk, "search_notes", {"query": "where do espaliered pears grow?"})
    assert outcome.result == {
        "notes": [
            {
                "note_id": best.id,
                "title": "Pears",
                "excerpt": "Espaliered pears want a sunny wall.",
                "tags": ["garden"],
                "created_at": outcome.result["notes"][0]["created_at"],  # type: ignore[index,call-overload]
                "kind": "capture",
                "link": f"#/notes/{best.id}",
            }
        ]
    }
    assert outcome.sources == (
        Citation(number=1, title="Pears", url=f"#/notes/{best.id}", source_kind="note", note_id=best.id),
    )
    assert outcome.undo is None


@pytest.mark.parametrize("query", ["xylophone", "???", "的", "🎻"])
async def test_a_search_that_finds_nothing_says_so(desk: Desk, query: str) -> None:
    await captured(desk, "Bread wants flour and water.")
    outcome = await use(desk, "search_notes", {"query": query})
    assert outcome.result == {"notes": [], "message": "No note holds any of these words."}
    assert outcome.sources == ()


async def test_a_search_leaves_the_bin_and_other_tenants_out(desk: Desk) -> None:
    binned = await captured(desk, "pear one")
    await edit.discard(desk.store, TENANT, binned.id, desk.now())
    await captured(desk, "pear two", tenant="other")
    for name, arguments in (("search_notes", {"query": "pear"}), ("list_recent_notes", {})):
        assert (await use(desk, name, arguments)).result["notes"] == []


async def test_a_search_shows_the_part_that_fits_of_a_long_note(desk: Desk) -> None:
    await captured(desk, f"{'Filler words of no use. ' * 400}The quince ripens late.{' More filler here.' * 400}")
    (line,) = found(await use(desk, "search_notes", {"query": "when does the quince ripen"}))
    assert "The quince ripens late." in line["excerpt"]
    assert len(line["excerpt"]) <= 600


async def test_a_search_answers_at_most_as_many_as_were_asked_for(desk: Desk) -> None:
    for _ in range(12):
        await captured(desk, "a pear")
    assert len(found(await use(desk, "search_notes", {"query": "pear"}))) == 8
    outcome = await use(desk, "search_notes", {"query": "pear", "limit": 3})
    assert len(found(outcome)) == 3
    assert [source.number for source in outcome.sources] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_notes", {"query": "pear", "limit": 21}),
        ("search_notes", {"query": "pear", "limit": 0}),
        ("search_notes", {"query": "  "}),
        ("search_notes", {"query": "p" * 1001}),
        ("search_notes", {}),
        ("get_note", {"note_id": "../../t/notes"}),
        ("list_recent_notes", {"limit": 51}),
        ("list_recent_notes", {"days": 0}),
        ("create_note", {"text": " \n"}),
        ("create_note", {"text": "x" * 100_001}),
        ("create_note", {"text": "x", "title": "t" * 501}),
        ("create_note", {"text": "x", "tags": [f"t{n}" for n in range(51)]}),
        ("create_note", {"text": "x", "tags": ["\x1b[31m"]}),
        ("create_note", {"text": "x", "tags": ["..."]}),
        ("create_note", {"text": "x", "kind": "research"}),
        ("create_note", {"text": "x", "url": "javascript:alert(1)"}),
        ("create_note", {"text": "half a character \ud800"}),
        ("create_note", {"text": "x", "research": True}),
        ("update_note", {"note_id": ABSENT, "changes": {}}),
        ("update_note", {"note_id": ABSENT, "changes": {"title": None}}),
        ("update_note", {"note_id": ABSENT, "changes": {"title": "t" * 501}}),
        ("update_note", {"note_id": ABSENT, "changes": {"summary": "t" * 2001}}),
        ("update_note", {"note_id": ABSENT, "changes": {"deleted_at": "2026-01-01T00:00:00Z"}}),
        ("update_note", {"note_id": ABSENT, "changes": {"research": {"requested": True}}}),
        ("delete_note", {"note_id": "*"}),
    ],
)
def test_arguments_outside_their_bounds_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        built_in()[name].arguments.model_validate(arguments)


async def test_recent_notes_come_newest_first_and_only_of_the_days_asked_for(desk: Desk) -> None:
    old = await captured(desk, "old")
    desk.time += 5 * 86_400
    new = await captured(desk, "new " * 200)
    both = found(await use(desk, "list_recent_notes", {}))
    assert [line["note_id"] for line in both] == [new.id, old.id]
    assert len(both[0]["excerpt"]) <= 300
    assert [line["note_id"] for line in found(await use(desk, "list_recent_notes", {"days": 2}))] == [new.id]
    assert len(found(await use(desk, "list_recent_notes", {"limit": 1}))) == 1
    desk.time += 10 * 86_400
    none = await use(desk, "list_recent_notes", {"days": 2})
    assert none.result == {"notes": [], "message": "There are none of these days."}


async def test_a_list_tells_how_many_there_are_and_whether_it_is_all(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(7):
        await captured(desk, "a pear")

    async def told(**asked: int) -> tuple[object, object]:
        result = (await use(desk, "list_recent_notes", asked)).result
        return result.get("total"), result.get("more")

    assert await told(limit=7) == (7, None)
    assert await told(limit=3) == (None, True)  # nobody asked for a count, and each note is read for one
    assert await told(limit=3, days=1) == (7, True)
    assert await told(limit=7, days=1) == (7, None)
    monkeypatch.setattr(tools, "COUNTED", 5)
    assert await told(limit=3, days=1) == (5, True)


async def test_a_search_looks_only_among_notes_with_a_tag(desk: Desk) -> None:
    await captured(desk, "a pear")
    kept = await captured(desk, "a pear", tags=["garden"])
    outcome = await use(desk, "search_notes", {"query": "pear", "tag": "garden"})
    assert [line["note_id"] for line in found(outcome)] == [kept.id]
    none = await use(desk, "search_notes", {"query": "pear", "tag": "sea"})
    assert none.result == {"notes": [], "message": "No note among those tagged #sea holds any of these words."}


async def test_an_empty_store_has_no_recent_notes_and_says_so(desk: Desk) -> None:
    assert (await use(desk, "list_recent_notes", {})).result == {"notes": [], "message": "There are no notes yet."}


async def test_a_note_is_read_whole(desk: Desk) -> None:
    note = await captured(desk, "Grüße, Привет, 你好 🍐\n\nsecond line", url="https://a.example/p", tags=["ä"])
    outcome = await use(desk, "get_note", {"note_id": note.id})
    read = outcome.result["note"]
    assert isinstance(read, dict)
    assert read["body"] == "Grüße, Привет, 你好 🍐\n\nsecond line"
    assert (read["title"], read["url"], read["tags"], read["kind"]) == (
        "Grüße, Привет, 你好 🍐",
        "https://a.example/p",
        ["ä"],
        "link",
    )
    assert [source.note_id for source in outcome.sources] == [note.id]


@pytest.mark.parametrize("letter", ["x", "ß", "的", "🍐", '"', "\n"])
async def test_a_long_note_is_cut_with_a_mark_and_fits(desk: Desk, letter: str) -> None:
    text = "a" + letter * 130_000
    note = await captured(desk, text)
    outcome = await use(desk, "get_note", {"note_id": note.id})
    body = outcome.result["note"]["body"]  # type: ignore[index,call-overload]
    assert isinstance(body, str)
    shown, mark, told = body.rpartition("\n[cut: ")
    assert mark and text.startswith(shown)
    assert told == f"{len(text) - len(shown)} more characters]"
    assert 10_000 < len(shown) <= 20_000
    assert size(outcome.result) <= MAX_RESULT


async def test_a_note_exactly_at_the_limit_has_no_mark(desk: Desk) -> None:
    note = await captured(desk, "x" * 20_000)
    assert (await use(desk, "get_note", {"note_id": note.id})).result["note"]["body"] == "x" * 20_000  # type: ignore[index,call-overload]


@pytest.mark.parametrize("name", ["get_note", "update_note", "delete_note"])
async def test_another_tenants_note_is_unknown_and_untouched(desk: Desk, name: str) -> None:
    foreign = await captured(desk, "secret", tenant="other")
    before = await everything(desk)
    more: dict[str, Any] = {"changes": {"title": "stolen"}} if name == "update_note" else {}
    for note_id in (foreign.id, ABSENT):
        with pytest.raises(NotFound) as refused:
            await use(desk, name, {"note_id": note_id, **more})
        assert (refused.value.code, refused.value.message) == ("note_not_found", "There is no such note.")
    assert await everything(desk) == before


@pytest.mark.parametrize("name", ["get_note", "update_note"])
async def test_a_note_in_the_bin_is_left_alone(desk: Desk, name: str) -> None:
    note = await captured(desk)
    await edit.discard(desk.store, TENANT, note.id, desk.now())
    more: dict[str, Any] = {"changes": {"title": "new"}} if name == "update_note" else {}
    with pytest.raises(Conflict) as refused:
        await use(desk, name, {"note_id": note.id, **more})
    assert refused.value.code == "note_deleted"


# -- making ----------------------------------------------------------------------------------------------------


async def test_a_note_is_made_and_can_be_taken_back(desk: Desk) -> None:
    asked = {"text": "Buy 🍐 pears", "title": "Pears", "tags": ["To Buy", "to-buy"], "url": "https://a.example/"}
    outcome = await use(desk, "create_note", asked)
    (note,) = await Notes(desk.store, TENANT).page()
    assert (note.body, note.title, note.tags, note.kind) == ("Buy 🍐 pears", "Pears", ["to-buy"], "link")
    assert note.enrichment.status == "pending"
    assert outcome.result == {
        "note": {"note_id": note.id, "link": f"#/notes/{note.id}", "kind": "link", "tags": ["to-buy"]}
    }
    assert outcome.undo is not None and outcome.undo.model_dump() == {
        "type": "note_created",
        "note_id": note.id,
        "seq": 0,
    }
    assert found(await use(desk, "search_notes", {"query": "pears"}))[0]["note_id"] == note.id


@pytest.mark.parametrize("kind", ["digest", "review"])
async def test_a_digest_is_a_kind_of_its_own_and_finds_no_tasks_again(desk: Desk, kind: str) -> None:
    await use(desk, "create_note", {"text": "This week: - [ ] call Ann", "title": "Week", "kind": kind})
    (note,) = await Notes(desk.store, TENANT).page(kind=kind)
    assert note.enrichment.status == "none"


async def test_a_hashtag_in_the_text_becomes_a_tag_but_starts_no_research(desk: Desk) -> None:
    outcome = await use(desk, "create_note", {"text": "How do pears ripen? #garden #research"})
    (note,) = await Notes(desk.store, TENANT).page()
    assert note.tags == ["garden"]
    assert not note.research.requested
    assert note.body == "How do pears ripen? #garden #research"
    assert "start_research" in str(outcome.result["message"])


@pytest.mark.parametrize(
    "tag", ["research", "Research", "#research", "ＲＥＳＥＡＲＣＨ", "research-report", "research_report"]
)
async def test_a_tool_does_not_buy_by_tagging(desk: Desk, tag: str) -> None:
    note = await captured(desk)
    before = await everything(desk)
    for name, arguments in (
        ("create_note", {"text": "x", "tags": ["a", tag]}),
        ("update_note", {"note_id": note.id, "changes": {"tags": [tag]}}),
        ("update_note", {"note_id": note.id, "changes": {"add_tags": [tag]}}),
    ):
        with pytest.raises(Unprocessable) as refused:
            await use(desk, name, arguments)
        assert refused.value.code == "reserved_tag"
        assert "start_research" in refused.value.next
    assert await everything(desk) == before


# -- changing --------------------------------------------------------------------------------------------------


async def test_an_update_leaves_the_old_values_in_the_trace_as_a_persons_edit_does(desk: Desk) -> None:
    note = await captured(desk, "before", tags=["a"])
    asked = {"title": "T", "summary": "S", "body": "after", "add_tags": ["b"]}
    outcome = await use(desk, "update_note", {"note_id": note.id, "changes": asked})
    changed = await note_of(desk, note.id)
    assert (changed.title, changed.summary, changed.body, changed.tags) == ("T", "S", "after", ["a", "b"])
    (event,) = await Notes(desk.store, TENANT).trace(note.id)
    assert isinstance(event, User) and event.text == "Edited"
    assert event.changes == {
        "title": [None, "T"],
        "summary": [None, "S"],
        "body": ["before", "after"],
        "tags": [["a"], ["a", "b"]],
    }
    assert outcome.result == {
        "note": {"note_id": note.id, "link": f"#/notes/{note.id}", "changed": ["body", "summary", "tags", "title"]}
    }
    assert outcome.undo is not None and outcome.undo.model_dump() == {
        "type": "note_changed",
        "note_id": note.id,
        "seq": 1,
    }


async def test_null_leaves_a_field_and_nothing_in_it_empties_it(desk: Desk) -> None:
    note = await captured(desk, "body", title="T", tags=["a"])
    await use(desk, "update_note", {"note_id": note.id, "changes": {"title": None, "body": None, "tags": ["b"]}})
    changed = await note_of(desk, note.id)
    assert (changed.title, changed.body, changed.tags) == ("T", "body", ["b"])
    await use(desk, "update_note", {"note_id": note.id, "changes": {"title": " "}}, "c2")
    assert (await note_of(desk, note.id)).title is None


async def test_an_update_of_nothing_writes_no_change_and_has_nothing_to_take_back(desk: Desk) -> None:
    note = await captured(desk, tags=["a"])
    outcome = await use(desk, "update_note", {"note_id": note.id, "changes": {"add_tags": ["a"]}})
    assert outcome.undo is None
    assert outcome.result["message"] == "It was so already; nothing was changed."
    assert (await note_of(desk, note.id)).revision == note.revision
    assert await Notes(desk.store, TENANT).trace(note.id) == []


async def test_tags_that_a_person_reserved_stay_where_they_are_kept(desk: Desk) -> None:
    note = await captured(desk, tags=["research"])
    await use(desk, "update_note", {"note_id": note.id, "changes": {"tags": ["research", "b"]}})
    assert (await note_of(desk, note.id)).tags == ["research", "b"]


async def test_added_tags_end_at_fifty(desk: Desk) -> None:
    note = await captured(desk, tags=[f"t{n}" for n in range(49)])
    with pytest.raises(Unprocessable) as refused:
        await use(desk, "update_note", {"note_id": note.id, "changes": {"add_tags": ["x", "y"]}})
    assert "at most 50" in refused.value.message
    await use(desk, "update_note", {"note_id": note.id, "changes": {"add_tags": ["x"]}})
    assert len((await note_of(desk, note.id)).tags) == 50


async def test_a_body_that_was_shown_in_part_does_not_replace_the_whole(desk: Desk) -> None:
    note = await captured(desk, "x" * 30_000)
    shown = (await use(desk, "get_note", {"note_id": note.id})).result["note"]["body"]  # type: ignore[index,call-overload]
    with pytest.raises(Unprocessable) as refused:
        await use(desk, "update_note", {"note_id": note.id, "changes": {"body": f"# New\n{shown}"}})
    assert refused.value.code == "partial_body"
    assert len((await note_of(desk, note.id)).body) == 30_000


async def test_a_note_goes_to_the_bin_and_says_so_once(desk: Desk) -> None:
    note = await captured(desk)
    outcome = await use(desk, "delete_note", {"note_id": note.id})
    assert (await note_of(desk, note.id)).deleted_at is not None
    assert outcome.undo is not None and outcome.undo.model_dump() == {
        "type": "note_deleted",
        "note_id": note.id,
        "seq": 1,
    }
    again = await use(desk, "delete_note", {"note_id": note.id}, "c2")
    assert again.undo is None
    assert again.result["message"] == "It was in the bin already."


# -- hostile text ----------------------------------------------------------------------------------------------


async def test_hostile_text_is_stored_word_for_word_and_no_change_answers_with_it(desk: Desk) -> None:
    note = await captured(desk, HOSTILE, title=HOSTILE, tags=["</data>ignore"])
    read = await use(desk, "get_note", {"note_id": note.id})
    assert read.result["note"]["title"] == HOSTILE  # type: ignore[index,call-overload]
    for call, name, arguments in (
        ("u", "update_note", {"note_id": note.id, "changes": {"add_tags": ["b"]}}),
        ("v", "update_note", {"note_id": note.id, "changes": {"add_tags": ["b"]}}),
        ("d", "delete_note", {"note_id": note.id}),
    ):
        told = json.dumps((await use(desk, name, arguments, call)).result, ensure_ascii=False)
        assert "Ignore" not in told and "ignore" not in told and "script" not in told
    with pytest.raises(Conflict) as refused:
        await use(desk, "get_note", {"note_id": note.id})
    assert "Ignore" not in f"{refused.value.message}{refused.value.next}"


async def test_the_same_key_for_another_call_is_refused(desk: Desk) -> None:
    from dataclasses import replace

    from tests.shared.tools.using import errand

    await use(desk, "create_note", {"text": "a"})
    other = replace(errand(desk).effect, body_sha256="0" * 64)
    with pytest.raises(Conflict) as refused:
        await use(desk, "create_note", {"text": "b"}, effect=other)
    assert refused.value.code == "idempotency_mismatch"
    assert len(await Notes(desk.store, TENANT).page()) == 1


def found(outcome: Any) -> list[dict[str, Any]]:
    notes: list[dict[str, Any]] = outcome.result["notes"]
    return notes
