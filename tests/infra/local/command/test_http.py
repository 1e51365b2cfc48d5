"""Talking to Memex: tried again where that helps, told in words where it does not."""

import asyncio
import json

import httpx
import pytest
import respx

from infra.local.command.failure import Failure, Refused, Unreachable
from infra.local.command.http import LONG, Api, Patience
from infra.local.command.target import Target

URL = "https://memex.example.org"
TARGET = Target(URL, "secret-key", "MEMEX_DEVICE_KEY", named=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Patience, "pause", lambda *_: 0.0)


def get(path: str = "/api/v1/operations") -> object:
    async def act() -> object:
        async with Api(TARGET, patience=LONG) as api:
            return await api.get(path)

    return asyncio.run(act())


def error(status: int, code: str, message: str = "m", next: str = "n") -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "message": message, "next": next}})


@respx.mock
def test_busy_and_broken_answers_are_tried_again() -> None:
    answers: list[httpx.Response | Exception] = [
        error(429, "too_many"),
        httpx.Response(502, text="<html>"),
        httpx.ConnectError("x"),
        httpx.ReadError("y"),
    ]
    route = respx.get(f"{URL}/api/v1/operations").mock(side_effect=[*answers, httpx.Response(200, json={"ok": 1})])
    assert get() == {"ok": 1}
    assert route.call_count == 5


@respx.mock
@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        (error(429, "daily_runs_reached"), 1),
        (error(503, "not_configured"), 1),
        (error(404, "not_found"), 1),
        (error(503, "unreachable"), LONG.tries),
        (error(500, "internal"), LONG.tries),
        (httpx.Response(503), LONG.tries),
    ],
)
def test_what_will_not_pass_is_told_at_once(answer: httpx.Response, calls: int) -> None:
    route = respx.get(f"{URL}/api/v1/operations").mock(return_value=answer)
    with pytest.raises(Refused):
        get()
    assert route.call_count == calls


@respx.mock
def test_an_unknown_key_is_told_with_its_source_and_never_shown() -> None:
    respx.get(f"{URL}/api/v1/operations").mock(return_value=error(401, "unauthorized"))
    with pytest.raises(Failure) as caught:
        get()
    assert "MEMEX_DEVICE_KEY" in caught.value.next
    assert "secret-key" not in caught.value.message + caught.value.next
    assert caught.value.exit_code == 3


@respx.mock
@pytest.mark.parametrize("answer", [httpx.Response(200, text="<html>hello"), httpx.Response(404, text="nginx")])
def test_another_server_at_the_address_is_recognised(answer: httpx.Response) -> None:
    respx.get(f"{URL}/api/v1/operations").mock(return_value=answer)
    with pytest.raises(Unreachable, match="not as Memex would"):
        get()


@respx.mock
def test_a_redirect_is_not_followed_with_the_key() -> None:
    respx.get(f"{URL}/api/v1/operations").mock(
        return_value=httpx.Response(302, headers={"location": "https://evil.example.org/"})
    )
    with pytest.raises(Unreachable, match=r"sends us on to https://evil\.example\.org/"):
        get()


@respx.mock
def test_captures_go_to_the_function_that_the_named_address_tells() -> None:
    respx.get(f"{URL}/config.json").mock(
        return_value=httpx.Response(200, json={"capture": "https://capture.example.org"})
    )
    route = respx.post("https://capture.example.org/api/v1/captures").mock(
        side_effect=[httpx.ConnectError("x"), httpx.Response(201, json={"note": {}})]
    )

    async def act() -> None:
        async with Api(TARGET) as api:
            await api.capture(b"{}", key="one")

    asyncio.run(act())
    assert {call.request.headers["Idempotency-Key"] for call in route.calls} == {"one"}


@respx.mock
def test_captures_never_go_unencrypted_because_an_answer_says_so() -> None:
    respx.get(f"{URL}/config.json").mock(return_value=httpx.Response(200, json={"capture": "http://evil.example.org"}))

    async def act() -> None:
        async with Api(TARGET) as api:
            await api.capture(json.dumps({}).encode())

    with pytest.raises(Failure, match="not encrypted"):
        asyncio.run(act())
