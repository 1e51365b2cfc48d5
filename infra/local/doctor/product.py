"""A running Memex, here or at an address: whether it answers, lets us in, and gets on with its work."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx

from infra.local.clock import RealClock
from infra.local.command.answers import Json, child, children, moment, text
from infra.local.command.failure import Failure
from infra.local.command.target import Target
from infra.local.doctor import machine, research, unsent
from infra.local.doctor.finding import Check, Finding, Section, Unanswered, ok, problem, unknown, warning
from infra.local.doctor.folder import DataFolder
from infra.local.doctor.settings import Configured

LATE = timedelta(minutes=10)
"""How long after its time a look at a run, a start or an end may come."""


@dataclass(frozen=True, slots=True)
class Server:
    """The address where it should answer, and the key; or why there is no key."""

    url: str
    target: Target | Failure
    http: httpx.AsyncClient
    folder: DataFolder | None
    """Its data, where they are on this machine."""
    start: str

    async def reachable(self) -> Finding:
        """Whether Memex answers."""
        try:
            answer = await self.http.get(f"{self.url}/api/v1/health")
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return self._silent()
        except httpx.HTTPError:
            return problem(
                f"{self.url} takes connections and does not answer", "Stop what listens there, then start it again."
            )
        if answer.status_code == 200 and _body(answer).get("status") == "ok":
            return ok(f"answers at {self.url}")
        return problem(
            f"{self.url} answered {answer.status_code}, and not as Memex would",
            "Check the address (--url, MEMEX_URL, --port, PORT): something else may listen there.",
        )

    def _silent(self) -> Finding:
        if self.folder is None:
            return unknown(f"{self.url} can't be reached; check the address (--url, MEMEX_URL) and the network")
        if found := self.folder.holder():
            process = found.process
            if found.address and found.address != self.url:
                return problem(
                    f"nothing answers at {self.url}: process {process} has the data folder and serves {found.address}",
                    f"memex doctor --port={urlsplit(found.address).port}",
                )
            return problem(
                f"nothing answers at {self.url}, and process {process} holds the data folder",
                f"If that is Memex at another port, name it with --port; else stop it (kill {process}) and start anew.",
            )
        return problem(f"nothing answers at {self.url}: Memex is not running", self.start)

    async def key(self) -> Finding:
        """Whether it lets us in."""
        if isinstance(self.target, Failure):
            if self.folder and not self.folder.path.exists():
                raise Unanswered("nothing has been kept yet")
            return problem(self.target.message, self.target.next)
        answer = await self._ask("/api/v1/notes?limit=1")
        if answer.status_code == 200:
            return ok(f"the key from {self.target.key_from} is accepted")
        if answer.status_code == 401:
            mend = "Name the data that it runs with (--data), or its key (MEMEX_DEVICE_KEY)."
            return problem(f"the key from {self.target.key_from} is not one of {self.url}", mend)
        told = child(_body(answer), "error")
        if answer.status_code == 503:
            return problem(text(told, "message") or "nobody is let in", text(told, "next") or self.start)
        return unknown(f"it answered {answer.status_code} to a look at the notes")

    async def client(self) -> Finding:
        """Whether it serves the web client."""
        answer = await self._ask("/")
        if answer.status_code == 200 and "text/html" in answer.headers.get("content-type", ""):
            return ok("served")
        return problem(
            "a browser sees nothing there; the API works",
            "Build the web client where it is deployed from (make setup).",
        )

    async def operations(self) -> Finding:
        """Whether running work gets on."""
        try:
            answer = await self._ask("/api/v1/operations?status=active&limit=200")
        except Unanswered:
            if self.folder is None:
                raise
            active = self.folder.active()
            if not active:
                return ok("nothing is under way")
            waiting = "1 waits" if len(active) == 1 else f"{len(active)} wait"
            return warning(f"{waiting} for Memex to be started", self.start)
        return stuck(children(_told(answer), "operations"), self._now())

    async def researcher(self) -> Finding:
        """Who does research for whoever has this key."""
        settings, config = await self._ask("/api/v1/settings"), await self._ask("/config.json")
        return research.of_tenant(_told(settings), _told(config))

    def _now(self) -> datetime:
        """The time by the product's own clock, which can be ahead."""
        offset = self.folder.path / "clock.json" if self.folder else None
        return datetime.fromtimestamp(RealClock(offset).now() if offset else time.time(), UTC)

    async def _ask(self, path: str) -> httpx.Response:
        key = "" if isinstance(self.target, Failure) else self.target.key
        try:
            return await self.http.get(self.url + path, headers={"Authorization": f"Bearer {key}"} if key else {})
        except httpx.HTTPError:
            raise Unanswered("Memex does not answer") from None


def stuck(operations: Sequence[Json], now: datetime) -> Finding:
    """Whether an operation waits for something that should have happened."""
    running = [one for one in operations if text(one, "status") == "running"]
    late: dict[str, str] = {}
    for one in operations:
        status, id = text(one, "status"), text(one, "id")
        deadline, look = moment(one, "deadline_at"), moment(child(one, "progress"), "next_look_at")
        begun = moment(one, "created_at") or now
        if status == "running" and deadline and deadline + LATE < now:
            late[id] = "should have ended"
        elif status == "running" and look and look + LATE < now:
            late[id] = "has not been looked at"
        elif status in ("created", "queued") and begun + LATE < now and not running:
            late[id] = "should have begun"
    if late:
        told = "; ".join(f"{id} {why}" for id, why in late.items())
        commands = "\n".join(f"memex ops {id}\nmemex ops --cancel {id}" for id in late)
        return problem(f"{_count(len(operations))}, and {len(late)} don't get on: {told}", commands)
    return ok(f"{_count(len(operations))}, none is late") if operations else ok("nothing is under way")


def _count(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} under way"


def _told(answer: httpx.Response) -> Mapping[str, object]:
    """What it answered; Unanswered where that is a refusal."""
    if answer.status_code != 200:
        raise Unanswered("it does not let us in" if answer.status_code == 401 else f"it answered {answer.status_code}")
    return _body(answer)


def _body(answer: httpx.Response) -> Mapping[str, object]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def sections(server: Server, configured: Configured) -> list[Section]:
    """Everything to look at, first what the rest stands on."""
    folder = server.folder
    if folder is None:
        return [
            Section(
                "Memex",
                [
                    Check("Server", server.reachable),
                    Check("Key", server.key),
                    Check("Web client", server.client),
                    Check("Operations", server.operations),
                    Check("Who researches", server.researcher),
                    Check("Unsent", unsent.captures),
                ],
            ),
            machine.section(machine.GCLOUD),
        ]
    return [
        machine.section(machine.GCLOUD, machine.NODE, machine.CHROMIUM),
        Section(
            "Data",
            [
                Check("Permissions", folder.permissions),
                Check("Disk", folder.space),
                Check("Lock", folder.lock),
                Check("Schema", folder.format),
                Check("Files", folder.sound),
            ],
        ),
        Section(
            "Memex",
            [
                Check("Server", server.reachable),
                Check("Key", server.key),
                Check("Web client", machine.web),
                Check("Operations", server.operations),
                Check("Who researches", server.researcher),
                Check("Unsent", unsent.captures),
                Check("Dead letters", folder.dead_letters),
            ],
        ),
        Section(
            "Settings of this shell",
            [Check("Research", configured.research), Check("Enrichment", configured.enrichment)],
        ),
    ]
