import pytest

from shared.config import Settings
from shared.preferences import Choices, choose
from shared.tools.clock import clock
from tests.fakes.desk import START, Desk
from tests.shared.tools.using import TENANT, use


async def test_the_time_is_told_in_utc(desk: Desk) -> None:
    assert (await use(desk, "current_time", {})).result == {"utc": "2027-01-15T08:00:00Z", "weekday": "Friday"}


async def test_and_in_the_time_zone_that_the_tenant_chose(desk: Desk) -> None:
    settings: Settings = desk.settings
    await choose(desk.store, settings, TENANT, Choices(time_zone="Pacific/Auckland"), desk.now())
    assert (await use(desk, "current_time", {})).result == {
        "utc": "2027-01-15T08:00:00Z",
        "weekday": "Friday",
        "time_zone": "Pacific/Auckland",
        "local": "2027-01-15T21:00:00+13:00",
    }
    assert (await use(desk, "current_time", {}, tenant="other")).result.keys() == {"utc", "weekday"}


def test_the_weekday_is_that_of_the_local_date() -> None:
    assert clock(START + 10 * 3600, "Pacific/Auckland").weekday == "Saturday"
    assert clock(START + 10 * 3600, "UTC").weekday == "Friday"


@pytest.mark.parametrize("zone", ["", "Nowhere/City", "../../etc/passwd", "/etc/localtime", "\x00"])
def test_a_time_zone_that_is_not_known_leaves_utc(zone: str) -> None:
    assert clock(START, zone).local is None
