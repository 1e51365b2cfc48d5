"""A slow server and a person who goes on meanwhile: to another room and back, or by asking again what got no answer."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.web.conftest import Complaints, Local, Product, enriched, save

pytestmark = pytest.mark.browser


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """The product as a person starts it."""
    with Local(tmp_path) as served:
        yield served


class Held:
    """Holds back requests to an address until the test lets them go."""

    def __init__(self, page: Page, path: str, method: str) -> None:
        self._page = page
        self._method = method
        self._routes: list[Route] = []
        self.requests: list[Request] = []
        page.route(re.compile(path), self._hold)

    def _hold(self, route: Route, request: Request) -> None:
        if request.method != self._method:
            route.fallback()
            return
        self.requests.append(request)
        self._routes.append(route)

    def wait(self, count: int) -> None:
        """Until so many came, ever."""
        while len(self.requests) < count:
            self._page.wait_for_timeout(10)

    def keys(self) -> list[str]:
        """The Idempotency-Key of each."""
        return [request.headers["idempotency-key"] for request in self.requests]

    def go(self) -> None:
        """The oldest reaches the server, and its answer the page."""
        self._routes.pop(0).fallback()

    def lose(self) -> None:
        """The oldest reaches the server, and its answer is lost."""
        route = self._routes.pop(0)
        route.fetch()
        route.abort()

    def refuse(self) -> None:
        """The oldest meets a server that can do nothing."""
        told = {"error": {"code": "busy", "message": "Something broke here.", "next": "Try again."}}
        self._routes.pop(0).fulfill(status=503, json=told)


def _tasks(page: Page) -> None:
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()


def _open(page: Page) -> Locator:
    return page.get_by_role("list", name="Open", exact=True).get_by_role("checkbox")


def _add(page: Page, title: str) -> None:
    page.get_by_label("New task").fill(title)
    page.keyboard.press("Enter")


def test_a_task_on_its_way_is_not_added_twice_by_who_leaves_and_comes_back(page: Page) -> None:
    _tasks(page)
    held = Held(page, r"/api/v1/tasks$", "POST")
    _add(page, "Book the train")
    held.wait(1)
    page.get_by_role("link", name="Notes", exact=True).first.click()
    _tasks(page)
    expect(page.get_by_label("New task")).to_have_value("Book the train")
    expect(page.get_by_role("button", name="Adding")).to_be_disabled()
    page.get_by_label("New task").press("Enter")
    held.go()
    expect(_open(page)).to_have_count(1)
    expect(page.get_by_label("New task")).to_have_value("")
    assert len(held.requests) == 1


def test_a_wish_keeps_its_key_until_it_is_answered_and_other_words_are_another_wish(
    page: Page, complaints: Complaints
) -> None:
    complaints.expected += ["net::ERR_FAILED", "503"]
    _tasks(page)
    held = Held(page, r"/api/v1/tasks$", "POST")
    _add(page, "Book the train")
    held.wait(1)
    held.refuse()
    expect(page.get_by_role("alert")).to_contain_text("Your words are kept here.")
    page.get_by_role("button", name="Try again").click()
    held.wait(2)
    held.refuse()
    expect(page.get_by_role("alert")).to_contain_text("Your words are kept here.")
    _add(page, "Book the train home")
    held.wait(3)
    held.go()
    expect(page.get_by_label("New task")).to_have_value("")
    _add(page, "Book the train home")
    held.wait(4)
    held.go()
    expect(_open(page)).to_have_count(2)
    first, again, other, anew = held.keys()
    assert again == first
    assert len({first, other, anew}) == 3


def test_a_tick_whose_answer_is_lost_is_told_and_shown_as_it_stands(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("net::ERR_FAILED")
    _tasks(page)
    _add(page, "Book the train")
    held = Held(page, r"/api/v1/tasks/[^?/]+$", "PATCH")
    _open(page).click()
    held.wait(1)
    held.lose()
    expect(page.get_by_role("alert").filter(has_text="It may have been done all the same.")).to_be_visible()
    expect(_open(page)).to_have_count(0)
    expect(page.get_by_text("1 task done")).to_be_visible()


def test_a_tick_on_its_way_is_shown_in_every_room_and_a_room_opens_meanwhile(page: Page) -> None:
    save(page, "For the weekend\n\n- [ ] buy figs\n- [ ] call the library")
    save(page, "Another thought")
    enriched(page)
    page.locator(".row").filter(has_text="weekend").get_by_role("link").first.click()
    figs = page.get_by_role("checkbox", name="buy figs")
    held = Held(page, r"/api/v1/tasks/[^?/]+$", "PATCH")
    figs.click()
    held.wait(1)
    _tasks(page)
    expect(_open(page)).to_have_count(1)
    page.locator(".row").filter(has_text="Another").get_by_role("link").first.click()
    expect(page.locator(".prose")).to_contain_text("Another thought")
    page.locator(".row").filter(has_text="weekend").get_by_role("link").first.click()
    expect(figs).to_be_checked()
    page.evaluate(
        """() => {
          const turned = () => [...document.querySelectorAll('.prose input[type=checkbox]')].map((box) => box.checked);
          window.seen = [];
          const look = () => { window.seen.push(turned()[0]); window.looking = requestAnimationFrame(look); };
          look();
        }"""
    )
    held.go()
    expect(page.locator(".undo")).to_contain_text("is done")
    _once_more(page, lambda: None)
    expect(figs).to_be_checked()
    assert set(page.evaluate("() => { cancelAnimationFrame(window.looking); return window.seen }")) == {True}


def _once_more(page: Page, act: Callable[[], None]) -> None:
    """Until the feed has been looked at again."""
    with page.expect_response(lambda answer: "/api/v1/notes?" in answer.url):
        act()
        page.evaluate("() => window.dispatchEvent(new Event('online'))")


def test_a_deletion_by_key_that_fails_is_told_and_can_be_tried_again(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("503")
    save(page, "One to go")
    held = Held(page, r"/api/v1/notes/[^?/]+$", "DELETE")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    held.wait(1)
    held.refuse()
    expect(page.locator(".undo")).to_contain_text("Something broke here.")
    expect(page.locator(".row")).to_have_count(1)
    page.locator(".undo").get_by_role("button", name="Try again").click()
    held.wait(2)
    held.go()
    expect(page.locator(".undo")).to_contain_text("is in the bin")
    expect(page.locator(".row")).to_have_count(0)


def test_a_late_answer_leads_nobody_away(page: Page) -> None:
    held = Held(page, r"/api/v1/chat/sessions$", "POST")
    page.evaluate("() => { location.hash = '#/chat' }")
    page.locator("[data-message]").fill("How did I sleep?")
    page.locator("[data-message]").press("Enter")
    held.wait(1)
    page.evaluate("() => { location.hash = '#/' }")
    _tasks(page)
    with page.expect_response(lambda answer: "/messages" in answer.url):
        held.go()
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    assert page.url.endswith("#/tasks")
    assert len(held.requests) == 1
