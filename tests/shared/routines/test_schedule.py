from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.routines.schedule import Due, clock_time, due_on, following, latest, next_due, pending
from shared.zone import zone_of

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",  # once sprang forward at midnight
    "America/Nuuk",  # springs forward into the next day
    "Australia/Lord_Howe",  # by half an hour
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Pacific/Apia",  # left out 30 December 2011
    "Pacific/Chatham",
)
TIMES = st.builds(time, st.integers(0, 23), st.integers(0, 59))
DAYS = st.dates(date(2000, 1, 1), date(2035, 12, 31))


def stamp(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def here(due: Due, zone: str) -> str:
    return datetime.fromtimestamp(due.at, ZoneInfo(zone)).isoformat(timespec="minutes")


# -- the days of DST -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "at", "zone", "expected"),
    [
        ("2027-03-27", "02:30", "Europe/Berlin", "2027-03-27T02:30+01:00"),
        # There is no 02:30 on this day.
        ("2027-03-28", "02:30", "Europe/Berlin", "2027-03-28T03:30+02:00"),
        # And two on this one: the first.
        ("2027-10-31", "02:30", "Europe/Berlin", "2027-10-31T02:30+02:00"),
        ("2027-10-31", "03:00", "Europe/Berlin", "2027-10-31T03:00+01:00"),
        ("2018-11-04", "00:15", "America/Sao_Paulo", "2018-11-04T01:15-02:00"),
        ("2027-10-03", "02:10", "Australia/Lord_Howe", "2027-10-03T02:40+11:00"),
    ],
)
def test_a_time_that_does_not_occur_or_occurs_twice_is_one_moment(day: str, at: str, zone: str, expected: str) -> None:
    due = due_on(date.fromisoformat(day), clock_time(at), zone_of(zone))
    assert due and here(due, zone) == expected


def test_a_day_that_a_place_left_out_has_no_due_time() -> None:
    zone = ZoneInfo("Pacific/Apia")
    assert due_on(date(2011, 12, 30), time(7), zone) is None
    before, after = due_on(date(2011, 12, 29), time(7), zone), due_on(date(2011, 12, 31), time(7), zone)
    assert before and after and after.at - before.at == 86_400


# -- every day once --------------------------------------------------------------------------------------------


@given(zone=st.sampled_from(ZONES), at=TIMES, first=DAYS)
def test_every_local_day_has_exactly_one_due_time(zone: str, at: time, first: date) -> None:
    place = zone_of(zone)
    days = [first + timedelta(days=n) for n in range(400)]
    dues = [due for day in days if (due := due_on(day, at, place))]
    left_out = {date(2011, 12, 30)} if zone == "Pacific/Apia" else set()
    assert [due.day for due in dues] == [day for day in days if day not in left_out]
    assert all(earlier.at < later.at for earlier, later in pairwise(dues))
    for due in dues:
        local = datetime.fromtimestamp(due.at, place)
        # Where the clock skips it, it is late by the gap, and never by more.
        late = local.replace(tzinfo=None) - datetime.combine(due.day, at)
        assert timedelta(0) <= late <= timedelta(hours=1)


@given(zone=st.sampled_from(ZONES), at=TIMES, first=DAYS, gaps=st.lists(st.integers(1, 50 * 3600), max_size=60))
def test_whoever_looks_often_enough_serves_every_day_once_and_no_day_twice(
    zone: str, at: time, first: date, gaps: list[int]
) -> None:
    place = zone_of(zone)
    now = since = datetime.combine(first, time(12), UTC).timestamp()
    last_day: str | None = None
    served: list[Due] = []
    for gap in gaps:
        now += gap
        for _ in range(2):  # a tick that comes twice
            if due := pending(now, at, place, since=since, last_day=last_day):
                served.append(due)
                last_day = due.day.isoformat()
    assert len({due.day for due in served}) == len(served) == len({due.at for due in served})
    assert all(due.at > since for due in served)
    assert all(earlier.at < later.at for earlier, later in pairwise(served))
    # Whatever was due before the last look is served, or was missed in favour of a later one.
    newest = latest(now, at, place)
    if newest.at > since and gaps:
        assert served and served[-1] == newest


@given(zone=st.sampled_from(ZONES), at=TIMES, first=DAYS)
def test_a_tick_every_quarter_of_an_hour_misses_no_day(zone: str, at: time, first: date) -> None:
    place = zone_of(zone)
    start = datetime.combine(first, time(0), UTC).timestamp()
    last_day: str | None = None
    served: list[Due] = []
    for n in range(4 * 24 * 5):
        now = start + 900 * n
        if due := pending(now, at, place, since=start, last_day=last_day):
            assert now - due.at < 900
            served.append(due)
            last_day = due.day.isoformat()
    expected = []
    due = following(start, at, place)
    while due.at <= start + 900 * (4 * 24 * 5 - 1):
        expected.append(due)
        due = following(due.at, at, place)
    assert served == expected


# -- what comes next -------------------------------------------------------------------------------------------


def test_of_several_that_were_missed_only_the_last_is_caught_up() -> None:
    due = pending(stamp("2027-01-10T12:00"), time(7), UTC, since=stamp("2027-01-01T00:00"), last_day="2027-01-03")
    assert due == Due(date(2027, 1, 10), stamp("2027-01-10T07:00"))


def test_what_was_due_before_it_was_switched_on_is_nobodys_wish() -> None:
    now = stamp("2027-01-10T12:00")
    assert pending(now, time(7), UTC, since=stamp("2027-01-10T08:00"), last_day=None) is None
    assert next_due(now, time(7), UTC, since=stamp("2027-01-10T08:00"), last_day=None).day == date(2027, 1, 11)


def test_a_day_that_was_served_is_not_served_again_at_another_time_or_in_another_zone() -> None:
    now = stamp("2027-01-10T12:00")
    assert pending(now, time(11), UTC, since=0.0, last_day="2027-01-10") is None
    assert next_due(now, time(13), UTC, since=0.0, last_day="2027-01-10").day == date(2027, 1, 11)
    west = ZoneInfo("America/New_York")
    assert pending(now, time(6), west, since=0.0, last_day="2027-01-10") is None


def test_what_is_pending_comes_next() -> None:
    now = stamp("2027-01-10T12:00")
    assert next_due(now, time(7), UTC, since=0.0, last_day="2027-01-09") == Due(
        date(2027, 1, 10), stamp("2027-01-10T07:00")
    )
