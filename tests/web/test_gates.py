"""A turn of chat that waits at a gate, seen outside its conversation, on the real product."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from infra.local.store.documents import SqliteDocuments
from shared.events.trace import ApprovalRequest, ToolCall, User
from shared.models.chat import ChatSession, Gate, PendingCall, Run, Turn
from shared.store.chats import Chats
from shared.store.documents import Expect
from tests.web.conftest import Complaints, Local, Product
from tests.web.seed import ME, TENANT, Seed
from tests.web.test_house import _clean, _go

pytestmark = pytest.mark.browser
PRIVATE = "Nobody else's business"
TITLE = "What of the old note on pears?"
EVIL = "[evil](https://example.org/) https://example.org/"


@pytest.fixture
def theirs(tmp_path: Path) -> str:
    """Two conversations that wait lie in the store, one of them another person's: the id of that one."""

    async def fill() -> str:
        with SqliteDocuments(tmp_path) as documents:
            seed = Seed(documents, time.time())
            await _waits(seed, ME, TITLE)
            return await _waits(seed, "colleague", PRIVATE)

    # Playwright has an event loop of its own in this thread.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(fill())).result()


@pytest.fixture
def product(tmp_path: Path, theirs: str) -> Iterator[Product]:
    """The product as a person starts it."""
    with Local(tmp_path) as served:
        yield served


async def _waits(seed: Seed, subject: str, title: str) -> str:
    note = await seed.note("Pears ripen in August.")
    session_id, run_id, when = seed.id(), seed.id(), seed.at(60)
    shown = {"note_id": note, "remark": EVIL}
    until = seed.at() + timedelta(hours=3)
    call = PendingCall(call_id="c", tool="delete_note", arguments=shown, shown=shown, why="It takes a note away.")
    gate = Gate(reason="approve_tool", pending=[call], expires_at=until)
    turn = Turn(id=run_id, status="waiting", lease_until=when, first_seq=1)
    common = {"created_at": when, "updated_at": when}
    session = ChatSession.model_validate({"id": session_id, "subject": subject, "title": title, "turn": turn, **common})
    run = Run.model_validate({"id": run_id, "session_id": session_id, "subject": subject, "gate": gate, **common})
    asked = ApprovalRequest(
        seq=3, at=when, turn=run_id, run_id=run_id, reason="approve_tool", tool="delete_note", call_id="c",
        arguments=shown, why=call.why, expires_at=until,
    )  # fmt: skip
    called = ToolCall(seq=2, at=when, turn=run_id, tool="delete_note", arguments=shown, call_id="c")
    chats = Chats(seed.documents, TENANT)
    events = chats.put_events(session_id, [User(seq=1, at=when, turn=run_id, text=title), called, asked])
    await seed.put(chats.put(session, Expect.ABSENT), chats.put_run(run, Expect.ABSENT), *events)
    return session_id


def test_a_gate_is_counted_listed_and_answered_in_its_conversation(page: Page) -> None:
    badge = page.get_by_role("link", name="Approvals 1 waiting")
    expect(badge).to_be_visible()
    badge.click()
    card = page.get_by_role("list", name="Waiting in conversations").get_by_role("listitem")
    expect(card).to_have_count(1)
    expect(card.get_by_role("heading")).to_have_text("Move a note to the bin")
    expect(card).to_contain_text("It takes a note away.")
    expect(card).to_contain_text(TITLE)
    expect(card).to_contain_text("then it counts as no")
    expect(page.get_by_text("Nothing waits.")).to_have_count(0)
    # What a model or a page wrote is plain text here.
    expect(card).to_contain_text(EVIL)
    expect(card.get_by_role("link")).to_have_text(["Pears ripen in August.", "See it in the conversation"])
    _clean(page)
    card.get_by_role("link", name="See it in the conversation").click()
    gate = page.get_by_role("region", name="Waiting for your word")
    expect(gate).to_contain_text("It takes a note away.")
    gate.get_by_role("button", name="Don’t").click()
    expect(gate).to_have_count(0)
    expect(page.get_by_role("link", name="Approvals", exact=True)).to_be_visible()
    _go(page, "approvals")
    expect(page.get_by_text("Nothing waits.")).to_be_visible()


def test_a_gate_is_answered_where_it_is_listed(page: Page) -> None:
    page.get_by_role("link", name="Approvals 1 waiting").click()
    card = page.get_by_role("list", name="Waiting in conversations").get_by_role("listitem")
    card.get_by_role("button", name="Don’t").click()
    expect(card).to_have_count(0)
    expect(page.get_by_role("link", name="Approvals", exact=True)).to_be_visible()
    told = page.locator(".middle p").filter(has_text="Move a note to the bin: refused. It goes on in")
    _clean(page)
    told.get_by_role("link", name=TITLE).click()
    talk = page.locator(".turn")
    expect(talk).to_have_count(1)
    expect(talk).not_to_have_attribute("data-status", "waiting")
    expect(page.get_by_role("region", name="Waiting for your word")).to_have_count(0)


def test_letters_typed_at_a_gate_are_words_to_it(page: Page) -> None:
    page.get_by_role("link", name="Approvals 1 waiting").click()
    page.get_by_role("link", name="See it in the conversation").click()
    gate = page.get_by_role("region", name="Waiting for your word")
    no = gate.get_by_role("button", name="Don’t")
    no.focus()
    page.keyboard.type("no")
    expect(page.locator("[data-message]")).to_have_value("no")
    expect(page.locator("[data-message]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(gate).to_have_count(0)
    _clean(page)


def test_a_conversation_of_someone_else_is_not_listed_and_says_so(
    page: Page, theirs: str, complaints: Complaints
) -> None:
    complaints.expected.append("403")
    _go(page, "chat")
    rows = page.get_by_role("list", name="Conversations").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(TITLE)
    _go(page, f"chat/{theirs}")
    expect(page.get_by_role("alert")).to_contain_text("This conversation belongs to someone else.")
    expect(page.get_by_text(PRIVATE)).to_have_count(0)
