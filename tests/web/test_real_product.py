"""The main job in a real browser on the real product: capture, watch it run, read the report, follow a citation."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.web.conftest import DESKTOP, PHONE, Complaints, Local, Product, enriched, save

pytestmark = pytest.mark.browser
NOTES = (
    "# Espalier\n\nPears grow flat against a sunny wall when they are tied to wires every spring.",
    "# Pruning pears\n\nPruning pears in August keeps the flat shape of an espalier and lets light in.",
    "# Walls\n\nA south wall stores warmth, and pears ripen two weeks earlier in front of it.",
)
QUESTION = "How do pears grow flat against a wall?"


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """The product as a person starts it."""
    with Local(tmp_path) as served:
        yield served


def test_a_question_becomes_a_report_whose_citations_open(page: Page) -> None:
    for text in NOTES:
        save(page, text)
    expect(page.locator(".row")).to_have_count(3)
    save(page, QUESTION, research=True)
    expect(page.locator(".row[data-new]")).to_have_count(1, timeout=30_000)
    page.locator(".row[data-new]").get_by_role("link").first.click()
    expect(page.locator(".prose")).to_contain_text("wall")
    page.locator(".prose").get_by_role("button", name="Source 1").first.click()
    expect(page.get_by_role("complementary").locator("mark").first).to_be_visible()
    page.get_by_role("link", name="the note it began with").click()
    expect(page.locator(".middle")).to_contain_text(QUESTION)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_the_real_pages(page: Page, product: Product, size: ViewportSize, scheme: str) -> None:
    for text in NOTES:
        save(page, text)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for address in ("#/", "#/operations", "#/bin"):
        page.goto(f"{product.base_url}/{address}")
        page.wait_for_load_state("networkidle")
        assert Axe().run(page).response["violations"] == []


def test_a_conversation_finds_changes_asks_and_takes_back(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("422")
    save(page, "Pears ripen two weeks earlier at a south wall")
    enriched(page)
    page.get_by_role("button", name="Chat").click()
    say = page.get_by_label("Message", exact=True)
    last = page.locator(".turn").last

    def ask(text: str) -> None:
        say.fill(text)
        say.press("Enter")
        expect(last.locator(".said")).to_contain_text(text)

    ask("What did I note about pears?")
    expect(last.locator(".answer")).to_contain_text("earlier at a south wall")
    last.get_by_text("1 step").click()
    expect(last.locator(".step[data-tone=good]")).to_contain_text("Searched your notes for “")
    last.get_by_role("list", name="Sources").get_by_role("link").click()
    expect(page.locator(".middle h1")).to_contain_text("Pears ripen")
    ask("Add a task to call the library")
    last.get_by_role("button", name="Undo: Added 1 task").click()
    expect(last).to_contain_text("Undone: the task is dropped.")
    ask("Tag my last note garden")
    expect(page.locator(".row-foot")).to_contain_text("#garden")
    last.get_by_role("button", name="Undo: Changed a note").click()
    expect(page.locator(".row-foot")).not_to_contain_text("#garden")
    ask("Delete my last note")
    expect(last.locator(".going")).to_contain_text("Pears ripen")
    expect(last.get_by_role("button", name="Don’t")).to_be_focused()
    last.get_by_role("button", name="Approve").click()
    expect(page.locator(".row")).to_have_count(0)
    last.get_by_role("button", name="Undo: Moved a note to the bin").click()
    expect(page.locator(".row")).to_have_count(1)
    page.reload()
    expect(page.locator(".turn")).to_have_count(4)
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press(",")
    rounds = page.get_by_role("form", name="Rounds with tools")
    rounds.get_by_role("spinbutton").fill("99")
    page.keyboard.press("Enter")
    expect(rounds.get_by_role("alert")).to_contain_text("50")
    rounds.get_by_role("spinbutton").fill("4")
    page.keyboard.press("Enter")
    expect(rounds.get_by_text("Saved")).to_be_visible()


def test_a_search_shows_where_each_note_says_it(page: Page) -> None:
    filler = "Nothing of that here. " * 40
    save(page, f"Notes of the walk\n\n{filler}\n\n**Cafés** and a house by the <b>river</b>. {filler}")
    save(page, "Another note about nothing")
    enriched(page)
    page.get_by_placeholder("Search").fill("cafe houses")
    expect(page.locator(".row")).to_have_count(1)
    expect(page.locator(".row-text mark")).to_have_text(["Cafés", "house"])
    expect(page.locator(".row-text")).to_contain_text("Cafés and a house by the <b>river</b>.")
    expect(page.locator(".row-text mark").first).to_be_in_viewport()
    assert Axe().run(page).response["violations"] == []


def test_a_box_in_a_text_is_its_task_and_is_listed_once(page: Page) -> None:
    save(page, "Trip\n\n- [ ] Book the **train**\n- [x] Ask for leave\n\nCall the hotel about breakfast.")
    enriched(page)
    page.locator(".row-link").first.click()
    box = page.locator(".prose").get_by_role("checkbox", name="Book the train")
    expect(box).to_be_enabled()
    expect(page.get_by_role("checkbox", name="Book the train")).to_have_count(1)
    expect(page.locator("section.tasks label")).to_have_text(["Call the hotel about breakfast"])
    expect(page.locator(".prose").get_by_role("checkbox", name="Ask for leave")).to_be_checked()
    box.click()
    page.keyboard.press("z")
    expect(page.locator(".undo")).to_have_count(0)
    expect(box).not_to_be_checked()
    box.click()
    expect(page.locator(".undo")).to_contain_text("“Book the train” is done.")
    page.reload()
    expect(box).to_be_checked()
    assert Axe().run(page).response["violations"] == []
