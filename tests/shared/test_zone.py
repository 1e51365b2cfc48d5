"""Time zones by name, also on a machine that has no list of them."""

import sys
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from shared.agent.models.offline_days import today
from shared.agent.prompt import instruction
from shared.zone import zone_of

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture
def no_list(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No zone but UTC is known."""
    monkeypatch.setitem(sys.modules, "tzdata", None)
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "Asia/Kathmandu"])
def test_a_zone_tells_its_name(name: str) -> None:
    assert str(zone_of(name)) == name


@pytest.mark.parametrize("name", ["Europe/Atlantis", "", "../../etc/passwd", "Europe", "x" * 300, "\0"])
def test_what_is_no_zone_is_utc(name: str) -> None:
    assert zone_of(name) is UTC


@pytest.mark.usefixtures("no_list")
@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin"])
def test_an_agent_knows_the_day_where_no_zone_is_known(name: str) -> None:
    told = instruction(NOON, name)
    assert told.startswith("Today is Wednesday, 1 July 2026, 12:00 (UTC).")
    assert today(told) == today("Today is Wednesday, 1 July 2026.") is not None


def test_an_agent_is_told_the_hour_of_its_persons_place() -> None:
    assert "14:00 (Europe/Berlin)" in instruction(NOON, "Europe/Berlin")
