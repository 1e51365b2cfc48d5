"""What a note takes of a proposal: only what is empty, once, and never over a user's word."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.enrichment.apply import apply, fail
from shared.enrichment.proposal import Proposal
from shared.models.base import RESERVED_TAGS, moment
from shared.models.ids import derived, is_id, ulid
from shared.models.note import Enrichment, Note

THEN, NOW, LATER = 1_790_000_000.0, 1_790_000_100.0, 1_790_000_200.0
ID = ulid(THEN)
PENDING = Enrichment(status="pending")
PROPOSAL = Proposal(title="Bread", summary="It rises.", tags=["bread", "oven"], tasks=["Feed the starter", "Buy flour"])


def note(**values: object) -> Note:
    plain: dict[str, object] = {"id": ID, "created_at": moment(THEN), "updated_at": moment(THEN), "kind": "capture"}
    return Note.model_validate({**plain, "body": "About bread.", "enrichment": PENDING, **values})


def test_empty_fields_are_filled_and_the_note_says_so() -> None:
    changed, tasks = apply(note(tags=["mine"]), PROPOSAL, NOW)
    assert (changed.title, changed.summary, changed.tags) == ("Bread", "It rises.", ["mine", "bread", "oven"])
    assert changed.enrichment == Enrichment(status="enriched", tags=["bread", "oven"])
    assert (changed.revision, changed.updated_at, changed.body) == (2, moment(NOW), "About bread.")
    assert [task.title for task in tasks] == ["Feed the starter", "Buy flour"]
    assert changed.task_ids == [task.id for task in tasks]
    assert all(is_id(task.id) and task.source_note_id == ID and task.created_at == moment(NOW) for task in tasks)


def test_a_task_has_the_id_that_its_words_give() -> None:
    _, tasks = apply(note(), Proposal(title="a", tasks=["Feed the starter!", "feed  the STARTER"]), NOW)
    assert [task.id for task in tasks] == [derived(ID, "task", "feed the starter")]


def test_a_second_time_changes_nothing() -> None:
    changed, _ = apply(note(), PROPOSAL, NOW)
    again, tasks = apply(changed, PROPOSAL, LATER)
    assert again is changed and tasks == []


def test_a_repeat_on_the_old_note_gives_the_same_ids() -> None:
    first, second = (apply(note(), PROPOSAL, at)[1] for at in (NOW, LATER))
    assert [task.id for task in first] == [task.id for task in second]


def test_what_the_user_wrote_meanwhile_stays() -> None:
    changed, _ = apply(note(title="My title", summary="My summary", tags=["bread"]), PROPOSAL, NOW)
    assert (changed.title, changed.summary, changed.tags) == ("My title", "My summary", ["bread", "oven"])
    assert changed.enrichment.tags == ["oven"]


def test_a_blank_title_counts_as_empty() -> None:
    assert apply(note(title="  "), PROPOSAL, NOW)[0].title == "Bread"


def test_a_tag_or_task_that_the_user_took_away_does_not_come_back() -> None:
    changed, _ = apply(note(), PROPOSAL, NOW)
    without = changed.model_copy(update={"tags": ["oven"]})
    again, tasks = apply(without, PROPOSAL, LATER)
    assert again.tags == ["oven"] and tasks == []


@pytest.mark.parametrize(
    "tag", ["research", "Research", "#research", "re search", "research-report", "RESEARCH_REPORT"]
)
def test_reserved_tags_are_never_added(tag: str) -> None:
    changed, _ = apply(note(), Proposal(title="a", tags=[tag]), NOW)
    assert changed.tags == [] and changed.enrichment.tags == [] and not changed.research.requested


def test_the_users_own_research_tag_stays() -> None:
    assert apply(note(tags=["research"]), PROPOSAL, NOW)[0].tags == ["research", "bread", "oven"]


def test_tags_end_at_eight_in_all() -> None:
    own = [f"own-{letter}" for letter in "abcdefg"]
    assert apply(note(tags=own), PROPOSAL, NOW)[0].tags == [*own, "bread"]


def test_a_note_in_the_bin_is_left_alone() -> None:
    deleted = note(deleted_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert apply(deleted, PROPOSAL, NOW) == (deleted, [])


def test_an_empty_proposal_still_ends_the_wait() -> None:
    changed, tasks = apply(note(), Proposal(), NOW)
    assert changed.enrichment.status == "enriched" and changed.title is None and tasks == []


@pytest.mark.survival(16)
def test_a_failure_is_kept_with_its_reason_and_counted_once() -> None:
    failed = fail(note(), "The model\x00 answered   with nothing.", NOW)
    assert failed.enrichment == Enrichment(status="failed", error="The model answered with nothing.", attempts=1)
    assert failed.revision == 2 and failed.updated_at == moment(NOW)
    assert fail(failed, "The model answered with nothing.", LATER) is failed


def test_a_late_failure_does_not_undo_a_success() -> None:
    changed, _ = apply(note(), PROPOSAL, NOW)
    assert fail(changed, "too late", LATER) is changed


@pytest.mark.survival(16)
def test_a_retry_after_a_failure_works() -> None:
    changed, tasks = apply(fail(note(), "busy", NOW), PROPOSAL, LATER)
    assert changed.enrichment.status == "enriched" and changed.enrichment.error is None and len(tasks) == 2


TEXT = st.none() | st.text(max_size=200)


@given(
    st.builds(Proposal, title=TEXT, summary=TEXT, tags=st.lists(st.text(max_size=30)), tasks=st.lists(st.text())),
    st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), max_size=9),
    TEXT,
)
def test_any_proposal_applies_once_and_validates(proposal: Proposal, tags: list[str], title: str | None) -> None:
    before = note(tags=tags, title=title)
    after, tasks = apply(before, proposal, NOW)
    assert Note.model_validate(after.model_dump()) == after
    assert after.body == before.body and after.tags[: len(before.tags)] == before.tags
    assert not RESERVED_TAGS & set(after.enrichment.tags)
    assert apply(after, proposal, LATER) == (after, [])
    assert len({task.id for task in tasks}) == len(tasks)
