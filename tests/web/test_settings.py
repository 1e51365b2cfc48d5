"""The settings: each says its default, is saved by itself, and can be put back."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import DESKTOP, PHONE, Complaints
from tests.web.fake_api import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def product() -> Iterator[Server]:
    """An empty product."""
    with Server() as server:
        yield server


def _go(page: Page) -> None:
    page.keyboard.press(",")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(_row(page, "Model")).to_be_visible()


def _row(page: Page, label: str) -> Locator:
    return page.get_by_role("form", name=label, exact=True)


def test_a_switch_is_saved_at_once_and_put_back(page: Page, product: Server) -> None:
    _go(page)
    row = _row(page, "Think before answering")
    expect(row).to_contain_text("Default: off.")
    expect(row.get_by_role("button")).to_have_count(0)
    row.get_by_role("switch").click()
    expect(row.get_by_text("Saved")).to_be_visible()
    expect(row.get_by_role("switch")).to_be_checked()
    assert product.memory.chat.settings == {"think": True}
    row.get_by_role("button", name="back to the default").click()
    expect(row.get_by_role("switch")).not_to_be_checked()
    expect(row.get_by_role("button")).to_have_count(0)
    assert product.memory.chat.settings == {"think": None}


@pytest.mark.parametrize(
    ("label", "typed", "name", "stored"),
    [
        ("Model", "offline", "model", "offline"),
        ("Time zone", "Europe/Berlin", "time_zone", "Europe/Berlin"),
        ("Time for an answer", "60", "turn_timeout_seconds", 60),
        ("Rounds with tools", "3", "max_iterations", 3),
    ],
)
def test_a_value_is_saved_with_enter_and_survives_a_reload(
    page: Page, product: Server, label: str, typed: str, name: str, stored: object
) -> None:
    _go(page)
    row = _row(page, label)
    row.get_by_label(label, exact=True).fill(typed)
    page.keyboard.press("Enter")
    expect(row.get_by_text("Saved")).to_be_visible()
    assert product.memory.chat.settings == {name: stored}
    page.reload()
    expect(row.get_by_label(label, exact=True)).to_have_value(typed)


def test_whoever_does_research_is_chosen_and_its_price_is_told_where_one_asks(page: Page, product: Server) -> None:
    capture = page.get_by_role("form", name="Capture")
    expect(capture).to_contain_text("free, from your own notes")
    _go(page)
    row = _row(page, "Research is done by")
    expect(row).to_contain_text("Default: the service.")
    row.get_by_role("radio", name="Own agents").click()
    expect(row.get_by_text("Saved")).to_be_visible()
    assert product.memory.chat.settings == {"research_engine": "local"}
    expect(capture).to_contain_text("by Memex itself, free but for the chat’s model")
    page.reload()
    expect(capture).to_contain_text("by Memex itself")


def test_hosts_are_a_list_that_the_server_brings_into_shape(page: Page, product: Server) -> None:
    _go(page)
    _row(page, "Read from the web").get_by_role("switch").click()
    row = _row(page, "Allowed hosts")
    row.get_by_label("Allowed hosts", exact=True).fill("Example.org\n\n*.example.net")
    row.get_by_role("button", name="Save").click()
    expect(row.get_by_label("Allowed hosts", exact=True)).to_have_value("example.org\n*.example.net")
    assert product.memory.chat.settings == {"egress_enabled": True, "allowed_hosts": ["example.org", "*.example.net"]}


def test_what_the_server_refuses_is_told_in_place_and_nothing_is_lost(
    page: Page, product: Server, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    _go(page)
    row = _row(page, "Rounds with tools")
    row.get_by_label("Rounds with tools").fill("99")
    row.get_by_role("button", name="Save").click()
    expect(row.get_by_role("alert")).to_contain_text("may be 1 to 50")
    expect(row.get_by_role("alert")).to_contain_text("It is still 8 rounds.")
    expect(row.get_by_label("Rounds with tools")).to_have_value("99")
    expect(page.get_by_role("alert")).to_have_count(1)
    assert product.memory.chat.settings == {}


def test_the_tools_say_what_they_touch_and_which_ask(page: Page) -> None:
    _go(page)
    page.get_by_text("What the tools do, and which of them ask").click()
    expect(page.get_by_role("listitem").filter(has_text="delete_note")).to_contain_text("asks each time")
    expect(page.get_by_role("listitem").filter(has_text="search_notes")).to_contain_text("only reads")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_axe_finds_nothing_in_the_settings(page: Page, size: str, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    _go(page)
    page.set_viewport_size(PHONE if size == "phone" else DESKTOP)
    page.get_by_text("What the tools do").click()
    page.get_by_role("switch", name="Think before answering").click()
    _row(page, "Model").get_by_label("Model").fill("another")
    page.wait_for_timeout(150)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("how", ["another field", "another room", "a reload"])
def test_what_is_typed_is_saved_when_one_leaves(page: Page, product: Server, how: str) -> None:
    _go(page)
    _row(page, "Time zone").get_by_label("Time zone", exact=True).fill("Europe/Berlin")
    if how == "another field":
        _row(page, "Model").get_by_label("Model").click()
        expect(_row(page, "Time zone").get_by_text("Saved")).to_be_visible()
    elif how == "another room":
        # By the browser's own way back: no field hears of it.
        page.evaluate("location.hash = '#/tasks'")
        expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
        page.keyboard.press(",")
    else:
        page.reload()
    expect(_row(page, "Time zone").get_by_label("Time zone", exact=True)).to_have_value("Europe/Berlin")
    assert product.memory.chat.settings == {"time_zone": "Europe/Berlin"}


def test_escape_leaves_a_text_as_it_was(page: Page, product: Server) -> None:
    _go(page)
    zone = _row(page, "Time zone").get_by_label("Time zone", exact=True)
    before = zone.input_value()
    zone.fill("Europe/Ber")
    zone.press("Escape")
    expect(zone).to_have_value(before)
    expect(zone).not_to_be_focused()
    assert product.memory.chat.settings == {}
