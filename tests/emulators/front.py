"""Cloud Run's front on this machine: `/run/NAME/...` is the function NAME, started where it is not running."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tests.emulators.instance import Instance

PREFIX = "/run/"
_OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "upgrade", "content-length"}


class Front:
    """Passes requests on to the functions, streams included."""

    def __init__(self, instances: Mapping[str, Instance], seconds: Mapping[str, int]) -> None:
        self._instances = instances
        self._seconds = seconds
        self._strikes: dict[tuple[str, str], float] = {}
        self._client = httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=None))

    async def close(self) -> None:
        """Close the connections to the functions."""
        await self._client.aclose()

    def strike(self, name: str, path: str, after: float) -> None:
        """Kill the function while it is at its next request to `path`, so many seconds after that has come."""
        self._strikes[name, path] = after

    @property
    def struck(self) -> bool:
        """Whether all strikes have fallen."""
        return not self._strikes

    async def post(self, name: str, headers: Mapping[str, str], content: bytes, path: str = "/") -> int:
        """One delivery; its status."""
        try:
            answer = await self._send(name, "POST", path, headers.items(), content)
            await answer.aclose()
        except httpx.TransportError:
            return 503
        return answer.status_code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request to `/run/NAME/...`."""
        name, _, path = str(scope["path"]).removeprefix(PREFIX).partition("/")
        await self.serve(name, f"/{path}", scope, receive, send)

    async def serve(self, name: str, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request with a function."""
        await (await self._answer(name, path, Request(scope, receive)))(scope, receive, send)

    async def _answer(self, name: str, path: str, request: Request) -> Response:
        if name not in self._instances:
            return PlainTextResponse("no such service", 404)
        query = f"?{request.url.query}" if request.url.query else ""
        try:
            answer = await self._send(name, request.method, path + query, request.headers.items(), await request.body())
        except httpx.TimeoutException:
            return PlainTextResponse("upstream request timeout", 504)
        except httpx.TransportError:
            return PlainTextResponse("The request failed because the instance stopped.", 503)
        # The length stays where there is one, and a stream has none.
        kept = {name: value for name, value in answer.headers.items() if name not in _OF_THE_CONNECTION}
        if "content-length" in answer.headers:
            kept["content-length"] = answer.headers["content-length"]
        return StreamingResponse(_pieces(answer), answer.status_code, kept)

    async def _send(
        self, name: str, method: str, path: str, headers: Iterable[tuple[str, str]], content: bytes
    ) -> httpx.Response:
        instance = self._instances[name]
        request = self._client.build_request(
            method,
            f"http://{await instance.up()}{path}",
            headers=[(key, value) for key, value in headers if key.lower() not in _OF_THE_CONNECTION],
            content=content,
            timeout=self._seconds[name],
        )
        after = self._strikes.pop((name, path), None)
        if after is not None:
            asyncio.get_running_loop().call_later(after, instance.kill)
        return await self._client.send(request, stream=True)


async def _pieces(answer: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for piece in answer.aiter_raw():
            yield piece
    finally:
        await answer.aclose()
