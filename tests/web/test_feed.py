"""The feed: newest first, true by itself, and never jumping."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Product, report, save, sign_in

pytestmark = pytest.mark.browser


def test_newest_comes_first_and_search_finds_text_and_tags(page: Page) -> None:
    for text in ("alpha beta", "gamma", "delta alpha"):
        save(page, text)
    rows = page.locator(".row-title")
    expect(rows).to_have_text(["delta alpha", "gamma", "alpha beta"])
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("alpha")
    expect(rows).to_have_count(2)
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("alpha")
    expect(rows).to_have_count(2)
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_text(["delta alpha", "gamma", "alpha beta"])


def test_a_tag_filters_the_feed(page: Page) -> None:
    page.locator("[data-capture]").fill("tagged")
    page.get_by_label("Tags").fill("#special")
    page.keyboard.press("Enter")
    save(page, "plain")
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_role("link", name="#special").click()
    expect(page.locator(".row-title")).to_have_text(["tagged"])
    page.get_by_role("searchbox").fill("#special tagged")
    expect(page.locator(".row-title")).to_have_text(["tagged"])
    page.get_by_role("searchbox").fill("#special plain")
    expect(page.get_by_text("Nothing found")).to_be_visible()


def test_kinds_filter_the_feed(page: Page) -> None:
    save(page, "a note")
    save(page, "https://example.org/page")
    page.get_by_label("Kind").select_option("link")
    expect(page.locator(".row-title")).to_have_text(["example.org/page"])


def test_older_notes_come_on_demand(page: Page, product: Product) -> None:
    page.evaluate(
        """async (key) => { for (let n = 0; n < 34; n++) await fetch('/api/v1/captures', {method: 'POST', headers:
        {Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': String(n)},
        body: JSON.stringify({text: `note ${n}`})}) }""",
        product.key,
    )
    page.reload()
    expect(page.locator(".row")).to_have_count(30)
    page.get_by_role("button", name="Older notes").click()
    expect(page.locator(".row")).to_have_count(34)
    # Enrichment arrives by polling the first page; what was loaded below stays.
    expect(page.locator(".row").first).not_to_contain_text("being read", timeout=10_000)
    expect(page.locator(".row")).to_have_count(34)


def test_a_note_from_elsewhere_shows_up_while_one_looks(page: Page, product: Product) -> None:
    save(page, "mine")
    page.evaluate(
        """(key) => fetch('/api/v1/captures', {method: 'POST', headers: {Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json', 'Idempotency-Key': 'x'}, body: '{"text": "from the terminal"}'})""",
        product.key,
    )
    expect(page.locator(".row-title").first).to_have_text("from the terminal", timeout=8_000)


def test_deleting_offers_undo_and_the_bin_restores(page: Page) -> None:
    save(page, "keep me")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    expect(page.locator(".row")).to_have_count(0)
    page.keyboard.press("z")
    expect(page.locator(".row-title")).to_have_text("keep me")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    expect(page.locator(".undo")).to_contain_text("is in the bin")
    page.get_by_role("link", name="Bin").click()
    page.locator(".row").get_by_role("button", name="Restore").click()
    expect(page.get_by_text("The bin is empty.")).to_be_visible()
    page.get_by_role("link", name="Back to the notes").click()
    expect(page.locator(".row-title")).to_have_text("keep me")


def test_unread_reports_stand_out_until_they_are_opened(page: Page) -> None:
    report(page)
    new = page.locator(".row[data-new]")
    expect(page.get_by_role("heading", name="A report has come back")).to_be_visible()
    new.get_by_role("link").first.click()
    expect(page.locator(".prose .cite").first).to_be_visible()
    expect(new).to_have_count(0)
    page.reload()
    expect(page.locator(".row").first).to_be_visible()
    expect(new).to_have_count(0)


def test_a_second_device_sees_the_same(page: Page, product: Product) -> None:
    save(page, "shared")
    other = page.context.new_page()
    sign_in(other, product)
    expect(other.locator(".row-title")).to_have_text("shared")
