"""Screenshots of every room, both themes, three widths: `python -m tests.web.shots FOLDER`."""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import Local
from tests.web.fake_api import Server
from tests.web.sample import fill
from tests.web.seed import Ids
from tests.web.seed import fill as fill_store

SIZES = {"phone": (360, 740), "tablet": (800, 1000), "desktop": (1600, 900)}


def _rooms(page: Page, base_url: str, ids: dict[str, str], save: str) -> None:
    def shot(name: str) -> None:
        page.wait_for_timeout(500)
        page.screenshot(path=f"{save}-{name}.png")

    page.goto(f"{base_url}/#/")
    page.wait_for_selector(".row")
    shot("feed")
    page.goto(f"{base_url}/#/notes/{ids['report']}")
    page.wait_for_selector(".prose")
    shot("report")
    page.goto(f"{base_url}/#/notes/{ids['report']}?cite=1")
    page.wait_for_selector(".source mark")
    shot("source")
    page.goto(f"{base_url}/#/notes/{ids['report']}?cite=3")
    shot("source-web")
    page.goto(f"{base_url}/#/notes/{ids['call']}")
    page.wait_for_selector(".tasks li")
    shot("note")
    page.click("[data-edit]")
    shot("edit")
    page.goto(f"{base_url}/#/operations/{ids['running']}")
    page.wait_for_selector(".step")
    shot("running")
    page.goto(f"{base_url}/#/operations/{ids['failed']}")
    shot("failed")
    page.goto(f"{base_url}/#/operations")
    page.wait_for_selector(".work-row")
    shot("operations")
    page.goto(f"{base_url}/#/tasks")
    page.wait_for_selector(".done")
    page.click(".done summary")
    page.locator("[data-task]").first.click()
    shot("tasks")
    page.goto(f"{base_url}/#/notes/{ids['vault']}")
    page.wait_for_selector(".prose")
    page.click(".properties summary")
    shot("vault")
    page.goto(f"{base_url}/#/notes/{ids['running_note']}")
    page.wait_for_selector(".prose")
    shot("under-way")
    page.goto(f"{base_url}/#/?kind=thesis")
    shot("no-kind")
    page.goto(f"{base_url}/#/?bin=1&q=nothing")
    shot("bin")
    page.goto(f"{base_url}/#/notes/01arz3ndektsv4rrffq69g5fav")
    page.wait_for_selector(".problem")
    shot("missing")
    page.goto(f"{base_url}/#/capture")
    page.fill("[data-capture]", "What did we decide about the ferry? #research")
    shot("capture")
    page.route("**/api/v1/captures", lambda route: route.abort())
    page.click("form.capture button[type=submit]")
    shot("error")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    shot("help")


def _house(page: Page, base_url: str, ids: Ids, save: str) -> None:
    """The rooms of what agents do, on the real product."""

    def shot(name: str, address: str, wait: str) -> None:
        page.goto(f"{base_url}/#/{address}")
        page.wait_for_selector(wait)
        page.wait_for_timeout(500)
        page.screenshot(path=f"{save}-{name}.png")

    shot("approvals", "approvals", ".diff")
    page.get_by_role("button", name="Edit, then approve").first.click()
    page.screenshot(path=f"{save}-approval-edit.png")
    shot("task", f"operations/{ids.result}", ".claims")
    page.locator(".artifact").first.scroll_into_view_if_needed()
    page.screenshot(path=f"{save}-task-artifacts.png")
    shot("task-source", f"operations/{ids.result}?cite=1", ".source mark")
    shot("asking", f"operations/{ids.asking}", ".asking")
    shot("work", "operations", ".work-row")
    page.click(".ask-agent summary")
    page.screenshot(path=f"{save}-ask.png")
    shot("routines", "routines", ".runs")
    shot("activity", "activity", ".activity")
    shot("thesis", f"notes/{ids.thesis}", ".thesis")
    shot("agents", "agents", ".node")
    page.get_by_label("Several agents").check()
    page.wait_for_selector("[data-node=critic]")
    page.locator(".graph").scroll_into_view_if_needed()
    page.screenshot(path=f"{save}-graph.png")
    shot("memory", "memory", ".setting")
    shot("servers", "settings", ".servers")
    page.locator(".servers").scroll_into_view_if_needed()
    page.click(".add-server summary")
    page.screenshot(path=f"{save}-servers.png")
    page.get_by_role("button", name="More").click()
    page.screenshot(path=f"{save}-more.png")


def _agents(browser: Browser, folder: Path) -> None:
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            with tempfile.TemporaryDirectory() as data:
                ids = fill_store(Path(data), time.time())
                with Local(Path(data)) as product:
                    context = browser.new_context(
                        viewport={"width": width, "height": height}, color_scheme=theme, has_touch=size == "phone"
                    )
                    page = context.new_page()
                    page.goto(f"{product.base_url}/#key={product.key}")
                    page.wait_for_selector(".bar")
                    _house(page, product.base_url, ids, f"{folder}/{size}-{theme}")
                    context.close()


def main(folder: Path) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        _agents(browser, folder)
        for size, (width, height) in SIZES.items():
            for theme in ("light", "dark"):
                with Server() as server:
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=theme,
                        has_touch=size == "phone",
                    )
                    page = context.new_page()
                    save = f"{folder}/{size}-{theme}"
                    page.goto(server.base_url)
                    page.wait_for_timeout(300)
                    page.screenshot(path=f"{save}-door.png")
                    page.goto(f"{server.base_url}/#key={server.key}")
                    page.wait_for_timeout(700)
                    page.screenshot(path=f"{save}-empty.png")
                    time.sleep(1.1)
                    ids = fill(server.memory)
                    page.reload()
                    _rooms(page, server.base_url, ids, save)
                    context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
