"""The console: what it shows, that it escapes everything, and that nothing inline is needed."""

import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette

from infra.local.workflow import console
from infra.local.workflow.engine import Engine
from tests.infra.local.workflow.conftest import Bench, asleep

NASTY = '"<script>alert(1)</script>\'&"'
FLOW = """
main:
  params: [input]
  steps:
    - note: {call: sys.log, args: {text: "${input}"}}
    - nap: {call: sys.sleep, args: {seconds: 600}}
    - fail: {raise: "${input}"}
"""


@pytest.fixture
async def engine(bench: Bench) -> AsyncIterator[Engine]:
    with bench.clock.busy():
        yield await bench.engine(flow=FLOW, quick="main: {params: [x], steps: [{r: {return: '${x}'}}]}")


@pytest.fixture
async def client(engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=console.routes(engine))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://local") as one:
        yield one


async def test_running_work_shows_its_step_its_sleep_and_a_way_to_stop_it(
    client: httpx.AsyncClient, engine: Engine
) -> None:
    execution = await engine.create("flow", '"hello"')
    await asleep(engine, execution.id)
    listed = await client.get("/console")
    assert f"/console/executions/{execution.id}" in listed.text
    assert "data-live" in listed.text
    page = await client.get(f"/console/executions/{execution.id}")
    assert "main / nap, sleeps until <time" in page.text
    assert "DEFAULT: hello" in page.text
    cancelled = await client.post(f"/console/executions/{execution.id}/cancel")
    assert cancelled.status_code == 303
    page = await client.get(cancelled.headers["location"])
    assert "cancelled" in page.text
    assert "<button" not in page.text
    assert "data-live" not in page.text
    again = await client.post(f"/console/executions/{execution.id}/cancel")
    assert again.status_code == 400
    assert "already ended" in again.text


async def test_a_result_an_error_and_the_billed_steps_are_shown(client: httpx.AsyncClient, engine: Engine) -> None:
    good = await engine.create("quick", '{"answer": 42}')
    await engine.wait(good.id)
    page = (await client.get(f"/console/executions/{good.id}")).text
    assert "&quot;answer&quot;: 42" in page
    bad = await engine.create("flow", '"reason"')
    await asleep(engine, bad.id)
    engine.clock.advance(600)
    await engine.wait(bad.id)
    page = (await client.get(f"/console/executions/{bad.id}")).text
    assert "in step &quot;fail&quot;, routine &quot;main&quot;" in page
    assert "<dt>Billed steps</dt><dd>2</dd>" in page
    assert "10 min 00 s" in page


OPERATION = "01m8p1vr5nfq8387h0a1m34ybz"
DRIVES = """
main:
  params: [x]
  steps:
    - nap: {call: sys.sleep, args: {seconds: 600}}
    - tell: {return: "${x.ends}"}
"""


async def test_an_execution_that_ran_to_its_end_shows_what_became_of_its_operation(bench: Bench) -> None:
    with bench.clock.busy():
        engine = await bench.engine(flow=DRIVES)
        one = await engine.create("flow", json.dumps({"operation_id": OPERATION, "ends": "failed"}))
        await asleep(engine, one.id)
        link = f'<a href="/#/operations/{OPERATION}">operation</a>'
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(Starlette(routes=console.routes(engine))), base_url="http://local"
        ) as client:
            paths = ("/console", f"/console/executions/{one.id}")
            running = [(await client.get(path)).text for path in paths]
            engine.clock.advance(600)
            await engine.wait(one.id)
            ended = [(await client.get(path)).text for path in paths]
    for page in running:
        assert link in page and f"{link} <span" not in page
    for page in ended:
        assert f'{link} <span class="state failed">failed</span>' in page
        assert '<span class="state succeeded">succeeded</span>' in page


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("1", ""),
        ('"completed"', '<span class="state completed">completed</span>'),
        (json.dumps("a report, far too long for a word " * 3), ""),
        ('{"operation_id": 7}', ""),
        ('{"operation_id": "../x\\" onclick=alert(1)"}', ""),
        ('{"operation_id": "01m8"}', '<a href="/#/operations/01m8">operation</a>'),
    ],
)
async def test_an_outcome_is_a_word_and_a_link_an_id(
    client: httpx.AsyncClient, engine: Engine, argument: str, shown: str
) -> None:
    execution = await engine.create("quick", argument)
    await engine.wait(execution.id)
    cell = f"<div>{shown}</div>" if shown else ""
    assert f'<td data-title="Outcome">{cell}</td>' in (await client.get("/console")).text


async def test_nothing_from_a_workflow_becomes_markup(client: httpx.AsyncClient, engine: Engine) -> None:
    execution = await engine.create("flow", NASTY)
    await asleep(engine, execution.id)
    engine.clock.advance(600)
    await engine.wait(execution.id)
    pages = [
        await client.get("/console"),
        await client.get(f"/console/executions/{execution.id}"),
        await client.get("/console", params={"workflow": "<script>alert(1)</script>"}),
        await client.get("/console", params={"page": "<script>alert(1)</script>"}),
        await client.get("/console/executions/<script>alert(1)<script>"),
    ]
    for page in pages:
        assert "<script>alert" not in page.text
        assert "alert(1)</script>" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#x27;&amp;" in pages[1].text
    assert [page.status_code for page in pages] == [200, 200, 404, 400, 404]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/console/nope"),
        ("GET", "/console/executions"),
        ("GET", "/consoles"),
        ("POST", "/console"),
        ("GET", "/console/executions/x/cancel"),
    ],
)
async def test_an_unknown_page_says_so_in_the_consoles_own_way(
    client: httpx.AsyncClient, method: str, path: str
) -> None:
    page = await client.request(method, path)
    assert page.status_code == 404
    assert "<h1>Not found</h1>" in page.text and '<a href="/console">' in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


async def test_the_console_is_found_with_a_slash_behind_it(client: httpx.AsyncClient) -> None:
    page = await client.get("/console/")
    assert (page.status_code, page.headers["location"]) == (307, "/console")


async def test_a_strict_policy_holds_because_nothing_is_inline(client: httpx.AsyncClient, engine: Engine) -> None:
    execution = await engine.create("quick", "1")
    for path in ("/console", f"/console/executions/{execution.id}", "/console/executions/nope"):
        page = await client.get(path)
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"<style|<script>|\son\w+=|\sstyle=|javascript:", page.text)
        assert set(re.findall(r'(?:src|href)="([^"]+)"', page.text)) <= {
            "/console",
            "/console/console.css",
            "/console/console.js",
            f"/console/executions/{execution.id}",
            f"/console/executions/{execution.id}?order=oldest",
        }


async def test_style_and_script_are_served(client: httpx.AsyncClient) -> None:
    style = await client.get("/console/console.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "prefers-color-scheme: dark" in style.text
    script = await client.get("/console/console.js")
    assert script.headers["content-type"].startswith("text/javascript")


async def test_a_page_has_a_language_a_title_and_labelled_tables(client: httpx.AsyncClient, engine: Engine) -> None:
    execution = await engine.create("quick", "1")
    await engine.wait(execution.id)
    for path in ("/console", f"/console/executions/{execution.id}"):
        text = (await client.get(path)).text
        assert '<html lang="en">' in text
        assert "<title>" in text
        assert text.count("<h1>") == 1
        assert text.count("<table>") == text.count("<caption>") == text.count("aria-label=")
        assert 'scope="col"' in text


async def test_an_empty_list_says_what_to_expect_and_pages_lead_on(
    client: httpx.AsyncClient, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No executions yet" in (await client.get("/console")).text
    monkeypatch.setattr(console, "_PAGE", 2)
    made = [await engine.create("quick", "1") for _ in range(3)]
    first = (await client.get("/console", params={"workflow": "quick"})).text
    assert made[0].id not in first
    [link] = re.findall(r'href="(/console\?[^"]+)"', first)
    assert made[0].id in (await client.get(link.replace("&amp;", "&"))).text
