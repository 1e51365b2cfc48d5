"""Which day it is, read from the instruction as the agent writes it."""

from datetime import UTC, date, datetime

import pytest

from shared.agent.models.offline_days import made_on, today
from shared.agent.models.offline_reading import Note
from shared.agent.prompt import instruction


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", date(2023, 11, 14)), ("Europe/Vienna", date(2023, 11, 15)), ("America/New_York", date(2023, 11, 14))],
)
def test_the_day_is_the_one_where_the_person_is(zone: str, day: date) -> None:
    here = today(instruction(datetime(2023, 11, 14, 23, 30, tzinfo=UTC), zone))
    assert here is not None and here.day == day
    assert here.ago(1) == date(2023, 11, day.day - 1)


@pytest.mark.parametrize(
    "text", ["", "Today is fine.", "Today is Tuesday, 31 February 2023.", "Today is X, 1 Mai 2023."]
)
def test_an_instruction_without_a_day_tells_none(text: str) -> None:
    assert today(text) is None


def test_a_note_without_a_time_is_of_no_day() -> None:
    here = today("Today is Tuesday, 14 November 2023.")
    assert here is not None
    notes = [Note("a", "", "", (), "", made) for made in ("", "soon", "2023-11-14T10:00:00Z", "2023-11-13T10:00:00Z")]
    assert [note.created for note in made_on(notes, here, here.day)] == ["2023-11-14T10:00:00Z"]
