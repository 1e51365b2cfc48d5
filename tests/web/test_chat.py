"""The chat beside the notes: an answer as it comes, what it did and how to take it back, and what asks first."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import DESKTOP, PHONE, Complaints, sign_in
from tests.web.fake_api import Memory, Server

pytestmark = pytest.mark.browser
SLEEP = "Sleep and memory: most of the classic studies were small."


@pytest.fixture
def product() -> Iterator[Server]:
    """A product with one note."""
    with Server() as server:
        server.memory.note(body=SLEEP, title="Sleep and memory")
        yield server


def _open(page: Page) -> None:
    page.keyboard.press("s")
    page.get_by_label("Message", exact=True).wait_for()


def _say(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_role("button", name="Send").click()


def _answered(page: Page, text: str = "You noted this") -> None:
    expect(page.locator(".turn").last.locator(".answer")).to_contain_text(text)
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def _hrefs(page: Page) -> list[str]:
    found: list[str] = page.locator(".answer a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return found


def _in_the_bin(memory: Memory) -> list[str]:
    return [str(note["body"]) for note in memory.notes.values() if note["deleted_at"] is not None]


def _clean(page: Page) -> None:
    page.wait_for_timeout(150)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_question_is_answered_from_the_notes_and_its_sources_open_beside_it(page: Page) -> None:
    _open(page)
    _say(page, "What did I note about sleep?")
    _answered(page)
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    turn = page.locator(".turn")
    expect(turn.locator(".said")).to_contain_text("What did I note about sleep?")
    # Folded once the answer is there, openable.
    expect(turn.locator(".step").first).not_to_be_visible()
    turn.get_by_text("2 steps, 321 tokens").click()
    # A call and its answer are one, in a sentence; the data is folded below it.
    expect(turn.locator(".step")).to_have_count(2)
    told = "Searched your notes for “What did I note about sleep"
    expect(turn.locator(".step summary").filter(has_text=told)).to_have_count(1)
    tones = turn.locator(".step").evaluate_all("rows => rows.map(row => row.dataset.tone)")
    assert tones == ["thinking", "good"]
    turn.get_by_role("list", name="Sources").get_by_role("link", name="Sleep and memory").click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    expect(page.locator(".chat .answer")).to_be_visible()
    # What a screen reader hears, without losing its place.
    expect(page.locator("[aria-live=polite]")).to_contain_text("Memex answered: You noted this")


def test_a_hostile_answer_makes_no_link_and_loads_no_picture(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    _open(page)
    _say(page, "anything")
    _answered(page)
    expect(page.locator(".answer img")).to_have_count(0)
    hrefs = _hrefs(page)
    assert hrefs and all(re.match(r"#/notes/", href) for href in hrefs)
    assert not [url for url in asked if "example.org" in url]


def test_what_it_does_is_said_while_it_does_it_and_can_be_stopped(page: Page, product: Server) -> None:
    chat = product.memory.chat
    chat.held = True
    _open(page)
    _say(page, "find sleep")
    expect(page.locator(".doing")).to_have_text("Reading your message…")
    expect(page.get_by_role("button", name="Send")).to_have_count(0)
    page.get_by_label("Message", exact=True).fill("the next thought")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Message", exact=True)).to_have_value("the next thought")
    page.get_by_role("button", name="Stop").click()
    # Nothing stands above, so nothing is said to.
    expect(page.locator(".turn .problem")).to_have_text("Stopped. Nothing was changed.")
    chat.held = False
    page.get_by_role("button", name="Try again").click()
    _answered(page)
    expect(page.locator(".said")).to_have_count(2)
    expect(page.locator(".said").last).to_contain_text("find sleep")
    # The draft of the next message was nobody's business.
    expect(page.get_by_label("Message", exact=True)).to_have_value("the next thought")
    page.locator(".turn").last.locator("summary").first.click()
    expect(page.locator(".turn").last.get_by_text("Interpreted request")).to_be_visible()


def test_text_streams_and_the_stored_answer_takes_its_place(page: Page, product: Server) -> None:
    chat = product.memory.chat
    chat.pace = ["You **are**", " reading this"]
    _open(page)
    _say(page, "speak slowly")
    expect(page.locator(".answer strong")).to_have_text("are")
    expect(page.locator(".doing")).to_have_text("Writing the answer…")
    chat.held = False
    _answered(page, "You are reading this")
    expect(page.locator(".answer")).to_have_count(1)


def test_an_answer_links_only_to_what_was_read_and_to_nothing_while_it_streams(page: Page, product: Server) -> None:
    read, invented = "https://example.org/read", "https://example.org/invented"
    forms = "[one]({0} 'x') [t[w]o]({0}) [three][{1}] <{0}> {0} [[four]]\n\n[{1}]: {0}"
    text = "\n\n".join([forms.format(read, "r"), forms.format(invented, "i"), "[five](#/notes/01x) The end"])
    chat = product.memory.chat
    chat.pace, chat.links = [text, "."], [read]
    _open(page)
    _say(page, "speak slowly")
    expect(page.locator(".answer")).to_contain_text("The end")
    assert _hrefs(page) == []
    chat.held = False
    _answered(page, "The end.")
    assert _hrefs(page) == [read] * 5
    expect(page.locator(".answer")).to_contain_text(f"one t[w]o three {invented} {invented} four")
    page.reload()
    _answered(page, "The end.")
    assert _hrefs(page) == [read] * 5


def test_enter_sends_and_shift_enter_breaks_the_line(page: Page, product: Server) -> None:
    _open(page)
    page.get_by_label("Message", exact=True).click()
    page.keyboard.type("first line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second line")
    page.keyboard.press("Enter")
    _answered(page)
    assert next(iter(product.memory.chat.events.values()))[0]["text"] == "first line\nsecond line"
    page.get_by_label("Message", exact=True).fill("by any keyboard")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".said")).to_have_count(2)


def test_on_a_phone_enter_breaks_the_line_and_the_chat_is_a_page(
    browser: Browser, product: Server, complaints: Complaints
) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    complaints.watch(page)
    sign_in(page, product)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Chat").tap()
    expect(page).to_have_url(re.compile("#/chat$"))
    page.get_by_label("Message", exact=True).tap()
    page.keyboard.type("one")
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    expect(page.get_by_label("Message", exact=True)).to_have_value("one\ntwo")
    page.get_by_role("button", name="Send").tap()
    _answered(page)
    expect(page).to_have_url(re.compile("#/chat/"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("list", name="Sources").get_by_role("link").first.tap()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    page.go_back()
    expect(page.locator(".answer")).to_be_visible()
    page.get_by_role("link", name="All conversations").tap()
    expect(page.get_by_role("list", name="Conversations").get_by_role("link")).to_have_text(["one two"])
    context.close()


def test_drafts_survive_a_reload_each_with_its_conversation(page: Page, product: Server) -> None:
    for title in ("first", "second"):
        product.memory.chat.session(title)
    _open(page)
    page.get_by_label("Message", exact=True).fill("a new one")
    for title in ("first", "second"):
        page.get_by_role("link", name=title).click()
        page.get_by_label("Message", exact=True).fill(f"to the {title}")
        page.get_by_role("link", name="All conversations").click()
    page.reload()
    expect(page.get_by_label("Message", exact=True)).to_have_value("a new one")
    for title in ("first", "second"):
        page.get_by_role("link", name=title).click()
        expect(page.get_by_label("Message", exact=True)).to_have_value(f"to the {title}")
        page.get_by_role("link", name="All conversations").click()


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ((503, "not_configured", "Nothing here serves the chat model x.", "Choose another."), "Nothing here serves"),
        ((429, "too_many", "Too many at once.", "Wait a moment."), "Too many at once"),
        ((401, "unauthorized", "This key is not known.", "Sign in again."), "Not sent yet"),
    ],
)
def test_a_message_that_is_not_taken_is_kept(
    page: Page, product: Server, complaints: Complaints, refusal: tuple[int, str, str, str], told: str
) -> None:
    complaints.expected.append(str(refusal[0]))
    chat = product.memory.chat
    chat.session("talk")
    chat.refusal = refusal
    _open(page)
    page.get_by_role("link", name="talk").click()
    _say(page, "keep me")
    expect(page.locator(".foot .problem")).to_contain_text(told)
    expect(page.locator(".foot .problem")).to_contain_text("What you typed is kept here.")
    expect(page.get_by_label("Message", exact=True)).to_have_value("keep me")
    if refusal[1] == "not_configured":
        page.get_by_role("link", name="Choose another model").click()
        expect(page.locator(".middle h1")).to_have_text("Settings")
    page.reload()
    expect(page.get_by_label("Message", exact=True)).to_have_value("keep me")


def test_a_message_lost_on_its_way_is_sent_once(page: Page, product: Server, complaints: Complaints) -> None:
    complaints.expected += ["ERR_FAILED", "ERR_INTERNET_DISCONNECTED"]
    chat = product.memory.chat
    session = chat.session("talk")
    _open(page)
    page.get_by_role("link", name="talk").click()
    expect(page.get_by_role("button", name="Rename")).to_be_visible()
    before = len(chat.events[session.id])

    def answer_lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/messages", answer_lost)
    _say(page, "only once")
    expect(page.locator(".foot .problem")).to_contain_text("Not sent yet.")
    expect(page.get_by_label("Message", exact=True)).to_have_value("only once")
    page.unroute("**/messages")
    page.get_by_role("button", name="Send").click()
    _answered(page)
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    assert [event["type"] for event in chat.events[session.id][before:]].count("user") == 1


def test_an_answer_goes_on_after_a_reload_and_after_a_broken_connection(page: Page, product: Server) -> None:
    chat = product.memory.chat
    chat.held, chat.cut = True, True
    _open(page)
    _say(page, "go on")
    expect(page.locator(".doing")).to_be_visible()
    chat.held = False
    _answered(page)
    chat.held, chat.cut = True, False
    _say(page, "go on again")
    expect(page.locator(".said")).to_have_count(2)
    page.reload()
    expect(page.locator(".doing")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    chat.held = False
    _answered(page)
    expect(page.locator(".said")).to_have_count(2)


def test_a_turn_that_runs_elsewhere_is_shown_and_the_message_kept(
    page: Page, product: Server, complaints: Complaints
) -> None:
    complaints.expected.append("409")
    chat = product.memory.chat
    session = chat.session("talk")
    _open(page)
    page.get_by_role("link", name="talk").click()
    expect(page.get_by_role("button", name="Rename")).to_be_visible()
    chat.said(session.id, "from another window")
    _say(page, "mine")
    expect(page.locator(".said")).to_contain_text("from another window")
    expect(page.locator(".foot .problem")).to_contain_text("An answer is still being written")
    expect(page.get_by_label("Message", exact=True)).to_have_value("mine")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_an_interrupted_turn_says_what_it_had_done(page: Page, product: Server) -> None:
    chat = product.memory.chat
    chat.held = True
    _open(page)
    _say(page, "add a task and fail")
    expect(page.locator(".doing")).to_have_text("Reading your message…")
    chat.held = False
    problem = page.locator(".turn .problem")
    expect(problem).to_contain_text("The model answered with an error.")
    expect(problem).to_contain_text("By then it had done this: added 1 task.")
    chat.held = True
    _say(page, "another question")
    expect(page.locator(".said")).to_have_count(2)
    chat.killed = True
    expect(page.locator(".turn .problem").last).to_contain_text("The answer was interrupted.")
    expect(page.locator(".turn .problem").last).to_contain_text("Nothing was changed.")
    page.reload()
    expect(page.locator(".turn .problem").last).to_contain_text("The answer was interrupted.")


def test_a_deletion_asks_first_shows_what_would_go_and_can_be_undone(page: Page, product: Server) -> None:
    memory = product.memory
    _open(page)
    _say(page, "delete my last note")
    card = page.get_by_role("region", name="Waiting for your word")
    expect(card).to_contain_text("Sleep and memory")
    expect(card).to_contain_text("It takes something away")
    expect(card).to_contain_text("Open for another 1 day")
    expect(card.get_by_role("button", name="Don’t")).to_be_focused()
    # A reload changes nothing about it.
    page.reload()
    expect(card.get_by_role("button", name="Don’t")).to_be_visible()
    card.get_by_role("button", name="Approve").click()
    _answered(page, "It is done.")
    expect(card).to_have_count(0)
    assert _in_the_bin(memory) == [SLEEP]
    page.get_by_role("button", name="Undo: Moved a note to the bin").click()
    expect(page.get_by_role("list", name="Changes")).to_contain_text("Undone: the note is back among the others.")
    assert _in_the_bin(memory) == []
    page.reload()
    expect(page.get_by_role("list", name="Changes")).to_contain_text("Undone")
    expect(page.get_by_role("button", name="Undo: Moved a note to the bin")).to_have_count(0)


def test_no_is_one_key_away_and_nothing_happens(page: Page, product: Server) -> None:
    _open(page)
    _say(page, "fetch the page")
    card = page.get_by_role("region", name="Waiting for your word")
    expect(card).to_contain_text("https://example.org/page")
    expect(card).to_contain_text("(hidden)")
    expect(card.get_by_role("button", name="Don’t")).to_be_focused()
    page.keyboard.press("Enter")
    _answered(page, "Then it stays.")


def test_a_new_message_counts_as_no(page: Page) -> None:
    _open(page)
    _say(page, "delete my last note")
    card = page.get_by_role("region", name="Waiting for your word")
    expect(card).to_be_visible()
    expect(page.get_by_text("A new message counts as no to the question above")).to_be_visible()
    _say(page, "what about sleep?")
    _answered(page)
    expect(card).to_have_count(0)
    expect(page.locator(".turn").first.locator(".problem")).to_contain_text("Nothing of it was done.")


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (409, "already_resumed", "This question was answered already."),
        (410, "approval_expired", "The question was open for too long and counts as declined."),
        (403, "not_yours", "This run belongs to someone else."),
    ],
)
def test_a_word_that_comes_too_late_is_told_why(
    page: Page, product: Server, complaints: Complaints, status: int, code: str, message: str
) -> None:
    complaints.expected.append(str(status))
    _open(page)
    _say(page, "delete my last note")
    card = page.get_by_role("region", name="Waiting for your word")
    expect(card.get_by_role("button", name="Approve")).to_be_enabled()
    product.memory.chat.refusal = (status, code, message, "Ask again.")
    card.get_by_role("button", name="Approve").click()
    expect(page.locator(".foot .problem")).to_contain_text(message)
    assert _in_the_bin(product.memory) == []


def test_a_change_is_taken_back_in_one_step_or_says_why_not(
    page: Page, product: Server, complaints: Complaints
) -> None:
    complaints.expected.append("409")
    memory = product.memory
    _open(page)
    _say(page, "add a task to call the library")
    _answered(page, "on your list")
    task = next(iter(memory.tasks.values()))
    task["status"] = "done"
    undo = page.get_by_role("button", name="Undo: Added 1 task")
    undo.click()
    changes = page.get_by_role("list", name="Changes")
    expect(changes).to_contain_text("The task was changed since.")
    expect(changes).to_contain_text("Nothing was undone.")
    task["status"] = "open"
    undo.click()
    expect(changes).to_contain_text("Undone: the task is dropped.")
    assert task["status"] == "dropped"


def test_the_last_message_can_be_edited(page: Page) -> None:
    _open(page)
    _say(page, "What about sleap?")
    _answered(page)
    page.get_by_role("button", name="Edit message").click()
    box = page.get_by_label("Message", exact=True)
    expect(box).to_have_value("What about sleap?")
    expect(box).to_be_focused()


def test_conversations_are_listed_renamed_and_deleted_with_a_question(page: Page, product: Server) -> None:
    chat = product.memory.chat
    chat.session("kept")
    waits = chat.session("waits")
    chat.said(waits.id, "x")
    chat.stand(waits.id, "waiting")
    _open(page)
    conversations = page.get_by_role("list", name="Conversations")
    expect(conversations.get_by_role("link")).to_have_text(["waits", "kept"])
    expect(conversations.get_by_role("listitem").first).to_contain_text("waits for your word")
    page.get_by_role("link", name="kept").click()
    page.get_by_role("button", name="New").click()
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    page.get_by_role("link", name="kept").click()
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill("a better name")
    page.keyboard.press("Enter")
    expect(page.locator(".chat-head h2")).to_have_text("a better name")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Rename")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(conversations.get_by_role("link")).to_have_text(["waits"])
    assert [session.title for session in chat.sessions.values()] == ["waits"]


def test_the_column_opens_by_key_keeps_its_width_and_leaves_the_note_open(page: Page, product: Server) -> None:
    product.memory.chat.session("talk")
    page.locator(".row-link").first.click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    expect(page.locator(".chat")).to_have_count(0)
    _open(page)
    before = page.locator(".chat").bounding_box()
    page.get_by_role("separator", name="Width of the chat").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    after = page.locator(".chat").bounding_box()
    assert before and after and after["width"] == pytest.approx(before["width"] + 48, abs=2)
    page.get_by_role("link", name="talk").click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")
    page.reload()
    expect(page.locator(".chat-head h2")).to_have_text("talk")
    again = page.locator(".chat").bounding_box()
    assert again and again["width"] == pytest.approx(after["width"], abs=1)
    page.keyboard.press("s")
    expect(page.locator(".chat")).to_have_count(0)
    page.reload()
    page.get_by_placeholder("Search").wait_for()
    expect(page.locator(".chat")).to_have_count(0)


def test_a_link_to_a_conversation_opens_it(page: Page, product: Server, complaints: Complaints) -> None:
    complaints.expected.append("404")
    session = product.memory.chat.session("talk")
    page.goto(f"{product.base_url}/#/chat/{session.id}")
    expect(page.locator(".chat-head h2")).to_have_text("talk")
    page.goto(f"{product.base_url}/#/chat/01arz3ndektsv4rrffq69g5fav")
    expect(page.locator(".chat .problem")).to_contain_text("There is no such conversation.")


def test_a_long_conversation_pages_backward_and_stays_where_one_reads(page: Page, product: Server) -> None:
    chat = product.memory.chat
    session = chat.session("long")
    for number in range(130):
        run_id = chat.said(session.id, f"question {number}")
        chat.tell(session.id, run_id, type="text", text=f"answer {number}")
        chat.stand(session.id, "done")
    page.goto(f"{product.base_url}/#/chat/{session.id}")
    expect(page.locator(".said").last).to_contain_text("question 129")
    expect(page.locator(".said").last).to_be_in_viewport()
    expect(page.locator(".said")).to_have_count(100)
    page.locator(".log").evaluate("log => { log.scrollTop = 0 }")
    page.get_by_role("button", name="Earlier messages").click()
    expect(page.locator(".said")).to_have_count(130)
    expect(page.get_by_role("button", name="Earlier messages")).to_have_count(0)
    expect(page.locator(".said").filter(has_text="question 30")).to_be_in_viewport()


def test_whoever_is_new_is_told_what_one_can_say(page: Page) -> None:
    _open(page)
    for words in ("What did I note about", "Add a task to", "Tag my last note", "Research"):
        page.get_by_role("button", name=words).click()
        box = page.get_by_label("Message", exact=True)
        expect(box).to_be_focused()
        assert box.input_value().splitlines()[-1].startswith(words)
        box.fill("")
    page.get_by_role("button", name="What did I note about").click()
    page.keyboard.type("sleep?")
    page.keyboard.press("Enter")
    _answered(page)


def test_the_whole_way_by_keyboard(page: Page) -> None:
    page.keyboard.press("s")
    page.keyboard.press("m")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    page.keyboard.type("delete my last note")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Don’t")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    _answered(page, "It is done.")
    page.keyboard.press("m")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.locator(".chat")).to_have_count(0)
    page.keyboard.press("?")
    listed = page.locator("dialog dt").all_inner_texts()
    assert {key.strip() for key in listed} >= {"s", "m", ","}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.slow
def test_axe_finds_nothing_in_the_chat(
    browser: Browser, product: Server, complaints: Complaints, size: str, theme: str
) -> None:
    context = browser.new_context(
        viewport=PHONE if size == "phone" else DESKTOP,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    complaints.watch(page)
    complaints.expected.append("503")
    sign_in(page, product)
    chat = product.memory.chat
    page.goto(f"{product.base_url}/#/chat")
    page.get_by_role("button", name="Add a task to").wait_for()
    _clean(page)
    chat.held = True
    _say(page, "find sleep")
    expect(page.locator(".doing")).to_be_visible()
    _clean(page)
    chat.held = False
    _answered(page)
    page.locator(".turn summary").first.click()
    _say(page, "a task")
    _answered(page, "on your list")
    _clean(page)
    _say(page, "a task that will fail")
    expect(page.locator(".turn .problem")).to_be_visible()
    _say(page, "delete my last note")
    expect(page.locator(".going a")).to_be_visible()
    _clean(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('.log').scrollWidth <= document.querySelector('.log').clientWidth")
    chat.refusal = (503, "not_configured", "Nothing here serves the chat model x.", "Choose another.")
    _say(page, "one more")
    expect(page.locator(".foot .problem")).to_be_visible()
    page.get_by_role("button", name="Delete", exact=True).click()
    _clean(page)
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="Rename").click()
    _clean(page)
    page.get_by_role("link", name="All conversations").click()
    expect(page.get_by_role("list", name="Conversations").get_by_role("link")).to_have_count(1)
    _clean(page)
    context.close()


@pytest.mark.parametrize("width", [360, 895, 1199, 1200, 1440, 1920])
def test_nothing_sticks_out_at_any_width_beside_the_chat(page: Page, product: Server, width: int) -> None:
    product.memory.note(body="x" * 3000)
    _open(page)
    _say(page, "y" * 400)
    _answered(page)
    page.set_viewport_size({"width": width, "height": 800})
    panes = "[...document.querySelectorAll('.feed, .middle, .log')].every(p => p.scrollWidth <= p.clientWidth)"
    for room in ("#/", "#/settings", f"#/chat/{next(iter(product.memory.chat.sessions))}"):
        page.goto(f"{product.base_url}/{room}")
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(panes)


def test_what_is_typed_after_opening_the_chat_is_a_message(page: Page) -> None:
    page.keyboard.press("s")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    page.keyboard.type("to be or not")
    expect(page.get_by_label("Message", exact=True)).to_have_value("to be or not")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.get_by_label("Message", exact=True)).to_have_count(0)
    page.set_viewport_size({"width": 800, "height": 800})
    page.keyboard.press("s")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()


def test_a_gate_names_the_note_that_it_is_about(page: Page) -> None:
    _open(page)
    _say(page, "look into my last note")
    card = page.get_by_role("region", name="Waiting for your word")
    expect(card.get_by_role("link")).to_have_text(["Sleep and memory"])
    expect(card).not_to_contain_text("note id")
    card.get_by_role("link").click()
    expect(page.locator(".middle h1")).to_have_text("Sleep and memory")


@pytest.mark.parametrize(
    ("word", "hint", "answer"),
    [("Yes!", "Sends your yes to the question above", "It is done."), ("no", "Sends your no to", "Then it stays.")],
)
def test_just_a_word_while_a_question_waits_is_its_answer(
    page: Page, product: Server, word: str, hint: str, answer: str
) -> None:
    _open(page)
    _say(page, "delete my last note")
    expect(page.get_by_role("region", name="Waiting for your word")).to_be_visible()
    box = page.get_by_label("Message", exact=True)
    box.fill(f"{word} but another one")
    expect(page.locator(".composer")).to_contain_text("Sending this closes the question above as no")
    box.fill(word)
    expect(page.locator(".composer")).to_contain_text(hint)
    page.keyboard.press("Enter")
    _answered(page, answer)
    expect(box).to_have_value("")
    expect(page.locator(".said")).to_have_count(1)
    assert _in_the_bin(product.memory) == ([SLEEP] if answer == "It is done." else [])
    # Nothing waits any more: now it is a message.
    _say(page, "yes")
    expect(page.locator(".said")).to_have_count(2)


@pytest.mark.parametrize("stored", [True, False])
def test_a_question_stays_in_sight_while_memex_is_gone_in_its_first_turn(
    page: Page, complaints: Complaints, stored: bool
) -> None:
    complaints.expected += ["ERR_FAILED"]
    stream = {"Content-Type": "text/event-stream"}

    def broken(route: Route) -> None:
        if stored:
            route.fetch()
        route.fulfill(status=200, headers=stream, body="")

    _open(page)
    page.route("**/messages", broken)
    page.route(re.compile("/chat/sessions/[^/]+$"), lambda route: route.abort())
    _say(page, "what about sleep?")
    expect(page.locator(".said")).to_contain_text("what about sleep?")
    expect(page.locator(".doing")).to_contain_text("The connection is gone")
    page.unroute_all(behavior="wait")
    if stored:
        _answered(page)
        expect(page.locator(".said")).to_have_count(1)
    else:
        expect(page.locator(".foot .problem")).to_contain_text("Memex stopped before it had your message.")
        expect(page.get_by_label("Message", exact=True)).to_have_value("what about sleep?")
        expect(page.locator(".said")).to_have_count(0)
