"""The box where every thought begins: nothing typed is lost, nothing is saved twice."""

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import PHONE, Complaints, Product, enriched, save

pytestmark = pytest.mark.browser


def _notes(product: Product) -> list[dict[str, object]]:
    answer = httpx.get(f"{product.base_url}/api/v1/notes", headers={"Authorization": f"Bearer {product.key}"})
    notes: list[dict[str, object]] = answer.json()["notes"]
    return notes


def test_the_key_leaves_the_address_at_once(page: Page, product: Product) -> None:
    assert "key" not in page.url
    assert page.evaluate("localStorage.getItem('memex.key')") == product.key


def test_a_thought_is_saved_and_enrichment_changes_its_row_in_place(page: Page) -> None:
    save(page, "Call Ines about the ferry\n\nIt leaves at 7:40.")
    row = page.locator(".row").first
    expect(row).to_contain_text("Call Ines about the ferry")
    before = row.bounding_box()
    expect(row).to_contain_text("being read")
    enriched(page)
    assert row.bounding_box() == before
    expect(page.locator("[data-capture]")).to_have_value("")


def test_a_bare_address_is_sent_as_url(page: Page, product: Product) -> None:
    save(page, "  https://example.org/a ")
    (note,) = _notes(product)
    assert (note["kind"], note["url"]) == ("link", "https://example.org/a")


def test_a_draft_survives_a_reload(page: Page) -> None:
    page.locator("[data-capture]").fill("half a thought")
    page.reload()
    expect(page.locator("[data-capture]")).to_have_value("half a thought")


def test_a_double_click_saves_once(page: Page, product: Product) -> None:
    page.locator("[data-capture]").fill("only once")
    with page.expect_response("**/api/v1/captures"):
        page.get_by_role("button", name="Save").dblclick()
    expect(page.locator(".row")).to_have_count(1)
    assert len(_notes(product)) == 1


def test_a_retry_after_a_lost_answer_makes_one_note(page: Page, product: Product, complaints: Complaints) -> None:
    complaints.expected.append("net::ERR_FAILED")
    lost = 0

    def lose_first(route: Route) -> None:
        nonlocal lost
        if lost == 0:
            lost += 1
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/api/v1/captures", lose_first)
    page.locator("[data-capture]").fill("one note only")
    page.get_by_role("button", name="Save").click()
    alert = page.locator("form.capture").get_by_role("alert")
    expect(alert).to_contain_text("Your text is kept here")
    page.reload()
    expect(page.locator("[data-capture]")).to_have_value("one note only")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-capture]")).to_have_value("")
    assert len(_notes(product)) == 1


def test_research_says_its_price_before_it_is_used(page: Page) -> None:
    expect(page.get_by_role("switch", name="Research free, from your own notes")).to_be_visible()


def test_a_newcomer_sees_what_to_type(page: Page) -> None:
    expect(page.get_by_role("heading", name="Start with anything")).to_be_visible()
    page.get_by_role("button", name="Try a question").click()
    box = page.locator("[data-capture]")
    expect(box).to_be_focused()
    expect(box).to_have_value("What speaks for sorting ids by time, and what against?")
    expect(page.get_by_role("switch")).to_be_checked()


def test_on_a_phone_capture_is_one_tap_away_from_everywhere(page: Page) -> None:
    page.set_viewport_size(PHONE)
    for place in ("#/", "#/operations", "#/nowhere"):
        page.evaluate("(hash) => { location.hash = hash }", place)
        page.get_by_role("link", name="Capture").click()
        expect(page.locator("[data-capture]")).to_be_focused()
    page.keyboard.type("from the phone")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".row")).to_contain_text("from the phone")
    expect(page.locator(".row")).to_be_visible()
