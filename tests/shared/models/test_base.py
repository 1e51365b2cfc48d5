from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models.base import kebab, moment, rfc3339
from shared.models.ids import derived, is_id, numbered, ulid, ulid_floor


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("Hot Drinks", "hot-drinks"),
        ("#research", "research"),
        ("RESEARCH", "research"),
        ("snake_case name", "snake-case-name"),
        ("area/Sub Area", "area/sub-area"),
        ("//a//b/", "a/b"),
        ("--x--y--", "x-y"),
        ("Größe", "größe"),
        ("हिन्दी", "हिन्दी"),
        ("読書", "読書"),
        ("fullwidth", "fullwidth"),
    ],
)
def test_a_tag_is_kebab_case(written: str, tag: str) -> None:
    assert kebab(written) == tag


@pytest.mark.parametrize("written", ["", " ", "!!!", "#", "///", "a\x00b", "a\nb", "x" * 65, "\u202e"])
def test_what_makes_no_tag_is_refused(written: str) -> None:
    with pytest.raises(ValueError):
        kebab(written)


@given(st.text(max_size=80))
def test_a_tag_is_stable(text: str) -> None:
    try:
        tag = kebab(text)
    except ValueError:
        return
    assert kebab(tag) == tag


@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9000, 1, 1)))
def test_times_sort_as_text(when: datetime) -> None:
    first, second = when.replace(tzinfo=UTC), (when + timedelta(microseconds=1)).replace(tzinfo=UTC)
    assert rfc3339(first) < rfc3339(second)
    assert datetime.fromisoformat(rfc3339(first)) == first


def test_a_time_of_another_zone_is_told_in_utc() -> None:
    there = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert rfc3339(there) == "2025-12-31T23:00:00.000000Z"
    assert rfc3339(moment(0)) == "1970-01-01T00:00:00.000000Z"


@given(st.floats(min_value=0, max_value=2**47 / 1000))
def test_ids_sort_by_their_moment(at: float) -> None:
    assert is_id(ulid(at))
    assert ulid_floor(at) <= ulid(at) < ulid_floor(at + 0.002)


def test_a_derived_id_repeats_and_depends_on_every_part() -> None:
    parent = ulid(1.0)
    assert derived(parent, "task", "a") == derived(parent, "task", "a")
    assert len({derived(parent, "task", "a"), derived(parent, "task", "b"), derived(parent, "taska", "")}) == 3
    assert is_id(derived(parent, "x"))


def test_numbers_sort_as_text() -> None:
    assert sorted([numbered(10), numbered(9), numbered(100)]) == [numbered(9), numbered(10), numbered(100)]


@pytest.mark.parametrize("text", ["", "0" * 25, "0" * 27, "8" + "0" * 25, "0" * 25 + "u", "../" + "0" * 23, "A" * 26])
def test_what_is_no_id_becomes_no_path(text: str) -> None:
    assert not is_id(text)
