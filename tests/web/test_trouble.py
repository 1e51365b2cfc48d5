"""When things go wrong: what happened, what was saved, what to do. In place, with the text still there."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.web.conftest import Complaints, Product, save, sign_in

pytestmark = pytest.mark.browser


def test_without_a_key_the_door_says_how_to_get_one(
    context: BrowserContext, product: Product, complaints: Complaints
) -> None:
    page = context.new_page()
    complaints.watch(page)
    page.goto(product.base_url)
    expect(page.get_by_text("This device has no key yet.")).to_be_visible()
    page.get_by_label("Key, or the whole address").fill(f"ready {product.base_url}/#key={product.key}")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_placeholder("Search")).to_be_visible()


def test_a_wrong_key_is_refused_at_the_door(context: BrowserContext, product: Product, complaints: Complaints) -> None:
    complaints.expected.append("401 (Unauthorized)")
    page = context.new_page()
    complaints.watch(page)
    page.goto(f"{product.base_url}/#key=wrong")
    expect(page.get_by_role("alert")).to_contain_text("That key was not accepted.")
    page.get_by_label("Key, or the whole address").fill(product.key)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_placeholder("Search")).to_be_visible()


def test_a_revoked_key_keeps_what_was_typed(page: Page, product: Product, complaints: Complaints) -> None:
    complaints.expected.append("401 (Unauthorized)")
    save(page, "from before")
    told = {"error": {"code": "unauthorized", "message": "This key is not known.", "next": "Sign in again."}}
    page.route("**/api/v1/**", lambda route: route.fulfill(status=401, json=told))
    page.locator("[data-capture]").fill("precious words")
    page.get_by_role("button", name="Save").click()
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Signed out")
    expect(banner).to_contain_text("What you typed is kept")
    expect(page.locator("[data-capture]")).to_have_value("precious words")
    expect(page.locator(".row")).to_contain_text("from before")
    page.unroute("**/api/v1/**")
    banner.get_by_label("Key, or the whole address").fill(product.key)
    banner.get_by_role("button", name="Open").click()
    expect(banner).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".row")).to_have_count(2)


def test_offline_says_so_and_recovers_by_itself(page: Page, complaints: Complaints) -> None:
    complaints.expected += ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_FAILED"]
    save(page, "from before")
    page.context.set_offline(True)
    page.locator("[data-capture]").fill("typed in a tunnel")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".banner")).to_contain_text("Memex can’t be reached. What you typed is kept on this device.")
    expect(page.locator(".row")).to_contain_text("from before")
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_have_count(0, timeout=25_000)
    expect(page.locator(".row").first).to_contain_text("typed in a tunnel")
    expect(page.locator("form.capture")).to_contain_text("Memex is back, and it is saved: typed in a tunnel")
    expect(page.locator("[data-capture]")).to_have_value("")


@pytest.mark.parametrize("known", [True, False])
def test_a_server_error_is_shown_in_place(page: Page, complaints: Complaints, known: bool) -> None:
    complaints.expected.append("500 (Internal Server Error)")
    told = {"error": {"code": "internal", "message": "Something broke here.", "next": "Try again soon."}}
    page.route(
        "**/api/v1/captures",
        lambda route: route.fulfill(status=500, json=told) if known else route.fulfill(status=500, body="<html>oops"),
    )
    page.locator("[data-capture]").fill("precious words")
    page.get_by_role("button", name="Save").click()
    alert = page.locator("form.capture").get_by_role("alert")
    expect(alert).to_contain_text("Something broke here." if known else "Memex answered with an error (500).")
    expect(alert).to_contain_text("Your text is kept here.")
    expect(page.locator("[data-capture]")).to_have_value("precious words")
    page.unroute("**/api/v1/captures")
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator(".row")).to_contain_text("precious words")


def test_a_feed_that_breaks_keeps_its_rows(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("500 (Internal Server Error)")
    save(page, "from before")
    page.route("**/api/v1/notes?*", lambda route: route.fulfill(status=500, body=""))
    expect(page.locator(".feed").get_by_role("alert")).to_contain_text("What you see is from before.")
    expect(page.locator(".row")).to_contain_text("from before")
    page.unroute("**/api/v1/notes?*")
    page.locator(".feed").get_by_role("alert").get_by_role("button", name="Try again").click()
    expect(page.locator(".feed").get_by_role("alert")).to_have_count(0)


def test_an_answer_of_another_shape_is_an_error_not_a_crash(page: Page) -> None:
    page.route("**/api/v1/notes?*", lambda route: route.fulfill(json={"notes": [{"id": 1}]}))
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("doesn’t understand")


def test_added_fields_are_no_reason_to_stop(page: Page) -> None:
    save(page, "a note")

    def add(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        for note in body["notes"]:
            note["added_later"] = {"deep": True}
        route.fulfill(response=answer, json={**body, "added": 1})

    page.route("**/api/v1/notes?*", add)
    page.reload()
    expect(page.locator(".row")).to_contain_text("a note")


def test_signing_out_forgets_the_key_and_keeps_the_draft(page: Page, product: Product) -> None:
    page.locator("[data-capture]").fill("unsent")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("This device has no key yet.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('memex.key')") is None
    sign_in(page, product)
    expect(page.locator("[data-capture]")).to_have_value("unsent")
