"""`memex doctor`: looks at a set-up and says what to run where something is wrong. It changes nothing."""

import os
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import FAILED, USAGE, Failure
from infra.local.command.target import DATA, PORT, Target, is_loopback, resolve

if TYPE_CHECKING:
    from infra.local.doctor.finding import Result

_PROJECT = re.compile(r"[a-z][a-z0-9-]{4,28}[a-z0-9]")
_REGION = re.compile(r"[a-z]+-[a-z]+[0-9]+")


@click.command()
@click.option("--project", metavar="P", help="Google Cloud project to look at (MEMEX_PROJECT).")
@click.option("--region", metavar="R", help="Its region (MEMEX_REGION).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@connected()
def doctor(connection: Connection, project: str | None, region: str | None, as_json: bool) -> None:
    """Check a set-up, and say what to run to mend each finding.

    Without a project it looks at the Memex on this machine, or at --url; with one at what is deployed there, with the
    application default credentials. It only reads. What it can't look at, such as everything outside while there is no
    network, is called unknown. Exit code 0 where nothing is a problem, else 1.
    """
    import asyncio

    from infra.local.doctor import show

    if project and connection.url:
        raise Failure("Give --project or --url, not both.", "See `memex doctor --help`.", exit_code=USAGE)
    local = connection.url or connection.data or connection.port or _near(os.environ.get("MEMEX_URL") or "")
    named = project or (None if local else os.environ.get("MEMEX_PROJECT"))
    if named:
        target, results = asyncio.run(_cloud(_valid(_PROJECT, named, "--project"), _region(region)))
    else:
        target, results = asyncio.run(_here(connection))
    if as_json:
        screen.out_json(show.as_json(target, results))
    else:
        show.show(target, results)
    if not show.healthy(results):
        raise click.exceptions.Exit(FAILED)


def _near(url: str) -> bool:
    """Whether an address means this machine; a deployment's may stand in the environment beside its project."""
    try:
        return is_loopback(url)
    except ValueError:
        return False


def _region(given: str | None) -> str:
    region = given or os.environ.get("MEMEX_REGION")
    if not region:
        raise Failure("The region is missing.", "Give --region, or set MEMEX_REGION.", exit_code=USAGE)
    return _valid(_REGION, region, "--region")


def _valid(form: re.Pattern[str], text: str, option: str) -> str:
    # It becomes part of addresses and of commands that are there to be copied.
    if not form.fullmatch(text):
        raise Failure(f"{text!r} is no {option.lstrip('-')}.", f"Correct {option}.", exit_code=USAGE)
    return text


async def _cloud(project: str, region: str) -> tuple[str, "Sequence[Result]"]:
    import httpx

    from infra.local.doctor import cloud, credentials
    from infra.local.doctor.context import Cloud
    from infra.local.doctor.finding import examine
    from infra.local.doctor.google import Google

    # A function that has slept needs a few seconds to answer.
    async with httpx.AsyncClient(timeout=httpx.Timeout(30, connect=10)) as http:
        seen = Cloud(project, region, Google(http, project, credentials.application_default), http)
        return f"Memex in the project {project}, {region}", await examine(cloud.sections(seen))


async def _here(connection: Connection) -> tuple[str, "Sequence[Result]"]:
    import httpx

    from infra.local.doctor import credentials, product
    from infra.local.doctor.finding import examine
    from infra.local.doctor.folder import DataFolder
    from infra.local.doctor.settings import Configured

    named = connection.url or (f"http://127.0.0.1:{connection.port}" if connection.port else None)
    url = resolve(named, "-", connection.data).url
    near = is_loopback(url)
    data = Path(connection.data or os.environ.get("MEMEX_DATA") or DATA)
    start = _start(data, url)
    folder = DataFolder(data, start) if near else None
    async with AsyncExitStack() as stack:
        timeout = httpx.Timeout(15, connect=5)
        outside = await stack.enter_async_context(httpx.AsyncClient(timeout=timeout))
        # A proxy is for other machines.
        here = await stack.enter_async_context(httpx.AsyncClient(timeout=timeout, trust_env=False))
        try:
            target: Target | Failure = connection.target()
        except Failure as failure:
            target = failure
        server = product.Server(url, target, here if near else outside, folder, start)
        configured = Configured(os.environ, outside, here, credentials.application_default)
        where = f"Memex on this machine, data in {data.resolve()}" if near else f"Memex at {url}"
        return where, await examine(product.sections(server, configured))


def _start(data: Path, url: str) -> str:
    """The command that starts this Memex."""
    port = str(urlsplit(url).port or PORT)
    if (str(data), port) == (DATA, PORT):
        return "make run"
    return f"memex serve --data={quote(str(data))} --port={port}"
