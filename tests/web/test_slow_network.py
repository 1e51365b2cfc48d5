"""A slow server: what a person meant last is what stands, nothing flickers back, and nothing that was typed is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from re import compile as pattern

import pytest
from playwright.sync_api import APIResponse, Page, Request, Route, expect

from tests.web.conftest import Complaints, save
from tests.web.fake_api import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def product() -> Iterator[Server]:
    """An empty product."""
    with Server() as server:
        yield server


class Slow:
    """Requests of one kind that wait on their way to the server, or whose answers wait on their way back."""

    def __init__(self, page: Page, path: str, method: str, *, answers: bool = False) -> None:
        self._page = page
        self._method = method
        self._answers = answers
        self._held: list[tuple[Route, APIResponse | None]] = []
        self.seen = 0
        page.route(pattern(path), self._hold)

    def _hold(self, route: Route, request: Request) -> None:
        if request.method != self._method:
            route.fallback()
            return
        self.seen += 1
        self._held.append((route, route.fetch() if self._answers else None))

    def wait(self, seen: int) -> None:
        """Until so many have been sent, ever."""
        while self.seen < seen:
            self._page.wait_for_timeout(10)

    def go(self) -> None:
        """Let the oldest one through."""
        route, answer = self._held.pop(0)
        if answer is None:
            route.fallback()
        else:
            route.fulfill(response=answer)

    def answer(self, status: int, told: object) -> None:
        """Answer the oldest one in the server's place."""
        route, _ = self._held.pop(0)
        route.fulfill(status=status, json=told)


@contextmanager
def looked(page: Page, path: str) -> Iterator[None]:
    """Ends once the page has looked at this once more and shown it."""
    with page.expect_response(lambda answer: answer.request.method == "GET" and path in answer.url) as coming:
        yield
    coming.value.finished()
    page.evaluate("() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))")


def _task(page: Page) -> None:
    page.get_by_role("link", name="Tasks").click()
    page.get_by_label("New task").fill("Book the train")
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="Book the train")).to_be_visible()


def test_the_last_of_quick_clicks_stands(page: Page) -> None:
    _task(page)
    slow = Slow(page, r"/api/v1/tasks/[^?/]+$", "PATCH")
    page.get_by_role("checkbox", name="Book the train").click()
    slow.wait(1)
    page.get_by_text("1 task done").click()
    page.get_by_role("checkbox", name="Book the train").click()
    open_tasks = page.get_by_role("list", name="Open").get_by_role("checkbox")
    expect(open_tasks).to_have_count(1)
    assert slow.seen == 1
    with looked(page, "/api/v1/tasks"):
        slow.go()
        slow.wait(2)
        expect(open_tasks).to_have_count(1)
        slow.go()
    expect(open_tasks).not_to_be_checked()
    page.reload()
    expect(open_tasks).to_have_count(1)


def test_a_change_that_fails_is_shown_as_not_done_and_told(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("503")
    _task(page)
    slow = Slow(page, r"/api/v1/tasks/[^?/]+$", "PATCH")
    page.get_by_role("checkbox", name="Book the train").click()
    slow.wait(1)
    expect(page.get_by_role("list", name="Open").get_by_role("checkbox")).to_have_count(0)
    slow.answer(503, {"error": {"code": "unavailable", "message": "The store is away.", "next": "Try again."}})
    expect(page.get_by_role("list", name="Open").get_by_role("checkbox")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("The store is away.")


def test_a_look_from_before_brings_nothing_back(page: Page) -> None:
    save(page, "One to keep")
    save(page, "One to go")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.get_by_text("being read", exact=True)).to_have_count(0)
    slow = Slow(page, r"/api/v1/notes\?", "GET", answers=True)
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    slow.wait(1)
    page.locator(".row").first.hover()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    expect(page.locator(".row")).to_have_count(1)
    slow.go()
    slow.wait(2)
    expect(page.locator(".row")).to_have_text([pattern("One to keep")])
    slow.go()
    expect(page.locator(".row")).to_have_text([pattern("One to keep")])


def test_undo_at_once_waits_for_the_deletion(page: Page) -> None:
    save(page, "keep me")
    slow = Slow(page, r"/api/v1/notes/[^?/]+$", "DELETE")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    slow.wait(1)
    page.keyboard.press("z")
    slow.go()
    expect(page.locator(".undo")).to_have_count(0)
    expect(page.locator(".row-title")).to_have_text("keep me")
    page.reload()
    expect(page.locator(".row-title")).to_have_text("keep me")


def test_a_switch_that_is_turned_again_on_its_way_ends_where_it_was_put(page: Page, product: Server) -> None:
    page.keyboard.press(",")
    row = page.get_by_role("form", name="Think before answering")
    slow = Slow(page, r"/api/v1/settings$", "PUT")
    row.get_by_role("switch").click()
    slow.wait(1)
    row.get_by_role("switch").click()
    expect(row.get_by_role("switch")).not_to_be_checked()
    slow.go()
    slow.wait(2)
    slow.go()
    expect(row.get_by_text("Saved")).to_be_visible()
    expect(row.get_by_role("switch")).not_to_be_checked()
    assert product.memory.chat.settings == {"think": False}


def test_what_is_typed_while_a_setting_is_saved_stays_and_is_saved_next(page: Page, product: Server) -> None:
    page.keyboard.press(",")
    row = page.get_by_role("form", name="Time for an answer")
    field = row.get_by_role("spinbutton")
    slow = Slow(page, r"/api/v1/settings$", "PUT")
    field.fill("60")
    field.press("Enter")
    slow.wait(1)
    field.fill("90")
    slow.go()
    expect(row.get_by_text("Saving…")).to_have_count(0)
    expect(field).to_have_value("90")
    field.press("Enter")
    slow.wait(2)
    slow.go()
    expect(row.get_by_text("Saved")).to_be_visible()
    assert product.memory.chat.settings == {"turn_timeout_seconds": 90}
    page.reload()
    expect(field).to_have_value("90")


def test_what_is_typed_while_a_prompt_is_saved_stays(page: Page, product: Server) -> None:
    config = f"{product.base_url}/api/v1/agents/config"
    roster = page.request.get(config, headers={"Authorization": f"Bearer {product.key}"}).json()
    saved = [{**one, "prompt": "Judge hard."} if one["name"] == "critic" else one for one in roster["agents"]]
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Agents").click()
    form = page.get_by_role("form", name="critic")
    form.get_by_text("What it is told").first.click()
    slow = Slow(page, r"/api/v1/agents", "PUT")
    form.get_by_role("textbox").fill("Judge hard.")
    form.get_by_role("button", name="Save").click()
    slow.wait(1)
    form.get_by_role("textbox").fill("Judge hard, and say why.")
    slow.answer(200, {"agents": saved})
    expect(form.get_by_role("button", name="critic: back to the default")).to_be_enabled()
    expect(form.get_by_role("textbox")).to_have_value("Judge hard, and say why.")
    expect(form.get_by_role("button", name="Save")).to_be_enabled()
