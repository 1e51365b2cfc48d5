"""The box where every thought begins: nothing typed is lost, nothing is saved twice."""

import base64

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


def test_a_hashtag_switches_research_on_and_the_switch_takes_it_out(page: Page, product: Product) -> None:
    box, switch = page.locator("[data-capture]"), page.get_by_role("switch")
    box.fill("Why do pears ripen?")
    expect(switch).not_to_be_checked()
    box.press_sequentially(" #garden #research")
    expect(switch).to_be_checked()
    expect(page.get_by_text("free, from your own notes · because of #research")).to_be_visible()
    switch.uncheck()
    expect(box).to_have_value("Why do pears ripen? #garden")
    box.fill("# research is only a heading here")
    expect(switch).not_to_be_checked()
    box.fill("#research Why do pears ripen?")
    expect(switch).to_be_checked()
    with page.expect_request("**/api/v1/captures") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"source": "web", "text": "#research Why do pears ripen?", "research": True}


def test_a_tag_that_asks_for_research_is_seen_on_the_switch(page: Page) -> None:
    page.locator("[data-capture]").fill("Why?")
    page.get_by_label("Tags").fill("garden, research")
    expect(page.get_by_role("switch")).to_be_checked()
    page.get_by_role("switch").uncheck()
    expect(page.get_by_label("Tags")).to_have_value("garden")


EDGES = """async ([png, box]) => {
    const image = new Image(); image.src = `data:image/png;base64,${png}`; await image.decode();
    const canvas = document.createElement("canvas"); canvas.width = image.width; canvas.height = image.height;
    const paper = canvas.getContext("2d", {willReadFrequently: true}); paper.drawImage(image, 0, 0);
    const at = (x, y) => [...paper.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)].join(" ");
    const near = (points) => points.map(([x, y]) => at(x, y));
    const { x, y, width, height } = box, steps = [-1, 0, 1, 2, 3], midX = x + width / 2, midY = y + height / 2;
    return {
        top: near(steps.map((n) => [midX, y + n])), bottom: near(steps.map((n) => [midX, y + height - 1 - n])),
        left: near(steps.map((n) => [x + n, midY])), right: near(steps.map((n) => [x + width - 1 - n, midY])),
    };
}"""


def test_the_focus_ring_of_the_box_is_whole(page: Page) -> None:
    page.locator("[data-capture]").focus()
    box = page.locator(".capture-box").bounding_box()
    png = base64.b64encode(page.screenshot()).decode()
    edges = page.evaluate(EDGES, [png, box])
    accent = "11 107 97"
    assert {side: colours.count(accent) for side, colours in edges.items()} == dict.fromkeys(edges, 2)
