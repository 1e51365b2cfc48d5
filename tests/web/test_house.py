"""What agents and routines leave for a person, on the real product: to decide, to answer, to read, to look up."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import DESKTOP, PHONE, Complaints, Local, Product
from tests.web.seed import Ids, fill

pytestmark = pytest.mark.browser


@pytest.fixture
def ids(tmp_path: Path) -> Ids:
    """What lies in the store before the product starts."""
    return fill(tmp_path, time.time())


@pytest.fixture
def product(tmp_path: Path, ids: Ids) -> Iterator[Product]:
    """The product as a person starts it, with agents having worked in it."""
    with Local(tmp_path) as served:
        yield served


def _go(page: Page, address: str) -> None:
    page.evaluate("(hash) => { location.hash = hash }", f"#/{address}")


def _clean(page: Page) -> None:
    """Nothing for axe, and nothing sticks out sideways, in both themes and on a phone."""
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            page.wait_for_timeout(200)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert page.evaluate("[...document.querySelectorAll('.middle')].every(p => p.scrollWidth <= p.clientWidth)")


def _card(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Waiting").get_by_role("listitem", name=name)


def test_a_proposal_is_counted_compared_and_approved_and_taken_back(page: Page, ids: Ids) -> None:
    expect(page.get_by_role("link", name="Approvals 3 waiting")).to_be_visible()
    page.keyboard.press("p")
    card = _card(page, "Change a note")
    expect(card).to_contain_text("The note leaves out how long the naps were.")
    expect(card.locator("[data-kind=removed]")).to_have_text("Taken out: Naps: mixed.")
    expect(card.locator("[data-kind=added]")).to_have_text("Added: Naps under 90 minutes: mixed.")
    expect(_card(page, "Move a note to the bin").get_by_role("button", name="Reject")).to_be_focused()
    _clean(page)
    card.get_by_role("button", name="Approve", exact=True).click()
    decided = page.get_by_role("list", name="Decided just now")
    expect(decided).to_contain_text("Approved and done")
    expect(page.get_by_role("link", name="Approvals 2 waiting")).to_be_visible()
    decided.get_by_role("button", name="Undo: Change a note").click()
    expect(decided).to_contain_text("Undone")
    _go(page, f"notes/{ids.sleep}")
    expect(page.locator(".prose")).to_contain_text("Naps: mixed.")


def test_what_was_changed_since_says_so_and_a_no_changes_nothing(page: Page, ids: Ids) -> None:
    _go(page, "approvals")
    card = _card(page, "Move a note to the bin")
    expect(card.get_by_role("status")).to_contain_text("was changed since this was proposed")
    expect(card.get_by_role("button", name="Edit")).to_have_count(0)
    card.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("list", name="Decided just now")).to_contain_text("Rejected")
    page.reload()
    page.get_by_text("Decided before").click()
    expect(page.get_by_role("list", name="Decided before")).to_contain_text("Move a note to the bin")
    _go(page, f"notes/{ids.spacing}")
    expect(page.locator(".prose")).to_contain_text("The best gap")


def test_a_proposal_is_approved_in_other_words(page: Page, ids: Ids) -> None:
    _go(page, f"approvals/{ids.digest}")
    expect(page.get_by_role("button", name="Reject")).to_be_focused()
    page.get_by_role("button", name="Edit, then approve").click()
    form = page.get_by_role("form", name="Change the proposal")
    form.get_by_label("title").fill("What Monday said")
    _clean(page)
    form.get_by_role("button", name="Approve with these words").click()
    expect(page.get_by_role("heading", name="Decided")).to_be_visible()
    expect(page.locator(".resolved")).to_contain_text("in words changed by a person")
    page.get_by_role("link", name="See the note").click()
    expect(page.locator(".middle h1")).to_have_text("What Monday said")


def test_what_a_proposal_left_out_is_an_empty_field_and_tags_are_typed_as_in_a_note(page: Page, ids: Ids) -> None:
    _go(page, f"approvals/{ids.digest}")
    page.get_by_role("button", name="Edit, then approve").click()
    form = page.get_by_role("form", name="Change the proposal")
    expect(form.get_by_label("tags")).to_have_value("")
    expect(form.get_by_label("url")).to_have_value("")
    form.get_by_label("tags").fill("home, #garden")
    form.get_by_label("text").press("Control+Enter")
    page.get_by_role("link", name="See the note").click()
    tags = page.locator(".middle").get_by_role("list", name="Tags")
    expect(tags).to_contain_text("#home")
    expect(tags).to_contain_text("#garden")


@pytest.mark.parametrize("word", ["Approve", "Reject"])
def test_a_routine_knows_what_became_of_its_proposal(page: Page, ids: Ids, word: str) -> None:
    _go(page, "routines")
    page.get_by_role("region", name="Nightly digest").get_by_role("button", name="Run now").click()
    ran = page.get_by_role("list", name="Last runs: Nightly digest").get_by_role("listitem").filter(has_text="by hand")
    ran.get_by_role("link", name="What it proposes").click()
    page.get_by_role("button", name=word, exact=True).click()
    expect(page.get_by_role("heading", name="Decided")).to_be_visible()
    _go(page, "routines")
    expect(ran).to_contain_text("was approved." if word == "Approve" else "was rejected.")
    expect(ran).not_to_contain_text("waits for your approval")
    _clean(page)
    if word == "Approve":
        ran.get_by_role("link", name="The note").click()
        expect(page.locator(".kicker")).to_contain_text("Digest")


def test_a_note_that_is_proposed_is_shown_as_it_would_look_and_as_it_is_written(page: Page, ids: Ids) -> None:
    _go(page, f"approvals/{ids.digest}")
    made = page.locator(".diff .made")
    expect(made.locator("li")).to_have_text("Studies were small 1")
    expect(page.get_by_label("As it is written")).not_to_be_visible()
    page.get_by_text("As it is written").click()
    expect(page.get_by_label("As it is written")).to_have_text(f"- Studies were small [1](#/notes/{ids.sleep})")
    _clean(page)
    made.get_by_role("link", name="1").click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    _go(page, f"approvals/{ids.digest}")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.locator(".middle .made li")).to_have_text("Studies were small 1")


def test_of_two_people_who_decide_at_once_the_second_is_told(
    page: Page, product: Product, ids: Ids, complaints: Complaints
) -> None:
    complaints.expected.append("409")
    _go(page, f"approvals/{ids.edit}")
    expect(page.get_by_role("button", name="Reject")).to_be_visible()
    said = page.evaluate(
        """async ([key, id]) => (await fetch(`/api/v1/approvals/${id}/reject`, {method: 'POST', body: '{}',
        headers: {Authorization: `Bearer ${key}`, 'Content-Type': 'application/json'}})).status""",
        [product.key, ids.edit],
    )
    assert said == 200
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This proposal was rejected at")
    page.get_by_role("button", name="See what came of it").click()
    expect(page.locator(".resolved")).to_contain_text("Rejected")


def test_a_result_shows_what_bears_each_claim_and_opens_it_beside(page: Page, ids: Ids) -> None:
    _go(page, f"operations/{ids.result}")
    expect(page.locator(".now")).to_contain_text("It could use $5.00 and 200,000 tokens. 8 % of that was used.")
    expect(page.locator(".now")).to_contain_text("The budget of tokens was used up.")
    claims = page.locator(".claims > li")
    expect(claims.nth(0)).to_contain_text("Confidence: 85 of 100")
    expect(claims.nth(1)).to_contain_text("Confidence: not judged")
    expect(claims.nth(2)).to_contain_text("No source bears this.")
    for heading in ("Risks", "Companies", "Themes", "What it means for your portfolio"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_role("region", name="Studies").get_by_role("columnheader")).to_have_text(["Study", "People"])
    expect(page.get_by_role("region", name="Night and nap").get_by_role("rowheader")).to_have_text("Effect")
    expect(page.locator(".timeline li").first).to_contain_text("2006 First")
    expect(page.locator(".artifact .bullets li")).to_have_count(2)
    failed = page.locator(".step[data-tone=bad]")
    expect(failed).to_contain_text("Could not use fetch_web: Not allowed.")
    expect(page.locator(".step").filter(has_text="Writing")).to_contain_text("Sleep helps, about half as much.")
    claims.nth(0).get_by_role("button", name="Source 1").click()
    source = page.get_by_role("complementary", name="Source 1")
    expect(source.locator("mark").first).to_contain_text("most of the classic studies")
    _clean(page)
    page.keyboard.press("Escape")
    expect(source).to_have_count(0)
    _clean(page)


def test_research_by_our_own_agents_tells_its_steps(page: Page, ids: Ids) -> None:
    _go(page, f"operations/{ids.research}")
    expect(page.locator(".kicker").last).to_have_text("Research")
    steps = page.get_by_role("list", name="What happened").get_by_role("listitem")
    expect(steps.filter(has_text="Thinking")).to_contain_text("Planned Read the notes on sleep")
    expect(steps.filter(has_text="Searched your notes for “sleep”: 2 found")).to_have_count(1)
    expect(page.locator(".step[data-tone=bad]")).to_contain_text("Could not read example.org: Not allowed.")
    expect(steps.filter(has_text="Writing")).to_contain_text("Sleep helps a little.")
    _clean(page)


def test_a_result_in_another_shape_is_not_shown_as_if_it_were_one(page: Page, ids: Ids) -> None:
    def spoil(route: Route) -> None:
        answer = route.fetch()
        operation = answer.json()["operation"]
        operation["output"]["claims"][0]["confidence"] = 200
        route.fulfill(response=answer, json={"operation": operation})

    page.route(re.compile(rf"/api/v1/operations/{ids.result}$"), spoil)
    _go(page, f"operations/{ids.result}")
    expect(page.locator(".middle")).to_contain_text("The result is not in the shape that this page knows.")
    expect(page.locator(".claims")).to_have_count(0)
    page.unroute_all(behavior="wait")


def test_a_question_is_answered_with_one_of_its_options_and_the_work_goes_on(page: Page, ids: Ids) -> None:
    _go(page, f"operations/{ids.asking}")
    asking = page.get_by_role("region", name="Its question")
    expect(asking).to_contain_text("Facts or skills?")
    expect(asking).to_contain_text("Without an answer it is cancelled on")
    _clean(page)
    asking.get_by_role("button", name="Skills").click()
    expect(page.get_by_role("button", name="Skills")).to_have_count(0)
    expect(page.locator(".steps")).to_contain_text("Going on with your answer", timeout=15_000)


def test_an_agent_is_asked_with_the_notes_that_one_picks(page: Page) -> None:
    page.keyboard.press("o")
    page.get_by_text("Ask an agent").click()
    page.get_by_label("Question", exact=True).fill("How small were the classic studies of sleep?")
    page.get_by_label("Notes it shall read").fill("lecturer")
    page.get_by_role("button", name="Pick: Sleep and memory").click()
    expect(page.get_by_role("list", name="Notes it shall read")).to_contain_text("Sleep and memory")
    _clean(page)
    page.reload()
    expect(page.get_by_label("Question", exact=True)).to_have_value("How small were the classic studies of sleep?")
    expect(page.get_by_role("list", name="Notes it shall read")).to_contain_text("Sleep and memory")
    page.get_by_label("Question", exact=True).press("Control+Enter")
    expect(page.locator(".middle h1")).to_have_text("How small were the classic studies of sleep?")
    expect(page.locator(".claims li").first).to_contain_text("fewer than 30 people", timeout=30_000)
    expect(page.locator(".sources")).to_contain_text("Sleep and memory")


def test_a_note_is_asked_about_and_others_are_added_by_keyboard(page: Page, ids: Ids) -> None:
    _go(page, f"notes/{ids.sleep}")
    page.get_by_role("button", name="Ask about this note").click()
    expect(page.get_by_label("Question", exact=True)).to_be_focused()
    picked = page.get_by_role("list", name="Notes it shall read").get_by_role("listitem")
    expect(picked).to_have_text(["Sleep and memory×"])
    finder = page.get_by_role("searchbox", name="Notes it shall read")
    finder.fill("repetition")
    page.get_by_role("button", name="Pick: Spaced repetition").wait_for()
    finder.press("Enter")
    expect(picked).to_have_count(2)
    expect(finder).to_be_focused()
    finder.press("Backspace")
    expect(picked).to_have_text(["Sleep and memory×"])
    _clean(page)
    page.get_by_role("button", name="Leave out: Sleep and memory").press("Enter")
    expect(picked).to_have_count(0)
    expect(finder).to_be_focused()


def test_a_thesis_is_judged_on_its_page_and_the_trace_tells(page: Page, ids: Ids) -> None:
    _go(page, f"notes/{ids.thesis}")
    judge = page.get_by_role("form", name="Judge the thesis")
    confidence = judge.get_by_label("Confidence, 0 to 100")
    confidence.fill("170")
    expect(judge).to_contain_text("Type a whole number from 0 to 100")
    expect(judge.get_by_role("button", name="Save")).to_be_disabled()
    confidence.fill("85")
    judge.get_by_label("Status").select_option("validated")
    _clean(page)
    judge.get_by_role("button", name="Save").click()
    expect(judge.get_by_role("button", name="Save")).to_have_count(0)
    thesis = page.get_by_role("region", name="Thesis")
    expect(thesis).to_contain_text("Confidence: 85 of 100")
    page.reload()
    expect(thesis.locator("strong").first).to_have_text("Validated: the evidence bears it")
    page.get_by_text("How this came to be").click()
    expect(page.locator(".trace .step").last).to_contain_text("You: Edited")


def test_work_that_failed_says_what_to_do_and_starts_anew(page: Page, ids: Ids) -> None:
    _go(page, f"operations/{ids.failed}")
    expect(page.locator(".now")).to_contain_text("Nothing was found. Pick notes for it, and ask again.")
    first = page.url
    page.get_by_role("button", name="Start anew").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".middle h1")).to_have_text("What does the web say?")


def test_routines_say_when_they_run_how_they_went_and_are_resumed_moved_and_run(page: Page, ids: Ids) -> None:
    _go(page, "routines")
    review = page.get_by_role("region", name="Daily review")
    expect(review).to_contain_text("It failed three times in a row.")
    expect(review).to_contain_text("The model could not be reached. Run it again later.")
    _clean(page)
    review.get_by_role("button", name="Resume").click()
    expect(review.get_by_role("button", name="Resume")).to_have_count(0)
    expect(review).to_contain_text("Next in")
    digest = page.get_by_role("region", name="Nightly digest")
    digest.get_by_label("At").fill("22:30")
    digest.get_by_role("button", name="Save the time").click()
    expect(digest.get_by_role("button", name="Save the time")).to_have_count(0)
    digest.get_by_role("switch").click()
    expect(digest).to_contain_text("It is switched off.")
    page.reload()
    expect(digest.get_by_label("At")).to_have_value("22:30")
    expect(digest.get_by_role("switch")).not_to_be_checked()
    digest.get_by_role("button", name="Run now").click()
    runs = page.get_by_role("list", name="Last runs: Nightly digest").get_by_role("listitem")
    expect(runs).to_have_count(2)
    runs.last.get_by_role("link", name="What happened").click()
    expect(page.locator(".kicker").last).to_contain_text("Routine")


def test_a_routine_leads_to_what_it_proposes_and_never_says_that_it_wrote_it(page: Page, ids: Ids) -> None:
    expect(page.get_by_role("link", name="Approvals 3 waiting")).to_be_visible()
    _go(page, "routines")
    digest = page.get_by_role("region", name="Nightly digest")
    digest.get_by_role("button", name="Run now").click()
    runs = page.get_by_role("list", name="Last runs: Nightly digest").get_by_role("listitem")
    expect(runs).to_have_count(2)
    ran = runs.filter(has_text="by hand")
    expect(ran).to_contain_text("waits for your approval")
    # The badge knows it at once, not at its next look.
    expect(page.get_by_role("link", name="Approvals 4 waiting")).to_be_visible()
    ran.get_by_role("link", name="What happened").click()
    words = "Asked for your approval to write the note “Digest of"
    expect(page.locator(".middle .step").filter(has_text="Digest of")).to_contain_text(words)
    _go(page, "activity")
    expect(page.locator(".middle .step").filter(has_text="Digest of").first).to_contain_text(words)
    page.go_back()
    page.get_by_role("link", name="What it proposes").click()
    expect(page.locator(".diff dt").first).to_have_text("title")


def test_a_long_proposal_is_read_from_its_beginning(page: Page, ids: Ids) -> None:
    page.set_viewport_size({"width": 360, "height": 420})
    _go(page, "approvals")
    no = page.get_by_role("list", name="Waiting").get_by_role("button", name="Reject").first
    expect(no).to_be_visible()
    expect(no).not_to_be_in_viewport()
    expect(no).not_to_be_focused()
    assert page.evaluate("document.querySelector('.middle').scrollTop + window.scrollY") == 0


def test_activity_tells_each_use_of_a_tool_and_what_was_given_up(page: Page, ids: Ids) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Activity").click()
    refused = page.locator(".step").filter(has_text="http_fetch")
    expect(refused).to_contain_text("Did not read example.org: a rule refused it (egress blocked)")
    refused.locator("summary").click()
    expect(refused).to_contain_text('"token": "[masked]"')
    expect(refused).to_contain_text("leaves the house or costs money")
    letter = page.locator(".step").filter(has_text="was given up")
    expect(letter).to_contain_text("A note was not read: its title, summary and tags are missing.")
    _clean(page)
    letter.get_by_role("link", name="Open the note").click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    _go(page, f"chat/{ids.session}")
    page.get_by_role("link", name="What was done here").click()
    expect(page.get_by_role("heading", name="What was done here")).to_be_visible()
    expect(page.locator(".middle .step")).to_have_count(2)


def test_activity_names_ones_own_conversations_and_no_others(page: Page, ids: Ids) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    _go(page, "activity")
    groups = page.locator(".middle .together")
    mine = groups.filter(has_text="About sleep")
    expect(mine.get_by_role("link", name="“About sleep”")).to_have_attribute("href", f"#/chat/{ids.session}")
    theirs = groups.filter(has_text="A conversation that is private, or gone")
    expect(theirs).to_have_count(1)
    expect(theirs.get_by_role("link")).to_have_text(["Only what was done in it"])
    assert not [url for url in asked if ids.theirs in url], "nobody asks for another person's conversation"
    _clean(page)


def test_a_thesis_shows_what_speaks_for_and_against_it(page: Page, ids: Ids) -> None:
    _go(page, f"notes/{ids.thesis}")
    thesis = page.get_by_role("region", name="Thesis")
    expect(thesis).to_contain_text("Active: being put to the test")
    expect(thesis).to_contain_text("Confidence: 70 of 100")
    expect(thesis.locator(".version").nth(0)).to_contain_text("For (1)")
    expect(thesis.locator(".version").nth(1)).to_contain_text("The pooled effect is real.")
    _clean(page)
    thesis.get_by_role("button", name=re.compile("^Source 1")).click()
    expect(page.get_by_role("complementary", name="Source 1")).to_contain_text("The lecturer warned")
    expect(page.get_by_role("list").filter(has_text="example.org")).to_be_visible()


def test_agents_are_told_in_ones_own_words_and_tools_are_taken_away(page: Page) -> None:
    _go(page, "agents")
    critic = page.get_by_role("form", name="critic")
    critic.get_by_text("What it is told").click()
    critic.get_by_label("What the critic is told").fill("Be kind.")
    critic.get_by_role("button", name="Save").click()
    expect(critic.get_by_role("button", name="back to the default")).to_be_visible()
    researcher = page.get_by_role("form", name="researcher")
    researcher.get_by_text("Which tools it may use").click()
    researcher.get_by_label("web_search").click()
    expect(researcher.get_by_label("web_search")).not_to_be_checked()
    _clean(page)
    page.reload()
    expect(critic.get_by_label("What the critic is told")).to_have_value("Be kind.")
    critic.get_by_role("button", name="back to the default").click()
    expect(critic.get_by_role("button", name="back to the default")).to_have_count(0)
    researcher.get_by_text("Which tools it may use").click()
    expect(researcher.get_by_label("web_search")).not_to_be_checked()


def test_a_server_that_cannot_be_asked_is_kept_with_the_reason_and_its_secret_is_not_shown(page: Page) -> None:
    page.keyboard.press(",")
    page.get_by_text("Add a server").click()
    form = page.get_by_role("form", name="Add a server")
    form.get_by_label("Name, in small letters").fill("weather")
    form.get_by_label("Address").fill("https://mcp.example.org/")
    form.get_by_label("Headers with its secrets").fill("secret-without-a-name")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("Write one header on each line")
    form.get_by_label("Headers with its secrets").fill("Authorization: Bearer planted-secret")
    form.get_by_role("button", name="Add", exact=True).click()
    server = page.get_by_role("listitem", name="weather")
    expect(server).to_contain_text("can’t be asked")
    expect(server).to_contain_text("sends Authorization")
    assert "planted-secret" not in page.content()
    expect(form.get_by_label("Headers with its secrets")).to_have_value("")
    _clean(page)
    server.get_by_role("button", name="Remove: weather").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.get_by_role("button", name="Remove it").click()
    expect(server).to_have_count(0)


FACT = "I live in Lisbon."


def _remember(page: Page) -> None:
    """Switch memory on, say something of oneself, and wait until it is listed."""
    _go(page, "memory")
    expect(page.locator(".middle")).to_contain_text("Nothing is remembered.")
    page.get_by_role("switch", name="Remember what conversations say of me").check()
    page.keyboard.press("s")
    page.get_by_label("Message", exact=True).fill(f"{FACT} I prefer green tea in the morning.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".turn .answer")).to_be_visible()
    # What is kept is seen before it is proved; only then it is known where it comes from. Nobody is told otherwise.
    for _ in range(40):
        page.reload()
        page.locator(".setting").wait_for()
        page.wait_for_timeout(300)
        assert page.locator(".memory", has_text="nobody knows").count() == 0
        if page.locator(".memory", has_text="From a conversation").count() > 0:
            break


def test_the_memory_service_is_tested_by_a_button_that_shows_its_receipts(page: Page) -> None:
    _go(page, "memory")
    page.get_by_role("button", name="Test the memory service").click()
    proofs = page.get_by_role("list", name="Proofs of the test").get_by_role("listitem")
    expect(proofs).to_have_count(2)
    expect(page.get_by_role("region", name="Test of the memory service")).to_contain_text("It works")
    for proof, hits in zip(proofs.all(), ("1", "0"), strict=True):
        expect(proof).to_contain_text("proved")
        expect(proof.get_by_role("cell")).to_have_text(["1", hits, "0"] * 4)
    _clean(page)
    page.get_by_role("button", name="Test it again").click()
    expect(page.get_by_role("button", name="Test it again")).to_be_enabled()


def test_a_memory_that_is_being_proved_says_so(page: Page) -> None:
    at = "2026-06-15T12:00:00Z"
    blocked = {"case": "unknown_source", "verdict": "uncertain", "decision": "block", "safe_action": "Forget it."}
    memory = {"id": "m1", "fact": FACT, "created_at": at, "updated_at": at, "origin": None, "judgement": blocked}
    made = {"id": "01", "kind": "memory_generation", "status": "running", "created_at": at, "updated_at": at}
    running = [made]
    page.route("**/api/v1/memories?*", lambda route: route.fulfill(json={"memories": [memory], "next_cursor": None}))
    page.route("**/api/v1/operations?*", lambda route: route.fulfill(json={"operations": running, "next_cursor": None}))
    page.clock.install()
    _go(page, "memory")
    row = page.get_by_role("listitem", name=FACT)
    expect(row).to_contain_text("It is being proved. It is used once that is done.")
    expect(row).not_to_contain_text("obody knows")
    _clean(page)
    # Without such work, nobody will ever know it.
    running.clear()
    page.clock.run_for(2_500)
    expect(row).to_contain_text("From a source that nobody knows")
    page.unroute_all(behavior="wait")


def test_what_is_said_in_the_chat_appears_on_the_memory_page_beside_it_and_is_one_line_of_running_work(
    page: Page,
) -> None:
    _go(page, "memory")
    page.get_by_role("switch", name="Remember what conversations say of me").check()
    expect(page.locator(".middle")).to_contain_text("Nothing is remembered yet.")
    page.keyboard.press("s")
    page.get_by_label("Message", exact=True).fill(f"{FACT} I prefer green tea in the morning. Please remember that.")
    page.get_by_role("button", name="Send").click()
    memory = page.get_by_role("listitem", name=FACT)
    # Nobody reloads; and the page alone would look again later than that.
    expect(memory).to_contain_text("From a conversation", timeout=13_000)
    expect(page.locator(".memory")).to_have_count(2)
    _clean(page)
    _go(page, "operations")
    folded = page.get_by_text("Remembering: 1 done")
    expect(folded).to_be_visible()
    expect(page.get_by_role("link", name="What a conversation said of you")).to_have_count(0)
    folded.click()
    expect(page.get_by_role("list", name="Remembering").get_by_role("listitem")).to_contain_text("Done")


def test_a_memory_says_where_it_comes_from_and_is_corrected_brought_back_and_forgotten(page: Page) -> None:
    page.clock.install()
    _remember(page)
    memory = page.get_by_role("listitem", name=FACT)
    expect(memory).to_contain_text("From a conversation, since")
    expect(memory).to_contain_text("Used where it fits a question. Written, found and proved to be yours.")
    page.get_by_text("Receipts: the proofs").click()
    receipts = page.get_by_role("list", name="Receipts").get_by_role("listitem")
    expect(receipts.first).to_contain_text("proved")
    expect(receipts.first.get_by_role("rowheader")).to_have_text(
        ["By name", "The list", "Everything of yours", "Nearest to a question"]
    )
    page.keyboard.press("s")
    _clean(page)
    memory.get_by_role("button", name=f"Edit: {FACT}").click()
    page.get_by_label("What it shall say").fill("I live in Porto.")
    page.get_by_role("button", name="Save", exact=True).last.click()
    changed = page.get_by_role("listitem", name="I live in Porto.")
    expect(changed).to_contain_text("In your own words")
    changed.get_by_text("Earlier versions").click()
    changed.get_by_role("button", name=f"Bring back: {FACT}").click()
    expect(memory).to_contain_text("Brought back from an earlier version")
    # Until it is done it can be taken back.
    memory.get_by_role("button", name=f"Forget: {FACT}").click()
    page.get_by_role("button", name=f"Undo, keep: {FACT}").click()
    page.clock.run_for(20_000)
    expect(memory).to_be_visible()
    memory.get_by_role("button", name=f"Forget: {FACT}").click()
    page.clock.run_for(9_000)
    expect(page.locator(".memory").filter(has_text="Forgotten")).to_contain_text("Forgotten: proved.")
    page.reload()
    expect(page.locator(".memory")).to_have_count(1)
    expect(memory).to_have_count(0)
    page.get_by_role("button", name="Forget everything").click()
    expect(page.get_by_role("button", name="Keep everything")).to_be_focused()
    page.get_by_role("button", name="Forget everything for good").click()
    expect(page.locator(".middle")).to_contain_text("Nothing is remembered yet.")
