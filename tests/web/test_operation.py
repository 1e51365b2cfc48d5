"""Running work: what it does now, how to stop it, what to do when it failed."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import QUESTION, SOURCE, Complaints, Product, enriched, follow, save

pytestmark = pytest.mark.browser


def test_a_run_is_counted_followed_live_and_read(page: Page, product: Product) -> None:
    save(page, SOURCE)
    enriched(page)
    save(page, QUESTION, research=True)
    follow(page, product)
    expect(page.locator(".badge")).to_contain_text("1")
    state = page.locator(".now")
    expect(state).to_contain_text("Running for")
    expect(state).to_contain_text(re.compile("next look in|looking now"))
    expect(page.locator(".step").nth(2)).to_be_visible()
    expect(page.get_by_role("link", name="Read the report")).to_be_visible(timeout=15_000)
    expect(state).to_contain_text("Done after")
    numbers = page.locator(".step").count()
    page.wait_for_timeout(600)
    assert page.locator(".step").count() == numbers
    expect(page.locator(".badge")).to_have_count(0)
    page.get_by_role("link", name="Read the report").click()
    expect(page.locator(".prose .cite").first).to_be_visible()


def test_without_streams_the_same_events_come_by_polling(page: Page, product: Product) -> None:
    def as_json(route: Route) -> None:
        route.continue_(headers={**route.request.headers, "accept": "application/json"})

    page.route("**/events?*", as_json)
    page.route("**/events", as_json)
    save(page, SOURCE)
    enriched(page)
    save(page, QUESTION, research=True)
    follow(page, product)
    expect(page.locator(".steps")).to_contain_text("Done", timeout=12_000)
    labels = page.locator(".step strong").all_inner_texts()
    assert labels.count("Started") == 1
    assert labels.count("Done") == 1


def test_a_broken_stream_goes_on_where_it_was(page: Page, product: Product) -> None:
    broken = 0

    def cut(route: Route) -> None:
        nonlocal broken
        if "text/event-stream" in route.request.headers["accept"] and broken == 0:
            broken += 1
            answer = route.fetch(headers={**route.request.headers, "accept": "application/json"})
            first = answer.json()["events"][0]
            body = f"id: 1\nevent: {first['event']}\ndata: {json.dumps(first)}\n\n"
            route.fulfill(status=200, content_type="text/event-stream", body=body)
        else:
            route.continue_()

    page.route("**/events*", cut)
    save(page, SOURCE)
    enriched(page)
    save(page, QUESTION, research=True)
    follow(page, product)
    expect(page.locator(".steps")).to_contain_text("Done", timeout=12_000)
    assert broken == 1
    assert page.locator(".step strong").all_inner_texts().count("0 %") == 1


def test_cancel_stops_it_and_it_starts_anew(page: Page, product: Product) -> None:
    save(page, SOURCE)
    enriched(page)
    save(page, QUESTION, research=True)
    follow(page, product)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".now")).to_contain_text("Cancelled after")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    expect(page.locator(".steps")).to_contain_text("Cancelled")
    first = page.url
    page.get_by_role("button", name="Start anew").click()
    expect(page.get_by_role("link", name="Read the report")).to_be_visible(timeout=15_000)
    assert page.url != first


def test_a_failure_says_why_and_what_to_do(page: Page, product: Product) -> None:
    error = {"code": "upstream", "message": "The service answered with an error.", "next": "Start it anew later."}

    def fail(route: Route) -> None:
        answer = route.fetch()
        operation = {**answer.json()["operation"], "status": "failed", "error": error}
        route.fulfill(response=answer, json={"operation": operation})

    save(page, QUESTION, research=True)
    page.route(re.compile(r"/api/v1/operations/\w+$"), fail)
    follow(page, product)
    state = page.locator(".now")
    expect(state).to_contain_text("The service answered with an error. Start it anew later.")
    expect(page.get_by_role("button", name="Start anew")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_cancel_is_offered_in_the_list_and_says_what_it_stops(page: Page) -> None:
    save(page, QUESTION, research=True)
    page.evaluate("location.hash = '#/operations'")
    page.get_by_role("button", name=f"Cancel: {QUESTION}").click()
    expect(page.get_by_role("list", name="Ended")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_cancel_that_fails_says_so_in_place(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("500 (Internal Server Error)")
    save(page, QUESTION, research=True)
    page.evaluate("location.hash = '#/operations'")
    page.route("**/cancel", lambda route: route.fulfill(status=500, body=""))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".work-row").get_by_role("alert")).to_contain_text("It may still be running.")
