"""The feed: newest first, true by itself, and never jumping."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Product, enriched, open_bin, report, save, sign_in

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
    expect(page.locator(".row").first).not_to_contain_text("being read")
    expect(page.locator(".row")).to_have_count(34)


def test_a_note_from_elsewhere_shows_up_while_one_looks(page: Page, product: Product) -> None:
    save(page, "mine")
    page.evaluate(
        """(key) => fetch('/api/v1/captures', {method: 'POST', headers: {Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json', 'Idempotency-Key': 'x'}, body: '{"text": "from the terminal"}'})""",
        product.key,
    )
    expect(page.locator(".row-title").first).to_have_text("from the terminal")


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
    open_bin(page)
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


def test_a_note_that_its_title_says_whole_takes_no_empty_lines(page: Page) -> None:
    save(page, "Does sleep help memory?")
    row = page.locator(".row")
    expect(row).to_contain_text("being read")
    pending = row.bounding_box()
    enriched(page)
    assert row.bounding_box() == pending
    title, foot = row.locator(".row-title").bounding_box(), row.locator(".row-foot").bounding_box()
    assert title is not None and foot is not None
    assert foot["y"] - (title["y"] + title["height"]) < 8


def test_a_report_says_what_it_is_beside_its_title(page: Page) -> None:
    report(page)
    expect(page.locator(".row[data-new] .row-title")).to_contain_text("Report")
    assert page.locator(".row .row-title .kind").all_inner_texts() == ["Report"]
    # And its question is one, with its answer there.
    question = page.locator(".row").filter(has_text="Question")
    expect(question).to_have_count(1)
    expect(question.locator(".row-foot")).to_contain_text("answered")


@pytest.mark.parametrize(
    ("text", "badge"),
    [
        ("what will fail?", "research failed"),
        ("what will fail nowhere?", "no answer found"),
        ("what?", "research cancelled"),
    ],
)
def test_research_that_brought_nothing_leaves_a_badge(page: Page, text: str, badge: str) -> None:
    save(page, text, research=True)
    if badge.endswith("cancelled"):
        page.locator(".middle").get_by_role("button", name="Cancel").click()
    expect(page.locator(".row .ended")).to_have_text(badge)
    # Only a fault is red: that nothing answers is none.
    expect(page.locator(".row .ended.bad")).to_have_count(1 if badge == "research failed" else 0)
    page.locator(".row .row-link").click()
    told = {"research failed": "Research failed:", "no answer found": "No answer found."}
    expect(page.locator(".provenance")).to_contain_text(told.get(badge, "Research was cancelled."))
    expect(page.locator(".provenance .bad")).to_have_count(1 if badge == "research failed" else 0)
    page.locator(".provenance").get_by_role("link").click()
    state = {"research failed": "Failed", "no answer found": "No answer found"}.get(badge, "Cancelled")
    expect(page.locator(".now .state")).to_have_text(state)


def test_the_bin_is_searched(page: Page) -> None:
    for text in ("Green tea\n\nSteep for two minutes.", "Black tea", "Coffee"):
        save(page, text)
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.keyboard.press("Delete")
        expect(page.locator(".row")).to_have_count(0)
    open_bin(page)
    rows = page.locator(".row-title")
    expect(rows).to_have_count(3)
    page.keyboard.press("/")
    expect(page.get_by_label("Search the bin")).to_be_focused()
    page.keyboard.type("tea")
    expect(rows).to_have_text(["Black tea", "Green tea"])
    page.get_by_label("Search the bin").fill("STEEP tea")
    expect(rows).to_have_text(["Green tea"])
    # As in any other search, the words are marked where they stand.
    expect(page.locator(".row mark")).to_have_text(["tea", "Steep"])
    page.reload()
    expect(rows).to_have_text(["Green tea"])
    page.get_by_label("Search the bin").fill("water")
    expect(page.get_by_text("Nothing found in the bin.")).to_be_visible()
    page.get_by_label("Search the bin").fill("tea")
    page.locator(".row").first.get_by_role("button", name="Restore").click()
    expect(rows).to_have_text(["Green tea"])


def test_only_kinds_that_make_sense_are_offered_and_an_empty_one_is_explained(page: Page) -> None:
    save(page, "a note")
    kinds = page.get_by_label("Kind").locator("option")
    expect(kinds).to_have_text(["All kinds", "Notes", "Links", "Reports"])
    page.get_by_label("Kind").select_option("research")
    expect(page.get_by_text("A report answers a question with sources")).to_be_visible()
    page.evaluate("location.hash = '#/?kind=thesis'")
    expect(kinds).to_have_text(["All kinds", "Notes", "Links", "Reports", "Theses"])
    expect(page.get_by_text("A thesis is a claim")).to_be_visible()


def test_a_rare_kind_is_offered_once_there_is_one(page: Page) -> None:
    save(page, "a note")

    def one(route: Route) -> None:
        answer = route.fetch(url=route.request.url.replace("kind=digest", "kind=capture"))
        body = answer.json()
        route.fulfill(response=answer, json={**body, "notes": [{**note, "kind": "digest"} for note in body["notes"]]})

    page.route("**/api/v1/notes?*kind=digest*", one)
    page.reload()
    expect(page.get_by_label("Kind").locator("option")).to_have_text(
        ["All kinds", "Notes", "Links", "Reports", "Digests"]
    )


def test_a_vaults_marks_are_not_seen_in_the_feed(page: Page) -> None:
    save(page, "---\ntitle: x\ntags: [a]\n---\n\nOld pears\n\nSee [[Walls|a wall]], \\#garden.")
    expect(page.locator(".row-title")).to_have_text("Old pears")
    expect(page.locator(".row-text")).to_have_text("See a wall, #garden.")


def test_a_card_does_not_say_its_title_twice(page: Page) -> None:
    save(page, "Call the library about the book. It is overdue.")
    titled = {"title": "Call the library about the book"}

    def named(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        route.fulfill(response=answer, json={**body, "notes": [{**note, **titled} for note in body["notes"]]})

    page.route("**/api/v1/notes?*", named)
    page.reload()
    expect(page.locator(".row-title")).to_have_text("Call the library about the book")
    expect(page.locator(".row-text")).to_have_text("It is overdue.")
    page.unroute_all(behavior="wait")


def test_hashtags_around_a_text_are_tags_and_no_words_of_its_row(page: Page) -> None:
    save(page, "Who planted the pears?\n\nAnd when was it? #research")
    question = page.locator(".row").filter(has_text="Question")
    expect(question.locator(".row-title")).to_have_text("Who planted the pears?")
    expect(question.locator(".row-text")).to_have_text("And when was it?")


def test_from_the_search_one_goes_to_the_first_hit_and_walks_on(page: Page) -> None:
    for text in ("alpha one", "beta", "alpha two"):
        save(page, text)
    page.keyboard.press("Escape")
    rows = page.locator(".row-link")
    for key in ("Enter", "ArrowDown"):
        page.keyboard.press("/")
        page.keyboard.type("alpha")
        # At once, before the box has asked by itself.
        page.keyboard.press(key)
        expect(rows).to_have_count(2)
        expect(rows.first).to_be_focused()
        page.keyboard.press("j")
        expect(rows.last).to_be_focused()
        page.keyboard.press("k")
        expect(rows.first).to_be_focused()
        expect(page.get_by_role("searchbox")).to_have_value("alpha")
        # Esc leaves the box and what it found; the second one leaves that.
        page.keyboard.press("/")
        page.keyboard.press("Escape")
        expect(page.get_by_role("searchbox")).to_have_value("alpha")
        expect(page.get_by_role("searchbox")).not_to_be_focused()
        expect(rows).to_have_count(2)
        page.keyboard.press("Escape")
        expect(rows).to_have_count(3)
        expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_way_back_from_the_bin_is_whole_on_a_phone(page: Page) -> None:
    save(page, "keep me " * 30)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    page.set_viewport_size({"width": 390, "height": 844})
    open_bin(page)
    expect(page).to_have_title("Bin · Memex")
    button, foot = page.locator(".row-foot button"), page.locator(".row-foot")
    # As a finger's button would be, whatever this browser points with.
    button.evaluate("button => { button.style.minHeight = '36px' }")
    inner, outer = button.bounding_box(), page.locator(".row").bounding_box()
    assert inner is not None and outer is not None
    assert inner["height"] >= 36 and inner["y"] >= outer["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    assert foot.evaluate(
        "foot => foot.scrollHeight <= foot.clientHeight || getComputedStyle(foot).overflow !== 'hidden'"
    )


def test_the_rooms_of_every_day_come_first(page: Page) -> None:
    rooms = page.get_by_role("navigation", name="Rooms")
    expect(rooms.locator("> a, > button, > div > button")).to_have_text(
        ["Notes", "Tasks", "Chat", "Running", "Approvals", "More", "?"]
    )
    rooms.get_by_role("button", name="More").click()
    expect(rooms.get_by_role("listitem")).to_have_text(["Routines", "Memory", "Agents", "Activity", "Bin", "Settings"])


def test_an_empty_store_says_what_comes_of_a_note_and_a_quiet_one_how_to_go_on(page: Page) -> None:
    expect(page.get_by_role("heading", name="Nothing is here yet")).to_be_visible()
    page.get_by_role("button", name="Write something down").click()
    expect(page.locator("[data-capture]")).to_be_focused()
    save(page, "a note")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    page.get_by_role("button", name="Ask your notes").click()
    expect(page.get_by_label("Message", exact=True)).to_be_focused()


def test_the_tab_is_called_what_is_shown(page: Page) -> None:
    save(page, "pears")
    page.keyboard.press("Escape")
    page.locator(".row-link").click()
    expect(page).to_have_title("pears · Memex")
    for key, title in (("o", "Running work"), ("t", "Tasks"), ("p", "Approvals"), (",", "Settings")):
        page.keyboard.press(key)
        expect(page).to_have_title(f"{title} · Memex")
    page.keyboard.press("n")
    expect(page).to_have_title("Memex")
    open_bin(page)
    expect(page).to_have_title("Bin · Memex")
