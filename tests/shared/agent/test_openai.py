"""Servers that speak OpenAI's protocol each in their own way: what they send, and what we make of it."""

import json
from typing import Any

import pytest

from shared.agent.model import Answer, Message, ModelBusy, ModelDown, ModelFailed, Question, ToolCall
from shared.agent.models.fragments import Fragments, parsed
from shared.agent.models.openai import OpenAI
from shared.errors import MemexError
from shared.net.http import Http
from tests.shared.agent.server import LoopbackServer, Reply
from tests.shared.agent.test_conformance import ASKED, TOOLS, failure, told
from tests.shared.agent.wires import OpenAIWire, Said, event

WIRE = OpenAIWire()


def piece(index: int | None = None, id: str | None = None, name: str | None = None, text: Any = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", text)) if value is not None}
    entry: dict[str, Any] = {"function": function}
    return entry | ({"index": index} if index is not None else {}) | ({"id": id} if id is not None else {})


A, B = {"query": "a"}, {"query": "b"}


@pytest.mark.parametrize(
    ("pieces", "ids"),
    [
        pytest.param(
            [
                piece(0, "c1", "s", ""),
                piece(0, text='{"query"'),
                piece(0, text=': "a"}'),
                piece(1, "c2", "s", '{"query":"b"}'),
            ],
            ["c1", "c2"],
            id="by index, in fragments",
        ),
        pytest.param(
            [
                piece(0, "c1", "s", '{"query":'),
                piece(1, "c2", "s", '{"query":'),
                piece(0, text='"a"}'),
                piece(1, text='"b"}'),
            ],
            ["c1", "c2"],
            id="interleaved",
        ),
        pytest.param(
            [piece(None, "c1", "s", '{"query":'), piece(text='"a"}'), piece(None, "c2", "s", '{"query":"b"}')],
            ["c1", "c2"],
            id="without index",
        ),
        pytest.param(
            [piece(0, "c1", "s", '{"query":"a"}'), piece(0, "c2", "s", '{"query":"b"}')],
            ["c1", "c2"],
            id="index always 0",
        ),
        pytest.param(
            [piece(name="s", text='{"query":"a"}'), piece(name="s", text='{"query":"b"}')],
            None,
            id="neither index nor id",
        ),
        pytest.param(
            [piece(0, "c", "s", '{"query":"a"}'), piece(1, "c", "s", '{"query":"b"}')], None, id="one id for both"
        ),
        pytest.param([piece(0, "c1", "s", A), piece(1, "c2", "s", B)], ["c1", "c2"], id="arguments as an object"),
        pytest.param(
            [piece(0, "c1", "s", '{"query":'), piece(0, "c1", "s", '"a"}'), piece(1, "c2", "s", '{"query":"b"}')],
            ["c1", "c2"],
            id="id and name in every piece",
        ),
    ],
)
def test_calls_are_put_together_from_their_pieces(pieces: list[dict[str, Any]], ids: list[str] | None) -> None:
    fragments = Fragments()
    for one in pieces:
        fragments.feed([one])
    calls = fragments.end(taken=set())
    assert [(call.tool, call.arguments, call.broken) for call in calls] == [("s", A, ""), ("s", B, "")]
    assert len({call.id for call in calls}) == 2 and all(call.id for call in calls)
    if ids:
        assert [call.id for call in calls] == ids


def test_an_id_of_the_conversation_is_not_used_twice() -> None:
    fragments = Fragments()
    fragments.feed([piece(0, "call_0", "s", "{}")])
    (call,) = fragments.end(taken={"call_0"})
    assert call.id and call.id != "call_0"


@pytest.mark.parametrize(
    "text", ['{"query": "a', "{'query': 'a'}", "[1]", '"a"', "17", "null", '{"a": NaN}', "{}{}", "[" * 100_000]
)
def test_arguments_that_cannot_be_read_are_broken_and_never_empty(text: str) -> None:
    arguments, broken = parsed(text)
    assert arguments == {} and broken


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_a_call_without_arguments_has_none(text: str) -> None:
    assert parsed(text) == ({}, "")


def test_a_lost_half_of_a_character_in_arguments_can_be_stored() -> None:
    arguments, broken = parsed('{"query": "\\ud83c pear \\ud83c\\udf50", "deep": [{"\\udf50": 1}]}')
    assert not broken
    assert json.dumps(arguments, ensure_ascii=False).encode()
    assert arguments["query"] == "\ufffd pear 🍐"


async def test_broken_arguments_reach_the_gateway_as_broken(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(WIRE.events([Said(call=("c1", "search_notes", '{"query": "a'))]))]
    _, answer = await told(WIRE.model(http, server.url))
    (call,) = answer.calls
    assert call.arguments == {} and "JSON" in call.broken


async def test_a_broken_call_goes_back_as_one_without_arguments(server: LoopbackServer, http: Http) -> None:
    from shared.agent.model import ToolAnswer

    broken = ToolCall("c1", "search_notes", {}, broken="no JSON")
    answers = (ToolAnswer("c1", "search_notes", {"error": "invalid_arguments"}),)
    past = (*ASKED.messages, Message("model", calls=(broken,)), Message("tool", answers=answers))
    server.replies = [Reply(WIRE.events([Said("Again.")]))]
    await told(WIRE.model(http, server.url), Question("Be brief.", past, TOOLS))
    assert WIRE.calls(server.asked[0].body) == [("c1", "search_notes", {})]


async def test_characters_cut_between_two_pieces_arrive_whole(server: LoopbackServer, http: Http) -> None:
    halves = [
        b'data: {"choices":[{"delta":{"content":"a \\ud83c"}}]}\n\n',
        b'data: {"choices":[{"delta":{"content":"\\udf50!"}}]}\n\n',
    ]
    server.replies = [Reply([*halves, *WIRE.events([])])]
    deltas, answer = await told(WIRE.model(http, server.url))
    assert answer.text == "a 🍐!" == "".join(delta.text for delta in deltas)


async def test_a_lone_half_at_the_end_is_not_lost_silently(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([b'data: {"choices":[{"delta":{"content":"a \\ud83c"},"finish_reason":"stop"}]}\n\n'])]
    deltas, answer = await told(WIRE.model(http, server.url))
    assert answer.text == "a \ufffd" == "".join(delta.text for delta in deltas)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_is_kept_by_whichever_name(field: str, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([event({"choices": [{"delta": {field: "Hm."}}]}), *WIRE.events([Said("Yes.")])])]
    _, answer = await told(WIRE.model(http, server.url))
    assert (answer.thinking, answer.text) == ("Hm.", "Yes.")


async def test_a_server_that_streams_nothing_is_understood(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([WIRE.whole([Said("In August.")])], kind="application/json")]
    deltas, answer = await told(WIRE.model(http, server.url))
    assert [delta.text for delta in deltas] == ["In August."]
    assert answer == Answer("In August.", tokens_in=11)


async def test_the_end_is_known_without_done_and_without_a_reason(server: LoopbackServer, http: Http) -> None:
    text = event({"choices": [{"delta": {"content": "Yes."}}]})
    reason = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    server.replies = [Reply([text, reason]), Reply([text, b"data: [DONE]\n\n"])]
    model = WIRE.model(http, server.url)
    assert (await told(model))[1].text == (await told(model))[1].text == "Yes."


async def test_a_refusal_in_its_own_field_is_one(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([event({"choices": [{"delta": {"refusal": "No."}}]}), *WIRE.events([])])]
    assert (await failure(WIRE.model(http, server.url))).code == "model_refused"


@pytest.mark.parametrize(
    ("error", "kind", "hint"),
    [
        ({"code": "rate_limit_exceeded"}, ModelBusy, ""),
        ({"type": "insufficient_quota", "code": None}, ModelBusy, ""),
        ({"code": "context_length_exceeded"}, ModelFailed, "start a new one"),
        (
            {"type": "invalid_request_error", "message": "This model does not support tools"},
            ModelFailed,
            "takes no tools",
        ),
        ({"type": "authentication_error"}, ModelFailed, "MEMEX_OPENAI_API_KEY"),
        ({"type": "server_error"}, ModelDown, ""),
        ("something", ModelDown, ""),
    ],
)
async def test_an_error_object_says_by_its_words_what_it_means(
    error: object, kind: type[MemexError], hint: str, server: LoopbackServer, http: Http
) -> None:
    server.replies = [Reply([event({"error": error})])]
    found = await failure(WIRE.model(http, server.url))
    assert type(found) is kind
    assert hint in found.next


async def test_a_busy_server_says_how_long(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([b"{}"], 429, "application/json", {"Retry-After": "12"})]
    error = await failure(WIRE.model(http, server.url))
    assert isinstance(error, ModelBusy) and error.retry_after == 12


async def test_an_address_that_leads_to_a_web_page_is_named(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([b"<html>"], kind="text/html")]
    error = await failure(WIRE.model(http, server.url))
    assert error.code == "model_rejected" and "MEMEX_OPENAI_URL" in error.next


async def test_what_a_server_does_not_know_is_left_out_from_then_on(server: LoopbackServer, http: Http) -> None:
    refusal = Reply(
        [b'{"error": {"message": "Unrecognized request argument: reasoning_effort"}}'], 400, "application/json"
    )
    server.replies = [refusal, *(Reply(WIRE.events([Said("Yes.")])) for _ in range(2))]
    model = WIRE.model(http, server.url)
    thinking = Question("Be brief.", ASKED.messages, think=True)
    for _ in range(2):
        assert (await told(model, thinking))[1].text == "Yes."
    first, second, third = (set(asked.body) for asked in server.asked)
    assert first - second == {"reasoning_effort"} and second == third
    assert "stream_options" in second


async def test_a_server_without_schemas_is_asked_for_any_object(server: LoopbackServer, http: Http) -> None:
    refusal = Reply([b'{"error": {"message": "response_format.type must be json_object"}}'], 400, "application/json")
    server.replies = [refusal, Reply(WIRE.events([Said('{"a": 1}')]))]
    await told(WIRE.model(http, server.url), Question("Be brief.", ASKED.messages, schema={"type": "object"}))
    assert server.asked[1].body["response_format"] == {"type": "json_object"}


async def test_a_request_that_is_refused_all_the_same_is_an_error(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([b'{"error": "no"}'], 400, "application/json") for _ in range(3)]
    assert (await failure(WIRE.model(http, server.url))).code == "model_rejected"
    assert len(server.asked) == 2


async def test_a_key_is_sent_only_where_there_is_one(server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(WIRE.events([Said("Yes.")])) for _ in range(2)]
    await told(WIRE.model(http, server.url))
    await told(OpenAI(http, url=f"{server.url}/v1/", model="m"))
    assert server.asked[0].headers["authorization"] == "Bearer k3y"
    assert "authorization" not in server.asked[1].headers
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}


def test_very_many_entries_that_say_nothing_cost_little_and_come_to_the_limit() -> None:
    fragments = Fragments()
    fragments.feed([{"index": number} for number in range(200_000)])  # with a search for each it would take minutes
    assert fragments.size > 1_000_000
    assert fragments.end(()) == ()
