"""A conversation over HTTP: a turn's answer as it comes, taken up again wherever a stream breaks off."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

import httpx

from infra.local.command.answers import Json, child, children, text, whole
from infra.local.command.failure import Failure, Unreachable
from infra.local.command.http import Api, encode, fresh_key
from infra.local.command.target import is_loopback

CHAT = "/api/v1/chat"
LOOK_SECONDS = 2.0
_BROKEN = 3
"""Streams in a row that said nothing before we look instead."""
_PAUSE_SECONDS = 0.5
_SILENCE = httpx.Timeout(45.0, connect=10.0)
"""The server speaks at least every 15 seconds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a stream: `trace` (stored, with its number), `delta`, `done`, or what a client acts on by name."""

    name: str
    data: Json


class ChatApi(Api):
    """The API with the function that talks; in the cloud that has an address of its own."""

    _chat: str | None = None

    async def __aenter__(self) -> "ChatApi":
        return self

    async def chat(self, method: str, path: str, value: object = None, **params: str | int) -> Json:
        """A question without a stream; sent again where that is safe."""
        content = encode(value) if value is not None else b""
        headers = {"Idempotency-Key": fresh_key()} if method == "POST" else None
        base = await self._chat_url()
        return (await self.send(method, CHAT + path, content, params={**params}, headers=headers, base=base)).body

    async def frames(self, method: str, path: str, value: object = None, after: int = 0) -> AsyncIterator[Frame]:
        """A stream, tried once. Raises httpx.HTTPError or Broken where it breaks, Refused where there is none."""
        from shared.errors import MemexError
        from shared.net.sse import EventReader

        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        if value is not None:
            headers["Content-Type"] = "application/json"
        url = await self._chat_url() + CHAT + path
        content = encode(value) if value is not None else None
        async with self._client.stream(method, url, content=content, headers=headers, timeout=_SILENCE) as response:
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                await response.aread()
                self._judged(response)
                raise Broken
            reader = EventReader()
            async for chunk in response.aiter_bytes():
                try:
                    for event in reader.feed(chunk):
                        data = json.loads(event.data)
                        yield Frame(event.name, data if isinstance(data, dict) else {})
                except (ValueError, MemexError):
                    raise Broken from None

    def lost(self, error: httpx.HTTPError) -> Unreachable:
        """What a connection that could not be made means."""
        return self._unreachable(error)

    async def _chat_url(self) -> str:
        if self._chat is None:
            told = str((await self.config()).get("chat") or "") if self.target.named else ""
            if told and not told.startswith("https://") and not is_loopback(told):
                raise Failure(
                    f"{self.target.url} names {told} for the chat, which is not encrypted.", "Check MEMEX_URL."
                )
            self._chat = told.rstrip("/") or self.target.url
        return self._chat


class Broken(Exception):
    """What came is no stream, or none any more."""


@dataclass(slots=True)
class Talk:
    """One conversation as far as it was heard here. Where it stands is known at any moment, also to whoever stops."""

    session_id: str
    seen: int = 0
    """Number of the last event that was heard."""
    waiting: bool = False
    """Whether a call waits for a person's word from before."""
    run_id: str = ""
    """The turn at hand, once it is known."""
    gate: Json | None = None
    """The approval that the turn waits for."""
    session: Json | None = None
    """The conversation after the turn, once that has ended."""
    began_at: int = 0

    def ask(self, api: ChatApi, said: str) -> AsyncIterator[Frame]:
        """Say something: the frames up to the turn's end or its next gate, each once."""
        self.run_id, self.waiting = "", False
        again = "Ask again; nothing was done."
        return self._played(api, f"/sessions/{self.session_id}/messages", {"text": said}, again)

    def decide(self, api: ChatApi, run_id: str, decision: str) -> AsyncIterator[Frame]:
        """Approve or reject what waits: the frames that follow."""
        self.run_id, self.waiting = run_id, False
        again = "Decide again; nothing was done."
        return self._played(api, f"/{run_id}/resume", {"decision": decision}, again)

    async def stop(self, api: ChatApi) -> AsyncIterator[Frame]:
        """Stop the turn; the frames up to its end. None where no turn had begun."""
        if not self.run_id:
            turn = child(child(await api.chat("GET", f"/sessions/{self.session_id}", limit=1), "session"), "turn")
            if whole(turn, "first_seq") <= self.began_at:
                return
            self.run_id = text(turn, "id")
        await api.chat("POST", f"/{self.run_id}/cancel")
        async for frame in self._resumed(api):
            yield frame

    async def _played(self, api: ChatApi, path: str, value: Json, again: str) -> AsyncIterator[Frame]:
        self.gate = self.session = None
        before = self.began_at = self.seen
        try:
            async for frame in self._heard(api.frames("POST", path, value)):
                yield frame
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise api.lost(error) from None
        except (httpx.HTTPError, Broken):
            pass
        if self._over:
            return
        async for frame in self._resumed(api):
            yield frame
        if self.seen == before:
            raise Unreachable("The connection broke off before Memex had heard that.", again)

    @property
    def _over(self) -> bool:
        return self.gate is not None or self.session is not None

    async def _heard(self, frames: AsyncIterator[Frame]) -> AsyncIterator[Frame]:
        async with aclosing(frames):  # type: ignore[type-var]  # every async generator can be closed
            async for frame in frames:
                if frame.name == "trace":
                    if (seq := whole(frame.data, "seq")) <= self.seen:
                        continue
                    self.seen = seq
                    self.run_id = text(frame.data, "turn") or self.run_id
                    if frame.data.get("type") == "approval_request":
                        self.gate = frame.data
                elif frame.name == "done":
                    self.session = child(frame.data, "session")
                yield frame

    async def _resumed(self, api: ChatApi) -> AsyncIterator[Frame]:
        """What is stored after the last event that was heard, as a stream; look after look where none gets through."""
        silent = 0
        while silent < _BROKEN:
            before = self.seen
            try:
                events = f"/sessions/{self.session_id}/events"
                async for frame in self._heard(api.frames("GET", events, after=self.seen)):
                    yield frame
            except (httpx.HTTPError, Broken, Failure):
                pass  # should it last, the look says why
            if self._over:
                return
            silent = silent + 1 if self.seen == before else 0
            await asyncio.sleep(_PAUSE_SECONDS)
        async for frame in self._heard(self._looked(api)):
            yield frame

    async def _looked(self, api: ChatApi) -> AsyncIterator[Frame]:
        path = f"/sessions/{self.session_id}"
        while True:
            # Read before the events: when it says that the turn is over, every event is already there.
            session = child(await api.chat("GET", path, limit=1), "session")
            while events := children(await api.chat("GET", f"{path}/events", after=self.seen), "events"):
                for event in events:
                    yield Frame("trace", event)
            status = text(child(session, "turn"), "status")
            if status != "running":
                if status != "waiting":
                    yield Frame("done", {"session": session})
                return
            await asyncio.sleep(LOOK_SECONDS)


async def begun(api: ChatApi) -> Talk:
    """A new conversation."""
    return Talk(text(child(await api.chat("POST", "/sessions", {}), "session"), "id"))


async def known(api: ChatApi, session_id: str) -> Talk:
    """A conversation that is there, heard up to its last event."""
    from urllib.parse import quote

    answer = await api.chat("GET", f"/sessions/{quote(session_id, safe='')}", limit=1)
    session, trace = child(answer, "session"), children(answer, "trace")
    waiting = text(child(session, "turn"), "status") == "waiting"
    return Talk(text(session, "id"), whole(trace[-1], "seq") if trace else 0, waiting)


async def last(api: ChatApi) -> Talk:
    """The conversation in which something happened last; a Failure where there is none."""
    found = children(await api.chat("GET", "/sessions", limit=20), "sessions")
    if not found:
        raise Failure("There is no conversation yet.", 'Begin one with: memex ask "your question"')
    return await known(api, text(max(found, key=lambda one: text(one, "updated_at")), "id"))


async def holding(api: ChatApi, run_id: str) -> Talk:
    """The conversation in which a run waits; a Failure where none of the newest ones holds it."""
    found = children(await api.chat("GET", "/sessions", limit=200), "sessions")
    for session in found:
        if text(child(session, "turn"), "id") == run_id:
            return await known(api, text(session, "id"))
    raise Failure(
        f"No conversation waits for your word on {run_id}.",
        "It was answered already, or the conversation went on without an answer. Open the conversation to see.",
    )
