"""A real browser on the built web client, against a product at `base_url` that takes `key`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.web.fake_api import DIST, Server

CHROMIUM = Path("/usr/bin/chromium")
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1440, height=900)
# Milliseconds. On a busy machine a page may be slow; a test that waits for nothing is none the slower for it.
PATIENCE = 10_000
expect.set_options(timeout=PATIENCE)


class Product(Protocol):
    """All that the tests know of what they run against."""

    key: str

    @property
    def base_url(self) -> str:
        """Where it listens."""
        ...


class Local:
    """The local product as a person starts it, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.key = "test-key-of-the-browser-tests-0123456789"
        self.base_url = ""
        self._folder = folder

    def __enter__(self) -> "Local":
        environ = {**os.environ, "MEMEX_DEVICE_KEY": self.key}
        command = [sys.executable, "-c", "from infra.local.command import main; main()", "serve", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--data", str(self._folder)], env=environ, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().removeprefix("ready ").split("/#")[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=20)


def need(path: Path, what: str) -> None:
    """Skip where something is missing; with MEMEX_TEST_ALL=1, fail."""
    if path.exists():
        return
    if os.environ.get("MEMEX_TEST_ALL") == "1":
        pytest.fail(f"{what} is missing: {path}")
    pytest.skip(f"{what} is missing: {path}")


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """An empty product of its own for each test."""
    need(DIST / "index.html", "the built web client")
    made = Local(tmp_path) if os.environ.get("MEMEX_TEST_WEB") == "local" else Server()
    with made as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a module: its loop must be gone before async tests run."""
    need(CHROMIUM, "Chromium")
    need(DIST / "index.html", "the built web client")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@dataclass
class Complaints:
    """What the console said; a test that provokes an error names the words it expects."""

    lines: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to a page."""
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.lines.append(str(error)))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.lines.append(text)

    def unexpected(self) -> list[str]:
        """All lines but the expected ones; a violated Content-Security-Policy never is expected."""
        return [line for line in self.lines if not any(words in line for words in self.expected)]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """The console of every page of the test; it must stay silent."""
    heard = Complaints()
    yield heard
    assert heard.unexpected() == []


@pytest.fixture
def context(browser: Browser, product: Product) -> Iterator[BrowserContext]:
    """A fresh profile, gone before the product it talks to."""
    made = browser.new_context(viewport=DESKTOP)
    made.set_default_timeout(PATIENCE)
    yield made
    # A handler that still fetches for a page that goes has nothing to answer; its error would meet the next test.
    for opened in made.pages:
        opened.unroute_all(behavior="ignoreErrors")
    made.close()


@pytest.fixture
def page(context: BrowserContext, product: Product, complaints: Complaints) -> Page:
    """A signed-in page at the feed."""
    opened = context.new_page()
    complaints.watch(opened)
    sign_in(opened, product)
    return opened


def sign_in(page: Page, product: Product) -> None:
    """Come in by the address that `memex` prints."""
    page.goto(f"{product.base_url}/#key={product.key}")
    page.get_by_placeholder("Search").wait_for()


def save(page: Page, text: str, research: bool = False) -> None:
    """Capture something on a wide screen, and wait until the server has it."""
    box = page.locator("[data-capture]")
    box.fill(text)
    if research:
        page.get_by_role("switch").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-capture]")).to_have_value("")


SOURCE = "Sleep\n\nThe **lecturer** warned that sleep studies about memory had fewer than 30 people."
QUESTION = "Does sleep help memory?"


def report(page: Page) -> None:
    """Have a question researched, with one note to lean on, and wait until the report stands out in the feed."""
    save(page, SOURCE)
    enriched(page)
    save(page, QUESTION, research=True)
    expect(page.locator(".row[data-new]")).to_have_count(1, timeout=20_000)


def open_bin(page: Page) -> None:
    """By the menu of the rooms that one enters seldom."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Bin").click()


def enriched(page: Page) -> None:
    """Wait until nothing on screen is still being read."""
    expect(page.get_by_text("being read", exact=True)).to_have_count(0)


def follow(page: Page, product: Product) -> None:
    """Open the newest operation, as a link from the terminal would."""
    newest = page.evaluate(
        """async (key) => (await (await fetch('/api/v1/operations?limit=1',
        {headers: {Authorization: `Bearer ${key}`}})).json()).operations[0]?.id""",
        product.key,
    )
    # Where the claim waits for its event, the operation may be a moment away.
    if newest is None:
        page.wait_for_timeout(100)
        follow(page, product)
    else:
        page.evaluate("(hash) => { location.hash = hash }", f"#/operations/{newest}")
        page.locator(".now").wait_for()
