"""A note: read it, follow its sources, change it, and lose nothing."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import PHONE, Complaints, Product, enriched, report, save

pytestmark = pytest.mark.browser


def _open(page: Page, title: str) -> None:
    page.locator(".row").filter(has_text=title).get_by_role("link").first.click()
    expect(page.locator(".middle h1")).to_contain_text(title)


def _patch(page: Page, product: Product, body: str) -> None:
    """Somebody else changes the open note."""
    page.evaluate(
        """([key, body]) => fetch(`/api/v1/notes/${location.hash.split('/')[2]}`, {method: 'PATCH', headers:
        {Authorization: `Bearer ${key}`, 'Content-Type': 'application/json'}, body: JSON.stringify({body})})""",
        [product.key, body],
    )


def test_a_report_opens_its_sources_and_marks_the_passage(page: Page) -> None:
    report(page)
    page.locator(".row[data-new]").get_by_role("link").first.click()
    # What the report leans on stands below its sources, too.
    expect(page.locator(".sources blockquote").first).to_contain_text("The lecturer warned that sleep studies")
    page.locator(".prose").get_by_role("button", name="Source 1").first.click()
    source = page.get_by_role("complementary")
    expect(source.locator("strong mark")).to_have_text("lecturer")
    expect(source.locator("mark").last).to_have_text(
        " warned that sleep studies about memory had fewer than 30 people."
    )
    expect(source.get_by_role("heading", level=2)).to_be_focused()
    assert "cite=1" in page.url
    page.reload()
    expect(source.locator("strong mark")).to_have_text("lecturer")
    page.keyboard.press("Escape")
    expect(source).to_have_count(0)
    page.get_by_text("How this came to be").click()
    expect(page.locator(".trace .step").first).to_be_visible()
    page.get_by_role("link", name="the note it began with").click()
    expect(page.locator(".middle h1")).to_contain_text("Does sleep help memory")
    page.get_by_role("link", name="a report").click()
    expect(page.locator(".prose .cite").first).to_be_visible()


def test_the_sentence_that_a_number_stands_behind_is_marked_where_the_source_has_it(page: Page) -> None:
    naps = "Long naps in the afternoon helped nobody to remember."

    def more(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if route.request.method == "GET" and body["note"]["kind"] == "research":
            body["note"]["body"] = f"In short, it is unclear. [cite: 1] {naps} [cite: 1]"
        elif route.request.method == "GET" and body["note"]["body"].startswith("Sleep"):
            body["note"]["body"] += f"\n\nOne more thing: {naps} So they say."
        route.fulfill(response=answer, json=body)

    report(page)
    page.route("**/api/v1/notes/*", more)
    page.locator(".row[data-new]").get_by_role("link").first.click()
    numbers = page.locator(".prose").get_by_role("button", name="Source 1")
    numbers.last.click()
    source = page.get_by_role("complementary")
    expect(source.locator("mark")).to_have_text(naps)
    # Another sentence, in the report's own words: then it is the passage that the report quotes.
    numbers.first.click()
    expect(source.locator("strong mark")).to_have_text("lecturer")
    numbers.first.click()
    expect(source).to_have_count(0)


def test_a_web_page_is_quoted_and_linked_never_fetched(page: Page) -> None:
    web = {"number": 9, "title": "RFC 9562", "url": "https://www.rfc-editor.org/rfc/rfc9562", "source_kind": "web"}

    def cite(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["note"]["body"] += "\n\nIds sort by time. [cite: 9] [cite: 77]"
        body["note"]["citations"] = [{**web, "quote": "UUIDv7 features a time-ordered value field."}]
        route.fulfill(response=answer, json=body)

    save(page, "a note")
    page.route("**/api/v1/notes/*", cite)
    _open(page, "a note")
    page.locator(".prose").get_by_role("button", name="Source 9: RFC 9562").click()
    source = page.get_by_role("complementary")
    expect(source.locator("mark")).to_have_text("UUIDv7 features a time-ordered value field.")
    expect(source.get_by_role("link", name="RFC 9562")).to_have_attribute("href", str(web["url"]))
    expect(page.locator(".prose").get_by_text("77")).to_have_attribute("title", "No such source")


def test_a_passage_that_was_edited_away_is_quoted(page: Page, product: Product) -> None:
    report(page)
    page.locator(".row").last.get_by_role("link").first.click()
    page.get_by_role("button", name="Edit").wait_for()
    _patch(page, product, "Something else.")
    page.locator(".row[data-new]").get_by_role("link").first.click()
    page.locator(".prose").get_by_role("button", name="Source 1").first.click()
    source = page.get_by_role("complementary")
    expect(source).to_contain_text("was changed since")
    expect(source.locator("blockquote")).to_contain_text("had fewer than 30 people.")


def test_editing_in_place(page: Page) -> None:
    save(page, "raw thought")
    _open(page, "raw thought")
    enriched(page)
    page.keyboard.press("e")
    page.get_by_label("Title").fill("A better title")
    page.get_by_label("Text, in Markdown").fill("Now with **weight**.")
    page.get_by_label("Text, in Markdown").press("Control+Enter")
    expect(page.locator(".middle h1")).to_have_text("A better title")
    expect(page.locator(".prose strong")).to_have_text("weight")
    expect(page.locator(".row-title")).to_have_text("A better title")


def test_a_change_elsewhere_that_does_not_collide_is_no_conflict(
    page: Page, product: Product, complaints: Complaints
) -> None:
    complaints.expected.append("409 (Conflict)")
    save(page, "raw thought")
    _open(page, "raw thought")
    enriched(page)
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Title").fill("My title")
    _patch(page, product, "their body")
    page.get_by_label("Title").press("Control+Enter")
    expect(page.locator(".middle h1")).to_have_text("My title")
    expect(page.locator(".prose")).to_have_text("their body")


def test_an_edit_survives_a_reload(page: Page) -> None:
    save(page, "raw thought")
    _open(page, "raw thought")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text, in Markdown").fill("unsaved words")
    page.reload()
    expect(page.get_by_label("Text, in Markdown")).to_have_value("unsaved words")
    page.get_by_role("button", name="Discard the edit").click()
    expect(page.locator(".prose")).to_have_text("raw thought")


@pytest.mark.parametrize(
    ("choice", "kept"),
    [("Save mine over it", "mine"), ("Take the other", "theirs"), ("Go on editing mine", "mine, and more")],
)
def test_two_versions_are_a_choice(
    page: Page, product: Product, complaints: Complaints, choice: str, kept: str
) -> None:
    complaints.expected.append("409 (Conflict)")
    save(page, "original")
    _open(page, "original")
    enriched(page)
    page.get_by_role("button", name="Edit").click()
    text = page.get_by_label("Text, in Markdown")
    text.fill("mine")
    _patch(page, product, "theirs")
    text.press("Control+Enter")
    versions = page.get_by_role("region", name="Two versions")
    expect(versions).to_contain_text("mine")
    expect(versions).to_contain_text("theirs")
    expect(page.get_by_role("button", name="Go on editing mine")).to_be_focused()
    page.get_by_role("button", name=choice).click()
    if choice.startswith("Go on"):
        expect(text).to_have_value("mine")
        text.fill(kept)
        text.press("Control+Enter")
    expect(page.locator(".prose")).to_have_text(kept)


def test_tasks_are_ticked_off_on_their_note(page: Page) -> None:
    save(page, "Call Ines about the survey")
    _open(page, "Call Ines")
    task = page.get_by_role("checkbox", name="Call Ines about the survey")
    task.click(timeout=8_000)
    expect(task).to_be_checked()
    page.reload()
    expect(task).to_be_checked()


def test_research_from_a_note_shows_refusals_in_place(page: Page, product: Product, complaints: Complaints) -> None:
    complaints.expected += ["429 (Too Many Requests)", "409 (Conflict)"]
    save(page, "what is it?")
    _open(page, "what is it?")
    page.route(
        "**/research",
        lambda route: route.fulfill(
            status=429, json={"error": {"code": "daily_limit", "message": "Ten runs are used up.", "next": "Tomorrow."}}
        ),
    )
    page.get_by_role("button", name="Research this").click()
    expect(page.get_by_role("alert")).to_contain_text("Ten runs are used up. Nothing was spent. Tomorrow.")
    page.unroute("**/research")
    page.get_by_role("button", name="Research this").click()
    expect(page.get_by_text("Research is under way")).to_be_visible()
    page.get_by_role("link", name="See what it does").click()
    expect(page.locator(".now")).to_be_visible()


def test_a_paid_run_asks_once_more_with_its_price(page: Page) -> None:
    paid = {"paid": True, "cost_usd": 3, "engine": "Deep Research"}
    page.route("**/config.json", lambda route: route.fulfill(json={"research": paid}))
    page.reload()
    save(page, "what is it?")
    _open(page, "what is it?")
    page.get_by_role("button", name="Research this").click()
    expect(page.get_by_text("Price: about $3.00, by Deep Research.")).to_be_visible()
    expect(page.get_by_role("button", name="Not now")).to_be_focused()
    page.get_by_role("button", name="Start research").click()
    expect(page.get_by_text("Research is under way")).to_be_visible()


def test_delete_and_restore_on_the_note(page: Page) -> None:
    save(page, "come and go")
    _open(page, "come and go")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("This note is in the bin.")).to_be_visible()
    expect(page.locator(".row")).to_have_count(0)
    page.locator(".in-bin").get_by_role("button", name="Restore").click()
    expect(page.get_by_text("This note is in the bin.")).to_have_count(0)
    expect(page.locator(".row")).to_have_count(1)


def test_on_a_phone_what_can_be_done_takes_one_row_above_the_title(page: Page) -> None:
    save(page, "keep me")
    enriched(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    _open(page, "keep me")
    deeds = page.locator(".note-deeds .deeds")
    tops = deeds.get_by_role("button").evaluate_all("all => [...new Set(all.map(one => one.offsetTop))]")
    assert len(tops) == 1
    expect(deeds.get_by_role("button", name="Delete")).to_have_count(0)
    deeds.get_by_role("button", name="More for this note").click()
    deeds.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("This note is in the bin.")).to_be_visible()


def test_a_missing_note_says_so(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("404 (Not Found)")
    page.evaluate("location.hash = '#/notes/01arz3ndektsv4rrffq69g5fav'")
    expect(page.get_by_role("heading", name="No such note")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.get_by_role("link", name="To the bin").click()
    expect(page.get_by_text("The bin is empty.")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("#/operations/01arz3ndektsv4rrffq69g5fav", "No such work"),
        ("#/nowhere", "Nothing is at this address"),
        ("#/tasks/1", "Nothing is at this address"),
    ],
)
def test_an_unknown_address_shows_the_ways_on(page: Page, complaints: Complaints, address: str, heading: str) -> None:
    complaints.expected.append("404 (Not Found)")
    page.evaluate("(hash) => { location.hash = hash }", address)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    ways = page.get_by_role("navigation", name="Ways on").get_by_role("link")
    expect(ways).to_have_text(["To the notes", "To running work", "To the bin"])
    ways.first.click()
    assert page.url.endswith("#/")


def test_research_is_cancelled_from_its_note(page: Page) -> None:
    save(page, "what is it?", research=True)
    _open(page, "what is it?")
    page.get_by_role("button", name="Cancel: research on this note").click()
    expect(page.get_by_text("Research was cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Research this")).to_be_visible()


def test_a_page_of_a_vault_reads_and_links_on(page: Page) -> None:
    save(page, "Walls\n\nA south wall stores warmth.")
    save(page, "---\ntitle: x\n---\n\nPears\n\nThey like [[Walls#South|a south wall]].\n\n![[photo.png]]")
    _open(page, "Pears")
    prose = page.locator(".prose")
    expect(prose).to_contain_text("photo.png (not kept here)")
    expect(prose.locator("h2, h3, hr")).to_have_count(0)
    expect(prose.locator(".properties pre")).not_to_be_visible()
    prose.get_by_text("Properties").click()
    expect(prose.locator(".properties pre")).to_have_text("title: x")
    prose.get_by_role("link", name="a south wall").click()
    expect(page.get_by_role("searchbox")).to_have_value("Walls")
    expect(page.locator(".row-title").filter(has_text="Walls")).to_have_count(1)
    page.set_viewport_size(PHONE)
    prose.get_by_role("link", name="a south wall").click()
    expect(page.locator(".row").first).to_be_visible()


def test_on_a_phone_a_source_lies_over_its_report(page: Page) -> None:
    report(page)
    page.set_viewport_size(PHONE)
    page.locator(".row[data-new]").get_by_role("link").first.click()
    cite = page.locator(".prose").get_by_role("button", name="Source 1").first
    cite.click()
    sheet = page.get_by_role("complementary")
    expect(sheet.locator("mark").first).to_be_in_viewport()
    expect(cite).to_be_in_viewport()
    page.go_back()
    expect(sheet).to_have_count(0)
    page.go_back()
    expect(page.locator(".row").first).to_be_visible()
