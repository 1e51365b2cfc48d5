"""Several agents at work in the chat: their steps, the word they wait for, and the graph they go through."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import PHONE, Complaints
from tests.web.fake_api import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def product() -> Iterator[Server]:
    """A product with one note."""
    with Server() as server:
        server.memory.note(body="Sleep and memory: small studies.", title="Sleep and memory")
        yield server


def _say(page: Page, text: str) -> Locator:
    page.keyboard.press("s")
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_role("button", name="Send").click()
    return page.locator(".turn").last


def _clean(page: Page) -> None:
    page.wait_for_timeout(150)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_blocked_host_asks_with_no_as_the_way_out_and_each_step_has_its_colour(page: Page) -> None:
    turn = _say(page, "several: does sleep help?")
    card = turn.get_by_role("region", name="Waiting for your word")
    expect(card).to_contain_text("May I reach example.org to read example.org/page?")
    expect(card).to_contain_text("[masked]")
    expect(card.get_by_role("button", name="Don’t allow")).to_be_focused()
    card.get_by_text("More info").click()
    expect(card).to_contain_text("Addresses inside your own network stay out of reach")
    expect(turn.locator(".step[data-tone=planner]")).to_contain_text("Look into the notes")
    _clean(page)
    card.get_by_role("button", name="Allow once").click()
    expect(turn.locator(".answer")).to_contain_text("Sleep helps a little.")
    turn.locator(".trace > summary").click()
    critic = turn.locator(".step[data-tone=critic]")
    expect(critic.first).to_contain_text("Critic, after looking facts up revise")
    expect(critic.first.locator(".state")).to_have_attribute("data-status", "failed")
    expect(turn.locator(".step[data-tone=verify] .state")).to_have_text("pass")
    expect(turn.locator(".step[data-tone=verify] .state")).to_have_attribute("data-status", "completed")
    _clean(page)


@pytest.mark.parametrize(("choice", "stored"), [("Don’t allow", False), ("Allow always", True)])
def test_each_word_on_a_host_is_taken_as_it_was_said(page: Page, product: Server, choice: str, stored: bool) -> None:
    turn = _say(page, "several")
    with page.expect_request("**/resume") as sent:
        turn.get_by_role("button", name=choice).click()
    assert sent.value.post_data_json == {"decision": "egress_allow_always" if stored else "egress_deny"}
    expect(turn.locator(".answer")).to_be_visible()
    tone = "good" if stored else "bad"
    turn.locator(".trace > summary").click()
    expect(turn.locator(f".step[data-tone={tone}]").first).to_contain_text("read example.org/page", ignore_case=True)


def test_an_answer_waits_for_its_approval_with_what_the_critic_said(page: Page) -> None:
    turn = _say(page, "several, with a gate")
    turn.get_by_role("button", name="Allow once").click()
    card = turn.get_by_role("region", name="Waiting for your word")
    expect(card).to_contain_text("May this be the answer?")
    expect(card).to_contain_text("Sleep helps a little.")
    expect(card).to_contain_text("Fine now.")
    expect(card.get_by_role("button", name="Reject the answer")).to_be_focused()
    _clean(page)
    card.get_by_role("button", name="Reject the answer").click()
    expect(turn).to_contain_text("You rejected the answer.")


def test_the_graph_follows_a_run_from_node_to_node(page: Page, product: Server) -> None:
    product.memory.chat.settings = {"agent_mode": "multi", "accuracy_mode": "accurate"}
    product.memory.chat.held = True
    _say(page, "several")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Agents").click()
    live = page.get_by_role("region", name="A run just now")
    expect(live).to_contain_text("At work just now")
    expect(live.locator("[data-node=planner]")).to_have_attribute("data-state", "active")
    product.memory.chat.held = False
    expect(live.locator("[data-node=egress_gate]")).to_have_attribute("data-state", "waiting")
    expect(live.locator("[data-node=planner]")).to_have_attribute("data-state", "done")
    expect(live.get_by_role("img")).to_have_accessible_name(
        "How the agents work together: Your message, done; Planner, done; Gather, done; Merge, done; "
        "Researcher, done; Critic, not reached; Verifier, not reached; Answer, not reached."
    )
    page.get_by_role("region", name="Waiting for your word").get_by_role("button", name="Allow once").click()
    expect(live).to_have_count(0)


def test_the_graph_is_that_of_the_chosen_mode(page: Page, product: Server) -> None:
    page.evaluate("location.hash = '#/agents'")
    expect(page.locator(".node")).to_have_count(4)
    page.get_by_label("Several agents").check()
    expect(page.locator("[data-node=critic]")).to_be_visible()
    expect(page.locator("[data-node=verifier]")).to_have_count(0)
    page.get_by_label("Accurate", exact=True).check()
    expect(page.locator("[data-node=verifier]")).to_be_visible()
    page.get_by_role("switch", name="Show me each answer").click()
    expect(page.locator("[data-node=human_gate]")).to_be_visible()
    assert product.memory.chat.settings == {"agent_mode": "multi", "accuracy_mode": "accurate", "human_gate": True}
    _clean(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate(
        "document.querySelector('.middle').scrollWidth <= document.querySelector('.middle').clientWidth"
    )
    _clean(page)


def test_a_conversation_can_begin_incognito(page: Page, product: Server, complaints: Complaints) -> None:
    page.keyboard.press("s")
    page.get_by_role("switch", name="Incognito").check()
    page.get_by_label("Message", exact=True).fill("what about sleep")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".talk")).to_contain_text("Incognito: nothing of this conversation is remembered")
    (session,) = product.memory.chat.sessions.values()
    assert session.incognito
