"""For everyone: both themes, phone and desktop, by keyboard alone, by screen reader."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import DESKTOP, PHONE, QUESTION, SOURCE, Complaints, Product, enriched, follow, save, sign_in

pytestmark = pytest.mark.browser


def _clean(page: Page) -> None:
    page.wait_for_timeout(150)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def _fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("[...document.querySelectorAll('.feed, .middle')].every(p => p.scrollWidth <= p.clientWidth)")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.slow
def test_axe_finds_nothing_in_any_room(
    browser: Browser, product: Product, complaints: Complaints, size: str, theme: str
) -> None:
    context = browser.new_context(
        viewport=PHONE if size == "phone" else DESKTOP,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    complaints.watch(page)
    complaints.expected.append("404 (Not Found)")
    page.goto(product.base_url)
    _clean(page)
    sign_in(page, product)
    _clean(page)
    page.set_viewport_size(DESKTOP)
    save(page, SOURCE)
    enriched(page)
    save(
        page,
        "Call Ines before Friday.\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n```\ncode\n```\n\n"
        "- [x] done\n- [ ] Call the doctor about the results",
    )
    save(page, QUESTION, research=True)
    follow(page, product)
    page.set_viewport_size(PHONE if size == "phone" else DESKTOP)
    expect(page.locator(".step").first).to_be_visible()
    _clean(page)
    _fits(page)
    page.get_by_role("link", name="Read the report").click(timeout=15_000)
    expect(page.locator(".prose")).to_be_visible()
    page.get_by_text("How this came to be").click()
    _clean(page)
    _fits(page)
    page.locator(".prose").get_by_role("button", name="Source 1").first.click()
    expect(page.locator(".source mark, .source .quoted").first).to_be_visible()
    _clean(page)
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    _clean(page)
    page.keyboard.press("Escape")
    page.goto(f"{product.base_url}/#/operations")
    expect(page.get_by_role("list", name="Ended")).to_be_visible()
    _clean(page)
    page.goto(f"{product.base_url}/#/")
    expect(page.locator(".row").first).to_be_visible()
    _clean(page)
    _fits(page)
    page.locator(".row").filter(has_text="Call Ines").first.get_by_role("link").first.click()
    expect(page.locator(".tasks")).to_be_visible()
    _clean(page)
    _fits(page)
    page.keyboard.press("?")
    _clean(page)
    page.keyboard.press("Escape")
    page.goto(f"{product.base_url}/#/tasks")
    expect(page.locator("[data-task]").first).to_be_visible()
    page.locator("[data-task]").first.click()
    page.locator(".done summary").click()
    _clean(page)
    _fits(page)
    page.goto(f"{product.base_url}/#/?kind=review&q=&bin=1")
    expect(page.locator(".nothing")).to_be_visible()
    _clean(page)
    page.goto(f"{product.base_url}/#/capture")
    page.locator("[data-capture]").fill("Why? #research")
    _clean(page)
    page.goto(f"{product.base_url}/#/notes/01arz3ndektsv4rrffq69g5fav")
    expect(page.get_by_role("alert")).to_be_visible()
    _clean(page)
    context.close()


def test_a_journey_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("c")
    page.keyboard.type("first thought")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row")).to_have_count(1)
    expect(page.locator("[data-capture]")).to_be_focused()
    page.keyboard.type("second thought")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".middle h1")).to_have_text("first thought")
    page.keyboard.press("e")
    expect(page.get_by_label("Text, in Markdown")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type(", improved")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".prose")).to_have_text("first thought, improved")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"#/$"))
    expect(page.locator(".row-link").last).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("second")
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press("o")
    expect(page.get_by_role("heading", name="Running work")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_every_listed_key_is_one_that_works(page: Page) -> None:
    page.keyboard.press("?")
    listed = page.locator("dialog dt").all_inner_texts()
    assert {key.strip() for key in listed} >= {"c", "/", "j", "k", "Enter", "Esc", "e", "t", "a", "z", "?"}


def test_single_keys_can_be_switched_off(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("switch", name="Single keys work").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.wait_for_timeout(100)
    expect(page).to_have_url(re.compile(r"#/$"))
    page.reload()
    page.keyboard.press("o")
    page.wait_for_timeout(100)
    expect(page).to_have_url(re.compile(r"#/$"))


def test_the_focus_goes_where_one_goes_and_comes_back(page: Page) -> None:
    save(page, "somewhere")
    page.locator(".row-link").click()
    expect(page.locator(".middle")).to_be_focused()
    page.go_back()
    expect(page.locator(".row-link")).to_be_focused()


def test_the_skip_link_skips(page: Page) -> None:
    page.reload()
    page.get_by_placeholder("Search").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to what is open")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".middle")).to_be_focused()


@pytest.mark.parametrize("width", [360, 400, 768, 895, 896, 1024, 1151, 1152, 1600])
def test_nothing_sticks_out_at_any_width(page: Page, width: int) -> None:
    save(page, "x" * 3000)
    save(page, "https://example.org/" + "y" * 400)
    save(page, "| a | b |\n|--|--|\n| " + "wide " * 80 + "| " + "z" * 300 + " |\n\n```\n" + "c" * 500 + "\n```")
    page.set_viewport_size({"width": width, "height": 800})
    _fits(page)
    for at in range(3):
        page.goto(page.url.split("#")[0] + "#/")
        page.locator(".row-link").nth(at).click(position={"x": 5, "y": 5}, force=True)
        expect(page.locator(".middle h1")).to_be_visible()
        _fits(page)
