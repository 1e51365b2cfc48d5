"""HTTP calls: what is sent, what comes back, and what goes wrong."""

import asyncio
import json
from collections.abc import Callable

import httpx
import pytest

from tests.infra.local.workflow.conftest import Bench


def call(function: str, args: str) -> str:
    return f"""
main:
  steps:
    - t:
        try: {{call: {function}, args: {{{args}}}, result: got}}
        except: {{as: e, steps: [{{failed: {{return: "${{e}}"}}}}]}}
    - done: {{return: "${{got}}"}}
"""


class Recorder:
    def __init__(self, response: httpx.Response | None = None) -> None:
        self.request = httpx.Request("GET", "http://none")
        self._response = response or httpx.Response(200)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.request = request
        return self._response


async def test_a_call_signs_for_its_url_or_for_the_audience_it_names(bench: Bench) -> None:
    bench.handler = seen = Recorder()
    await bench.result(call("http.post", "url: 'http://test/a?b=1', auth: {type: OIDC}"))
    assert seen.request.headers["authorization"] == "Bearer token for http://test/a?b=1"
    await bench.result(call("http.post", "url: 'http://test/a', auth: {type: OIDC, audience: 'https://x'}"))
    assert seen.request.headers["authorization"] == "Bearer token for https://x"


async def test_the_engines_token_takes_the_place_of_a_header_of_the_same_name(bench: Bench) -> None:
    bench.handler = seen = Recorder()
    await bench.result(call("http.get", "url: 'http://t/', headers: {authorization: mine}, auth: {type: OIDC}"))
    assert seen.request.headers.get_list("authorization") == ["Bearer token for http://t/"]


async def test_another_kind_of_auth_is_an_error(bench: Bench) -> None:
    answer = json.loads(
        await bench.result(call("http.get", "url: 'http://test/', auth: {type: '${\"OAuth\" + string(2)}'}")) or ""
    )
    assert answer == {"message": "not supported locally: auth of type 'OAuth2'", "tags": ["AuthError"]}


@pytest.mark.parametrize(
    ("args", "content", "kind"),
    [
        ("body: {a: [1, null, true]}", b'{"a":[1,null,true]}', "application/json; charset=utf-8"),
        ("body: [1]", b"[1]", "application/json; charset=utf-8"),
        ("body: text", b'"text"', "application/json; charset=utf-8"),
        ("body: '${text.encode(\"raw\")}'", b"raw", "application/octet-stream"),
        ("body: text, headers: {content-type: text/plain}", b"text", "text/plain"),
        (
            "body: {a: 'b c', d: [1, 2]}, headers: {Content-Type: application/x-www-form-urlencoded}",
            b"a=b+c&d=1&d=2",
            "application/x-www-form-urlencoded",
        ),
    ],
)
async def test_a_body_is_encoded_as_documented(args: str, content: bytes, kind: str, bench: Bench) -> None:
    bench.handler = seen = Recorder()
    await bench.result(call("http.put", f"url: 'http://test/', {args}"))
    assert seen.request.method == "PUT"
    assert seen.request.content == content
    assert seen.request.headers.get_list("content-type") == [kind]


async def test_query_headers_and_method_are_sent(bench: Bench) -> None:
    bench.handler = seen = Recorder()
    await bench.result(
        call(
            "http.request",
            "method: patch, url: 'http://test/a?x=1', query: {y: 'a b', z: [1, true]}, headers: {X-Id: abc}",
        )
    )
    assert seen.request.method == "PATCH"
    assert str(seen.request.url) == "http://test/a?x=1&y=a+b&z=1&z=true"
    assert seen.request.headers["x-id"] == "abc"


@pytest.mark.parametrize(
    ("response", "body"),
    [
        (httpx.Response(200, json={"a": 1}), {"a": 1}),
        (httpx.Response(200, content=b"[1]", headers={"content-type": "application/json; charset=utf-8"}), [1]),
        (httpx.Response(200, text="plain"), "plain"),
        (httpx.Response(204), ""),
        (httpx.Response(302, headers={"location": "/elsewhere"}), ""),
    ],
)
async def test_a_response_is_code_headers_and_body(response: httpx.Response, body: object, bench: Bench) -> None:
    bench.handler = Recorder(response)
    answer = json.loads(await bench.result(call("http.get", "url: 'http://test/'")) or "")
    assert answer["code"] == response.status_code
    assert answer["body"] == body
    assert all(name == name.title() for name in answer["headers"])


async def test_bytes_come_back_as_bytes(bench: Bench) -> None:
    bench.handler = Recorder(httpx.Response(200, content=b"\x00\xff", headers={"content-type": "image/png"}))
    source = call("http.get", "url: 'http://test/'").replace("${got}", "${base64.encode(got.body)}")
    assert await bench.result(source) == '"AP8="'


async def test_a_status_of_400_or_more_is_an_error_with_everything_in_it(bench: Bench) -> None:
    bench.handler = Recorder(httpx.Response(409, json={"why": "taken"}, headers={"retry-after": "3"}))
    answer = json.loads(await bench.result(call("http.delete", "url: 'http://test/'")) or "")
    assert answer["tags"] == ["HttpError"]
    assert answer["code"] == 409
    assert answer["body"] == {"why": "taken"}
    assert answer["headers"]["Retry-After"] == "3"
    assert answer["message"] == "HTTP server responded with error code 409"


def failing(error: Callable[[str], Exception]) -> Callable[[httpx.Request], httpx.Response]:
    def handler(request: httpx.Request) -> httpx.Response:
        raise error("no")

    return handler


@pytest.mark.parametrize(
    ("error", "tag"),
    [
        (httpx.ConnectError, "ConnectionFailedError"),
        (httpx.ReadError, "ConnectionError"),
        (httpx.RemoteProtocolError, "ConnectionError"),
        (httpx.ReadTimeout, "TimeoutError"),
        (httpx.ConnectTimeout, "TimeoutError"),
    ],
)
async def test_a_connection_that_fails_has_its_documented_tag(
    error: Callable[[str], Exception], tag: str, bench: Bench
) -> None:
    bench.handler = failing(error)
    answer = json.loads(await bench.result(call("http.get", "url: 'http://test/'")) or "")
    assert answer["tags"] == [tag]


async def test_a_refused_connection_can_be_caught(bench: Bench, unused_tcp_port: int) -> None:
    async def through(request: httpx.Request) -> httpx.Response:
        async with httpx.AsyncClient() as client:
            return await client.request(request.method, request.url)

    bench.handler = through
    answer = json.loads(await bench.result(call("http.get", f"url: 'http://127.0.0.1:{unused_tcp_port}/'")) or "")
    assert answer["tags"] == ["ConnectionFailedError"]


async def test_a_server_that_is_too_slow_is_a_timeout(bench: Bench) -> None:
    async def slow(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    bench.handler = slow
    answer = json.loads(await bench.result(call("http.get", "url: 'http://test/', timeout: 0.01")) or "")
    assert answer["tags"] == ["TimeoutError"]


@pytest.mark.parametrize(
    ("args", "tag"),
    [
        ("url: 'ftp://test/'", "ValueError"),
        ("url: 'file:///etc/passwd'", "ValueError"),
        ("url: test", "ValueError"),
        ("url: 5", "TypeError"),
        ("url: 'http://test/', timeout: 1801", "ValueError"),
        ("url: 'http://test/', headers: {a: 1}", "ValueError"),
        ("url: 'http://test/', headers: {a: \"x\\ny\"}", "ValueError"),
        ("url: 'http://test/', query: {a: {b: 1}}", "TypeError"),
    ],
)
async def test_a_request_that_makes_no_sense_is_not_sent(args: str, tag: str, bench: Bench) -> None:
    answer = json.loads(await bench.result(call("http.get", args)) or "")
    assert answer["tags"] == [tag]


async def test_a_response_over_two_megabytes_is_an_error(bench: Bench) -> None:
    bench.handler = Recorder(httpx.Response(200, content=b"x" * (2 * 1024 * 1024 + 1)))
    answer = json.loads(await bench.result(call("http.get", "url: 'http://test/'")) or "")
    assert answer["tags"] == ["ResourceLimitError"]
