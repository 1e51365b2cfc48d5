"""Calls that leave the engine: HTTP and connector stand-ins. It neither retries nor remembers anything.

https://cloud.google.com/workflows/docs/reference/stdlib/http/request
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from urllib.parse import urlencode

import httpx

from infra.local.workflow.calls import Request
from infra.local.workflow.errors import Raised
from infra.local.workflow.values import Key, Value, from_json, to_json, type_name

MAX_RESPONSE = 2 * 1024 * 1024
MAX_TIMEOUT = 1_800.0
DEFAULT_TIMEOUT = 300.0

Connector: TypeAlias = Callable[[Mapping[str, Value]], Awaitable[Value]]
"""A stand-in for a `googleapis.*` call; it raises Raised to fail."""

_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
_FORM = "application/x-www-form-urlencoded"


class Outside:
    """The one place where a workflow reaches other processes."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        sign: Callable[[str], str],
        connectors: Mapping[str, Connector],
    ) -> None:
        self._client = client
        self._sign = sign
        self._connectors = connectors

    async def perform(self, request: Request, note: Callable[[str], None]) -> Value:
        """Make one call and return its value; raises Raised. `note` gets method, address and outcome."""
        if request.kind == "connector":
            return await self._connectors[request.function](request.arguments)
        method = _method(request)
        url = _url(request.arguments["url"])
        shown = f"{method} {url.scheme}://{url.netloc.decode('ascii')}{url.path}"  # neither user nor query
        note(shown)
        try:
            response, body = await self._exchange(method, url, request.arguments)
        except Raised as error:
            note(f"{shown} -> {_first_tag(error)}")
            raise
        note(f"{shown} -> {response.status_code}")
        headers: dict[Key, Value] = {_header_name(name): value for name, value in response.headers.items()}
        if response.status_code >= 400:
            raise Raised(
                {
                    "message": f"HTTP server responded with error code {response.status_code}",
                    "tags": ["HttpError"],
                    "code": response.status_code,
                    "headers": headers,
                    "body": body,
                }
            )
        return {"code": response.status_code, "headers": headers, "body": body}

    async def _exchange(
        self, method: str, url: httpx.URL, arguments: Mapping[str, Value]
    ) -> tuple[httpx.Response, Value]:
        headers = _headers(arguments.get("headers"))
        if (auth := arguments.get("auth")) is not None:
            headers["Authorization"] = self._authorization(auth, str(arguments["url"]))
        content = _content(arguments["body"], headers) if "body" in arguments else None
        if (query := arguments.get("query")) is not None:
            url = url.copy_merge_params(_query(query))
        request = self._client.build_request(method, url, headers=headers, content=content, timeout=None)
        try:
            async with asyncio.timeout(_timeout(arguments.get("timeout"))):
                response = await self._client.send(request, stream=True, follow_redirects=False)
                try:
                    return response, _decoded(response, await _read(response))
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.TimeoutException):
            raise Raised.tagged("TimeoutError", "the request timed out") from None
        except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol):
            raise Raised.tagged("ConnectionFailedError", "the connection could not be established") from None
        except httpx.HTTPError:
            raise Raised.tagged("ConnectionError", "the connection broke during the transfer") from None

    def _authorization(self, auth: Value, url: str) -> str:
        kind = auth.get("type") if isinstance(auth, dict) else None
        if not isinstance(auth, dict) or kind != "OIDC":
            raise Raised.tagged("AuthError", f"not supported locally: auth of type {kind!r}")
        audience = auth.get("audience", url)
        if not isinstance(audience, str):
            raise Raised.tagged("TypeError", f"auth.audience must be a string; got: {type_name(audience)}")
        try:
            return f"Bearer {self._sign(audience)}"
        except Exception as error:
            raise Raised.tagged("AuthError", f"no token for this audience: {type(error).__name__}") from error


async def _read(response: httpx.Response) -> bytes:
    parts = bytearray()
    async for part in response.aiter_bytes():
        parts += part
        if len(parts) > MAX_RESPONSE:
            raise Raised.tagged("ResourceLimitError", f"the response is longer than {MAX_RESPONSE // 1024**2} MB")
    return bytes(parts)


def _decoded(response: httpx.Response, data: bytes) -> Value:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" or kind.endswith("+json"):
        try:
            return from_json(data) if data else None
        except ValueError:
            raise Raised.tagged("ValueError", "the response says it is JSON, and isn't") from None
    if kind.startswith("text/") or not data:
        return data.decode(response.charset_encoding or "utf-8", "replace")
    return data


def _method(request: Request) -> str:
    name = request.function.partition(".")[2]
    if name != "request":
        return name.upper()
    method = request.arguments["method"]
    if not isinstance(method, str) or method.upper() not in _METHODS:
        raise Raised.tagged("ValueError", f"http.request: unknown method: {method!r}")
    return method.upper()


def _url(value: Value) -> httpx.URL:
    if not isinstance(value, str):
        raise Raised.tagged("TypeError", f"url must be a string; got: {type_name(value)}")
    try:
        url = httpx.URL(value)
    except httpx.InvalidURL:
        raise Raised.tagged("ValueError", "url is not valid") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise Raised.tagged("ValueError", "url must begin with http:// or https://")
    return url


def _headers(value: Value) -> httpx.Headers:
    headers = httpx.Headers({"User-Agent": "GoogleCloudWorkflows; (local)"})
    if value is None:
        return headers
    if not isinstance(value, dict):
        raise Raised.tagged("TypeError", f"headers must be a map; got: {type_name(value)}")
    for name, item in value.items():
        if not isinstance(item, str) or not f"{name}{item}".isprintable() or not f"{name}{item}".isascii():
            raise Raised.tagged("ValueError", f"the header {name} must be a string of printable ASCII characters")
        headers[str(name)] = item
    return headers


def _query(value: Value) -> list[tuple[str, str | int | float | bool | None]]:
    if not isinstance(value, dict):
        raise Raised.tagged("TypeError", f"query must be a map; got: {type_name(value)}")
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, item in value.items():
        pairs.extend((str(name), _scalar(one)) for one in (item if isinstance(item, list) else [item]))
    return pairs


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise Raised.tagged("TypeError", f"a query value must be a string, number or boolean; got: {type_name(value)}")


def _content(body: Value, headers: httpx.Headers) -> bytes:
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if isinstance(body, bytes):
        headers.setdefault("Content-Type", "application/octet-stream")
        return body
    if kind == _FORM and isinstance(body, dict):
        return urlencode(_query(body)).encode()
    if kind and "json" not in kind and isinstance(body, str):
        return body.encode("utf-8", "replace")
    headers.setdefault("Content-Type", "application/json; charset=utf-8")
    try:
        return to_json(body).encode("utf-8", "replace")
    except ValueError as error:
        raise Raised.tagged("ValueError", f"body: {error}") from None


def _timeout(value: Value) -> float:
    if value is None:
        return DEFAULT_TIMEOUT
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_TIMEOUT:
        raise Raised.tagged("ValueError", f"timeout must be a number up to {MAX_TIMEOUT:.0f}: {value!r}")
    return float(value)


def _header_name(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _first_tag(error: Raised) -> str:
    tags = error.value.get("tags") if isinstance(error.value, dict) else None
    return str(tags[0]) if isinstance(tags, list) and tags else "error"
