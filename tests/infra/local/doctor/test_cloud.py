"""A deployment: nothing to say of a sound one, one finding for each fault, never ok for what could not be looked at."""

import asyncio
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from infra.gcp.proof import lint
from infra.local.doctor import expected
from infra.local.doctor.credentials import Identity
from infra.local.doctor.finding import Finding
from infra.local.doctor.settings import vertex_mend
from tests.infra.local.doctor.faults import FAULTS, Fault, nobody, offline
from tests.infra.local.doctor.world import APIS, FORBIDDEN, PROJECT, USERINFO, World, disabled

SOURCES = Path(expected.__file__).parent


async def test_a_sound_deployment_needs_no_mending() -> None:
    world = World()
    found = await world.findings()
    assert {check: finding for check, finding in found.items() if finding.level != "ok" or finding.mend} == {}
    assert len(found) > 35
    posts = [str(request.url) for request in world.asked if request.method != "GET"]
    assert posts == [f"https://cloudresourcemanager.googleapis.com/v3/projects/{PROJECT}:getIamPolicy"]
    public = [request for request in world.asked if request.url.host.endswith("run.app")]
    assert len(public) == len(expected.FUNCTIONS)
    assert not any("authorization" in request.headers for request in public)


async def test_a_persons_requests_are_counted_on_the_project_and_an_accounts_on_its_own() -> None:
    for identity, counted in ((Identity("t", personal=True), PROJECT), (Identity("t", account="a@b.c"), None)):
        world = World()
        world.fetch = partial(replace, identity)
        found = await world.findings()
        google = [request for request in world.asked if request.url.host.endswith("googleapis.com")]
        assert {request.headers.get("x-goog-user-project") for request in google} == {counted}
    assert found["Project / Credentials"].what == "a@b.c"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_each_fault_is_found_and_says_what_to_run(fault: Fault) -> None:
    finding = (await fault.findings())[fault.check]
    assert (finding.level, fault.what in finding.what) == (fault.level, True), finding
    assert fault.mend in finding.mend, finding
    assert finding.mend or finding.level in ("ok", "unknown")


@pytest.mark.parametrize("spoil", [nobody("there are no Google credentials here"), offline], ids=["nobody", "offline"])
async def test_what_nobody_could_ask_is_unknown_with_its_reason(spoil: object) -> None:
    world = World()
    assert callable(spoil)
    spoil(world)
    found = await world.findings()
    del found["Project / Credentials"]
    assert {finding.level for finding in found.values()} == {"unknown"}
    assert all(finding.what and not finding.mend for finding in found.values())


@pytest.mark.parametrize(
    "answer",
    [
        FORBIDDEN,
        disabled("x.googleapis.com"),
        httpx.Response(500, json={"error": {"code": 500}}),
        httpx.Response(503, text="<html>"),
        httpx.Response(200, text="[]"),
        httpx.Response(302, headers={"location": "https://login.example.org"}),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("gone"),
    ],
    ids=lambda answer: f"{getattr(answer, 'status_code', type(answer).__name__)}",
)
async def test_no_refusal_passes_for_an_answer(answer: httpx.Response | Exception) -> None:
    world = World()
    for url in world.answers:
        world.answers[url] = answer
    found = await world.findings()
    levels = {check: finding.level for check, finding in found.items()}
    closed = {check for check, level in levels.items() if level == "ok"}
    # A refusal is what a stranger should get, and that somebody is signed in shows in being refused by name.
    assert closed <= {"Project / Credentials", *(f"From outside / {name}" for name in expected.FUNCTIONS)}
    outside = {"From outside / " + name for name in expected.FUNCTIONS}
    assert {level for check, level in levels.items() if check not in closed | outside} == {"unknown"}


@pytest.mark.parametrize("body", [{}, {"services": None}, {"services": [{}]}, {"services": "x"}, {"nextPageToken": 3}])
async def test_an_answer_of_an_unknown_form_is_never_ok(body: object) -> None:
    healthy = World()
    await healthy.findings()
    asked = {str(request.url.copy_with(query=None)) for request in healthy.asked}
    for url in (url for url in asked if "googleapis.com" in url and url != USERINFO):
        world = World()
        world.answers[url] = httpx.Response(200, json=body)
        found = {finding.level for finding in (await world.findings()).values()}
        assert found & {"problem", "unknown", "warning"}, url


async def test_lists_are_read_to_their_end() -> None:
    world = World()
    services = world.json(APIS)["services"]
    pages = {"": (services[:5], "second"), "second": (services[5:], "")}

    def page(request: httpx.Request) -> httpx.Response:
        if str(request.url).startswith(APIS):
            part, following = pages[request.url.params.get("pageToken", "")]
            return httpx.Response(200, json={"services": part, "nextPageToken": following})
        return World._answer(world, request)

    world._answer = page  # type: ignore[method-assign]  # a page at a time
    assert (await world.findings())["Project / APIs"].level == "ok"


# -- the commands ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mends() -> list[str]:
    """Every line that says what to run, for every fault."""
    found: list[Finding] = []
    for fault in FAULTS:
        found += asyncio.run(fault.findings()).values()
    lines = [line for finding in found for line in finding.mend.splitlines()]
    return list(dict.fromkeys([*lines, *vertex_mend(PROJECT).splitlines()]))


def _written() -> Iterator[str]:
    for file in SOURCES.glob("*.py"):
        yield from re.findall(r"gcloud [a-z][a-z-]*(?: [a-z][a-z-]*)*", file.read_text())


@pytest.mark.gcloud
@pytest.mark.skipif(
    not lint.installed() and not os.environ.get("MEMEX_TEST_ALL"), reason="gcloud or its linter is not installed"
)
def test_every_command_is_one_that_gcloud_takes(mends: list[str]) -> None:
    commands = [line for line in mends if line.startswith("gcloud ")]
    assert len(commands) > 30
    assert lint.lint(commands) == []


def test_no_command_is_written_that_the_table_of_faults_does_not_reach(mends: list[str]) -> None:
    assert [words for words in _written() if not any(line.startswith(words) for line in mends)] == []
