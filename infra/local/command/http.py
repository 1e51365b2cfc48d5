"""The API over HTTP: sends, tries again where that is safe, and turns every error answer into words."""

import asyncio
import json
import random
import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeVar

import httpx

from infra.local.command.failure import UNREACHABLE, Failure, Refused, Unreachable, passes
from infra.local.command.target import Target, is_loopback

Json = Mapping[str, object]
T = TypeVar("T")
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is tried, and how long the pauses between may become."""

    tries: int
    first: float = 0.4
    most: float = 15.0

    def pause(self, attempt: int) -> float:
        """Seconds to wait after the n-th try."""
        return min(self.most, self.first * 2.0**attempt) * random.uniform(0.7, 1.0)


SHORT = Patience(4)
LONG = Patience(8)
ONCE = Patience(1)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: Json


def fresh_key() -> str:
    """An Idempotency-Key for one act of a person."""
    return str(uuid.uuid4())


def encode(value: object) -> bytes:
    """JSON as it is sent: nothing escaped that need not be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Api:
    """One conversation with one Memex."""

    def __init__(
        self, target: Target, *, patience: Patience = SHORT, waits: Callable[[str], None] | None = None
    ) -> None:
        self.target = target
        self._patience = patience
        self._waits = waits or (lambda _text: None)
        self._capture: str | None = None
        # A proxy is for other machines.
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {target.key}", "User-Agent": "memex-command"},
            timeout=_TIMEOUT,
            trust_env=not target.local,
        )

    async def __aenter__(self) -> "Api":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(self, path: str, **params: str | int | list[str]) -> Json:
        """Read something."""
        return (await self.send("GET", path, params=params)).body

    async def post(self, path: str, value: object = None, *, key: str | None = None) -> Json:
        """Ask for something, once however often it has to be sent."""
        content = encode(value) if value is not None else b""
        return (await self.send("POST", path, content, headers={"Idempotency-Key": key or fresh_key()})).body

    async def capture(
        self, content: bytes, *, batch: bool = False, key: str | None = None, patience: Patience | None = None
    ) -> Answer:
        """Send captures to the function that takes them."""
        path = "/api/v1/captures/batch" if batch else "/api/v1/captures"
        headers = {"Idempotency-Key": key} if key else {}
        return await self.send(
            "POST", path, content, headers=headers, base=await self._capture_url(), patience=patience
        )

    async def config(self) -> Json:
        """What the product says of itself; needs no key."""
        try:
            return (await self.send("GET", "/config.json")).body
        except Refused:
            return {}

    async def send(
        self,
        method: str,
        path: str,
        content: bytes = b"",
        *,
        params: Mapping[str, str | int | list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
        base: str | None = None,
        patience: Patience | None = None,
    ) -> Answer:
        """One request; everything sent through here may arrive twice without harm."""
        url = (base or self.target.url) + path
        sent = {**(headers or {}), **({"Content-Type": "application/json"} if content else {})}

        async def attempt() -> Answer:
            return self._judged(
                await self._client.request(method, url, content=content, params=params or None, headers=sent)
            )

        return await self._persist(attempt, patience or self._patience)

    async def _persist(self, attempt: Callable[[], Awaitable[T]], patience: Patience) -> T:
        """Try until it works, can't work, or patience ends."""
        for count in range(patience.tries):
            try:
                return await attempt()
            except (httpx.HTTPError, Refused) as error:
                failure = error if isinstance(error, Failure) else self._unreachable(error)
                if isinstance(error, Refused) and not passes(error.status, error.code):
                    raise
                if count + 1 == patience.tries:
                    raise failure from None
                pause = patience.pause(count)
                if pause > 1:
                    self._waits(f"{failure.message} Trying again in {pause:.0f} s.")
                await asyncio.sleep(pause)
        raise AssertionError("patience has at least one try")

    def stream(self, path: str, after: int) -> AbstractAsyncContextManager[httpx.Response]:
        """An operation's log as it grows; the server speaks at least every 15 seconds."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        timeout = httpx.Timeout(45.0, connect=10.0)
        return self._client.stream("GET", self.target.url + path, headers=headers, timeout=timeout)

    async def _capture_url(self) -> str:
        """In the cloud each function has its own address, and the named one tells the others."""
        if self._capture is None:
            told = str((await self.config()).get("capture") or "") if self.target.named else ""
            if told and not told.startswith("https://") and not is_loopback(told):
                raise Failure(
                    f"{self.target.url} names {told} for captures, which is not encrypted.", "Check MEMEX_URL."
                )
            self._capture = told.rstrip("/") or self.target.url
        return self._capture

    def _judged(self, response: httpx.Response) -> Answer:
        body = _parsed(response)
        if response.status_code < 300 and body is not None:
            return Answer(response.status_code, body)
        error = body.get("error") if body is not None else None
        if not isinstance(error, dict):
            raise self._foreign(response)
        code, message, next = (str(error.get(name) or "") for name in ("code", "message", "next"))
        if response.status_code == 401:
            raise Refused(
                401, code, f"{self.target.url} does not know this device key.", self._key_advice(), exit_code=3
            )
        exit_code = UNREACHABLE if response.status_code == 503 else 1
        raise Refused(response.status_code, code, message, next, exit_code=exit_code)

    def _key_advice(self) -> str:
        if self.target.key_from in ("--key", "MEMEX_DEVICE_KEY"):
            return f"It came from {self.target.key_from}; compare it with the address that `memex serve` printed."
        return (
            f"It came from {self.target.key_from}: if Memex runs with other data, name them with --data,\n"
            "or set MEMEX_DEVICE_KEY."
        )

    def _foreign(self, response: httpx.Response) -> Failure:
        status, url = response.status_code, self.target.url
        if response.is_redirect:
            there = response.headers.get("location", "another address")
            return Unreachable(f"{url} sends us on to {there}.", "If that is Memex, use it as MEMEX_URL.")
        if status in (429, 502, 503, 504) or status >= 500:
            return Refused(status, "", f"{url} answered {status}.", "Try again in a moment.", exit_code=UNREACHABLE)
        return Unreachable(
            f"{url} answered {status}, and not as Memex would.",
            "Check the address (MEMEX_URL, --url, PORT): something else may listen there.",
        )

    def _unreachable(self, error: httpx.HTTPError) -> Unreachable:
        url = self.target.url
        if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
            return Unreachable(f"{url} did not answer in time.", "Try again; nothing will be done twice.")
        if not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return Unreachable(f"The connection to {url} broke off.", "Try again; nothing will be done twice.")
        if self.target.local:
            return Unreachable(
                f"Nothing answers at {url}.",
                "Start Memex with `make run` or `memex serve`; if it runs with other data or at another port,\n"
                "name them with --data (MEMEX_DATA) or --port (PORT).",
            )
        return Unreachable(f"{url} can't be reached.", "Check MEMEX_URL and the network.")


def _parsed(response: httpx.Response) -> Json | None:
    try:
        body = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) else None
