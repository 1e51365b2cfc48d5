"""A task and its box in a note's text agree on the real product, whichever of the two a person turns."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Local, Product, enriched, save

pytestmark = pytest.mark.browser

TEXT = "For the weekend\n\n- [ ] buy figs\n- [ ] call Anna"


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """The product as a person starts it."""
    with Local(tmp_path) as served:
        yield served


def _written(page: Page) -> Locator:
    """The text of the open note, as it is written."""
    page.get_by_role("button", name="Edit", exact=True).click()
    return page.get_by_label("Text, in Markdown")


def _leave(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_label("Text, in Markdown")).to_have_count(0)


def _box(page: Page, name: str) -> Locator:
    return page.locator(".middle .prose").get_by_role("checkbox", name=name)


def test_a_box_and_its_task_are_turned_together_and_taken_back_together(page: Page) -> None:
    save(page, TEXT)
    enriched(page)
    page.keyboard.press("Escape")
    page.locator(".row").get_by_role("link").first.click()
    figs = _box(page, "buy figs")
    figs.click()
    expect(page.locator(".undo")).to_contain_text("is done")
    expect(figs).to_be_checked()
    expect(_written(page)).to_have_value(TEXT.replace("[ ] buy", "[x] buy"))
    _leave(page)
    page.keyboard.press("z")
    expect(figs).not_to_be_checked()
    expect(page.locator(".undo")).to_have_count(0)
    expect(_written(page)).to_have_value(TEXT)

    # The other way round: what is ticked in the text is done in the list.
    text = page.get_by_label("Text, in Markdown")
    text.fill(TEXT.replace("[ ] call", "[x] call"))
    text.press("Control+Enter")
    expect(_box(page, "call Anna")).to_be_checked()
    expect(figs).not_to_be_checked()
    _written(page).fill(TEXT)
    page.get_by_label("Text, in Markdown").press("Control+Enter")
    expect(_box(page, "call Anna")).not_to_be_checked()

    # And from the list of tasks.
    page.get_by_role("link", name="Tasks").click()
    page.get_by_role("checkbox", name="call Anna").click()
    expect(page.locator(".undo")).to_contain_text("is done")
    page.locator(".row").get_by_role("link").first.click()
    expect(_box(page, "call Anna")).to_be_checked()
    expect(_written(page)).to_have_value(TEXT.replace("[ ] call", "[x] call"))


def test_a_tick_while_the_note_is_edited_elsewhere_loses_no_word(page: Page) -> None:
    save(page, TEXT)
    enriched(page)
    page.keyboard.press("Escape")
    page.locator(".row").get_by_role("link").first.click()
    _box(page, "buy figs").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    text = _written(other)
    text.fill(f"{TEXT}\n\nand figs again")
    _box(page, "buy figs").click()
    expect(page.locator(".undo")).to_contain_text("is done")
    text.press("Control+Enter")
    versions = other.get_by_role("region", name="Two versions")
    expect(versions).to_contain_text("and figs again")
    expect(versions).to_contain_text("[x] buy figs")
    other.close()


def test_a_box_that_is_written_can_be_ticked_at_once(page: Page) -> None:
    save(page, "Nothing to do yet.")
    enriched(page)
    page.keyboard.press("Escape")
    page.locator(".row").get_by_role("link").first.click()
    _written(page).fill("Now there is.\n\n- [ ] call the office")
    page.get_by_label("Text, in Markdown").press("Control+Enter")
    office = _box(page, "call the office")
    expect(office).to_be_enabled()
    office.click()
    expect(page.locator(".undo")).to_contain_text("“call the office” is done.")
    expect(_written(page)).to_have_value("Now there is.\n\n- [x] call the office")
