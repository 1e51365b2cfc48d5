"""The list of what there is to do: open ones first, ticked off by any means, and back again."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import PHONE, Complaints, Product, enriched, save, sign_in

pytestmark = pytest.mark.browser


def _go(page: Page) -> None:
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    expect(page.get_by_text("Fetching your tasks")).to_have_count(0)


def _add(page: Page, title: str) -> None:
    page.get_by_label("New task").fill(title)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("New task")).to_have_value("")


def _titles(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name=name, exact=True).locator("label")


def test_a_task_found_in_a_note_is_listed_and_leads_back_to_it(page: Page) -> None:
    save(page, "Call the library about the book\n\nIt is overdue.")
    enriched(page)
    _go(page)
    assert page.url.endswith("#/tasks")
    expect(_titles(page, "Open")).to_have_text(["Call the library about the book"])
    page.get_by_role("link", name="The note of the task").click()
    expect(page.locator(".prose")).to_contain_text("It is overdue.")


def test_a_task_is_ticked_off_undone_and_opened_again(page: Page, product: Product) -> None:
    _go(page)
    expect(page.get_by_text("Nothing to do.")).to_be_visible()
    for title in ("first", "second", "third"):
        _add(page, title)
    expect(_titles(page, "Open")).to_have_text(["third", "second", "first"])
    page.get_by_role("checkbox", name="second").click()
    expect(_titles(page, "Open")).to_have_text(["third", "first"])
    expect(page.get_by_role("checkbox", name="second")).not_to_be_visible()
    expect(page.locator(".undo")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(_titles(page, "Open")).to_have_text(["third", "second", "first"])
    page.get_by_role("checkbox", name="first").click()
    page.reload()
    expect(_titles(page, "Open")).to_have_text(["third", "second"])
    page.get_by_text("1 task done").click()
    page.get_by_role("checkbox", name="first").click()
    expect(_titles(page, "Open")).to_have_text(["third", "second", "first"])
    other = page.context.new_page()
    sign_in(other, product)
    _go(other)
    expect(_titles(other, "Open")).to_have_text(["third", "second", "first"])


def test_tasks_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    for title in ("one", "two", "three"):
        page.keyboard.press("a")
        expect(page.get_by_label("New task")).to_be_focused()
        page.keyboard.type(title)
        page.keyboard.press("Enter")
        expect(page.get_by_label("New task")).to_have_value("")
        page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("checkbox", name="two")).to_be_focused()
    page.keyboard.press("Space")
    expect(_titles(page, "Open")).to_have_text(["three", "one"])
    expect(page.get_by_role("checkbox", name="one")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", name="three")).to_be_focused()
    # What can be undone is told once the server has it.
    expect(page.locator(".undo")).to_contain_text("“one” is done.")
    page.keyboard.press("z")
    expect(_titles(page, "Open")).to_have_text(["three", "one"])


def test_on_a_phone_a_task_is_a_finger_high_and_undo_is_in_sight(page: Page, product: Product) -> None:
    browser = page.context.browser
    assert browser is not None
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    touched = phone.new_page()
    sign_in(touched, product)
    _go(touched)
    _add(touched, "by finger")
    label = _titles(touched, "Open").first
    box = label.bounding_box()
    assert box is not None and box["height"] >= 44
    label.tap()
    expect(_titles(touched, "Open")).to_have_count(0)
    expect(touched.get_by_role("button", name="Undo")).to_be_in_viewport()
    assert touched.evaluate("document.querySelector('.middle').scrollWidth <= innerWidth")
    phone.close()


def test_a_tick_that_fails_is_taken_back_and_says_so(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("500 (Internal Server Error)")
    _go(page)
    _add(page, "stubborn")
    page.route(
        re.compile(r"/api/v1/tasks/\w+"),
        lambda route: route.fulfill(
            status=500, json={"error": {"code": "internal", "message": "Something broke here.", "next": "Try again."}}
        ),
    )
    page.get_by_role("checkbox", name="stubborn").click()
    expect(page.get_by_role("alert")).to_contain_text("Something broke here. The task is as it was. Try again.")
    expect(page.get_by_role("checkbox", name="stubborn")).not_to_be_checked()


def test_a_task_that_is_typed_survives_a_failure_and_a_reload(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("500 (Internal Server Error)")
    _go(page)
    page.route("**/api/v1/tasks", lambda route: route.fulfill(status=500, body=""))
    page.get_by_label("New task").fill("precious words")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Your words are kept here.")
    page.unroute("**/api/v1/tasks")
    page.reload()
    expect(page.get_by_label("New task")).to_have_value("precious words")
    page.get_by_role("button", name="Add").click()
    expect(_titles(page, "Open")).to_have_text(["precious words"])
