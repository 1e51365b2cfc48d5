"""What every model behind the port does the same, on real sockets; and once, where one is configured, a real model."""

import asyncio
import logging
import os
from contextlib import aclosing

import pytest

from shared.agent.model import (
    Answer,
    Delta,
    Message,
    Model,
    ModelBusy,
    ModelDown,
    ModelFailed,
    Question,
    ToolAnswer,
    ToolCall,
    ToolSpec,
)
from shared.errors import MemexError, Unreachable, UpstreamTimeout
from shared.models.base import JsonDict
from shared.net.http import Http
from tests.shared.agent.server import LoopbackServer, Reply
from tests.shared.agent.wires import WIRES, Said, Wire

SCHEMA: JsonDict = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOLS = (
    ToolSpec("search_notes", "Finds notes.", SCHEMA),
    ToolSpec("current_time", "Tells the time.", {"type": "object"}),
)
ASKED = Question("Be brief.", (Message("user", "When do pears ripen?"),), TOOLS)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


async def told(model: Model, question: Question = ASKED) -> tuple[list[Delta], Answer]:
    """The deltas, and the one answer, which comes last."""
    pieces = [piece async for piece in model.stream(question)]
    *deltas, answer = pieces
    assert isinstance(answer, Answer)
    return [delta for delta in deltas if isinstance(delta, Delta)], answer


def joined(deltas: list[Delta], kind: str) -> str:
    return "".join(delta.text for delta in deltas if delta.kind == kind)


# -- what is said


@each_wire
async def test_text_streams_and_its_pieces_make_the_answer(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said("In "), Said("August"), Said(".")]))]
    deltas, answer = await told(wire.model(http, server.url))
    assert [delta.text for delta in deltas] == ["In ", "August", "."]
    assert answer.text == joined(deltas, "text") == "In August."
    assert (answer.tokens_in, answer.tokens_out) == (11, 7)
    assert not answer.calls


@each_wire
async def test_thinking_is_kept_apart(wire: Wire, server: LoopbackServer, http: Http) -> None:
    said = [Said(thinking="Pears"), Said(thinking="... summer."), Said("August")]
    server.replies = [Reply(wire.events(said))]
    deltas, answer = await told(wire.model(http, server.url))
    assert [delta.kind for delta in deltas] == ["thinking", "thinking", "text"]
    assert (answer.thinking, answer.text) == ("Pears... summer.", "August")


@each_wire
async def test_one_call(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said(call=("c1", "search_notes", {"query": "Birnen: süß"}))]))]
    _, answer = await told(wire.model(http, server.url))
    assert answer.calls == (ToolCall("c1", "search_notes", {"query": "Birnen: süß"}),)
    assert answer.text == ""


@each_wire
async def test_text_and_two_calls(wire: Wire, server: LoopbackServer, http: Http) -> None:
    calls = [("c1", "search_notes", {"query": "a"}), ("c2", "current_time", {})]
    server.replies = [Reply(wire.events([Said("I look."), *(Said(call=call) for call in calls)]))]
    _, answer = await told(wire.model(http, server.url))
    assert [(call.id, call.tool, call.arguments) for call in answer.calls] == calls
    assert answer.text == "I look."


@each_wire
async def test_letters_cut_by_the_network_arrive_whole(wire: Wire, server: LoopbackServer, http: Http) -> None:
    raw = b"".join(wire.events([Said("Äpfel 🍐 "), Said("und Birnen")]))
    server.replies = [Reply([raw[at : at + 1] for at in range(len(raw))])]
    _, answer = await told(wire.model(http, server.url))
    assert answer.text == "Äpfel 🍐 und Birnen"


# -- what is sent


@each_wire
async def test_answers_of_tools_go_back_beside_their_calls(wire: Wire, server: LoopbackServer, http: Http) -> None:
    calls = (ToolCall("c1", "search_notes", {"query": "a"}), ToolCall("c2", "current_time", {}))
    answers = (ToolAnswer("c1", "search_notes", {"notes": []}), ToolAnswer("c2", "current_time", {"utc": "now"}))
    past = (*ASKED.messages, Message("model", "I look.", calls=calls), Message("tool", answers=answers))
    server.replies = [Reply(wire.events([Said("Nothing.")]))]
    await told(wire.model(http, server.url), Question("Be brief.", past, TOOLS))
    body = server.asked[0].body
    assert wire.calls(body) == [("c1", "search_notes", {"query": "a"}), ("c2", "current_time", {})]
    assert wire.answers(body) == [("c1", {"notes": []}), ("c2", {"utc": "now"})]


@each_wire
async def test_halves_of_a_turn_that_broke_off_are_left_out(wire: Wire, server: LoopbackServer, http: Http) -> None:
    calls = (ToolCall("c1", "search_notes", {"query": "a"}), ToolCall("c2", "current_time", {}))
    stray = ToolAnswer("c9", "current_time", {})
    past = (
        Message("user", "One"),
        Message("model", calls=calls),
        Message("tool", answers=(ToolAnswer("c2", "current_time", {"utc": "now"}), stray)),
        Message("model", calls=(ToolCall("c3", "current_time", {}),)),
        Message("user", "Two"),
    )
    server.replies = [Reply(wire.events([Said("Yes.")]))]
    await told(wire.model(http, server.url), Question("Be brief.", past, TOOLS))
    assert wire.calls(server.asked[0].body) == [("c2", "current_time", {})]
    assert wire.answers(server.asked[0].body) == [("c2", {"utc": "now"})]


@each_wire
async def test_reasoning_and_a_schema_are_asked_for_only_where_they_are_wanted(
    wire: Wire, server: LoopbackServer, http: Http
) -> None:
    server.replies = [Reply(wire.events([Said("{}")])) for _ in range(2)]
    model = wire.model(http, server.url)
    await told(model, Question("Be brief.", ASKED.messages))
    await told(model, Question("Be brief.", ASKED.messages, think=True, schema=SCHEMA))
    plain, full = (asked.body for asked in server.asked)
    if wire.name == "openai":
        assert "reasoning_effort" not in plain and "response_format" not in plain and "tools" not in plain
        assert full["reasoning_effort"] == "medium"
        assert full["response_format"]["json_schema"]["schema"] == SCHEMA
        assert plain["stream"] is True and plain["stream_options"] == {"include_usage": True}
    else:
        assert "generationConfig" not in plain or "thinkingConfig" not in plain["generationConfig"]
        assert full["generationConfig"]["thinkingConfig"] == {"include_thoughts": True}
        assert full["generationConfig"]["responseJsonSchema"] == SCHEMA
        assert full["generationConfig"]["responseMimeType"] == "application/json"


# -- what is no answer


async def failure(model: Model, question: Question = ASKED) -> MemexError:
    with pytest.raises(MemexError) as caught:
        await told(model, question)
    error = caught.value
    assert error.message and "k3y" not in f"{error.message} {error.next}"
    return error


@each_wire
@pytest.mark.parametrize("said", [[], [Said(" \n")], [Said(thinking="Hm.")]], ids=["none", "blank", "thinking"])
async def test_nothing_said_is_an_error(wire: Wire, said: list[Said], server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events(said))]
    error = await failure(wire.model(http, server.url))
    assert isinstance(error, ModelFailed) and error.code == "model_empty" and error.next


@each_wire
@pytest.mark.parametrize(("reason", "code"), [("cut", "model_cut"), ("refused", "model_refused")])
async def test_a_cut_or_refused_answer_is_an_error(
    wire: Wire, reason: str, code: str, server: LoopbackServer, http: Http
) -> None:
    said = [Said("In Aug"), Said(call=("c1", "search_notes", {"query": "a"}))]
    server.replies = [Reply(wire.events(said, reason))]  # type: ignore[arg-type]  # one of its words
    error = await failure(wire.model(http, server.url))
    assert isinstance(error, ModelFailed) and error.code == code


@each_wire
@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (400, ModelFailed, "model_rejected"),
        (401, ModelFailed, "model_rejected"),
        (403, ModelFailed, "model_rejected"),
        (404, ModelFailed, "model_rejected"),
        (429, ModelBusy, "model_busy"),
        (500, ModelDown, "model_down"),
        (503, ModelDown, "model_down"),
    ],
)
async def test_each_status_has_its_word(
    wire: Wire, status: int, kind: type[MemexError], code: str, server: LoopbackServer, http: Http
) -> None:
    said = b'{"error": {"code": %d, "message": "your key k3y is no good"}}' % status
    server.replies = [Reply([said], status, "application/json") for _ in range(2)]
    error = await failure(wire.model(http, server.url))
    assert type(error) is kind and error.code == code
    assert "is no good" not in error.message + error.next
    names = {401: "API_KEY", 403: "API_KEY", 404: "MEMEX_CHAT_MODEL"}
    assert names.get(status, "") in error.next


@each_wire
async def test_an_error_in_the_middle_of_a_stream(wire: Wire, server: LoopbackServer, http: Http) -> None:
    said = b'data: {"error": {"code": 503, "status": "UNAVAILABLE", "message": "no"}}\n\n'
    server.replies = [Reply([*wire.events([Said("In")], "none"), said])]
    assert isinstance(await failure(wire.model(http, server.url)), ModelDown)


@each_wire
async def test_an_error_inside_a_success(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply([b'{"error": {"code": 429, "message": "slow down"}}'], kind="application/json")]
    assert isinstance(await failure(wire.model(http, server.url)), ModelBusy)


@each_wire
@pytest.mark.parametrize("then", ["break", "end"])
async def test_a_stream_that_ends_in_the_middle(wire: Wire, then: str, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said("In Aug")], "none"), then=then)]  # type: ignore[arg-type]
    model, heard = wire.model(http, server.url), []
    with pytest.raises(UpstreamTimeout) as caught:
        async for piece in model.stream(ASKED):
            heard.append(piece)
    assert heard == [Delta("text", "In Aug")]
    assert caught.value.retryable


@each_wire
@pytest.mark.parametrize("garbage", [b"data: {half\n\n", b"data: 17\n\n", b"data: \xff\xfe\n\n"])
async def test_garbage_is_an_error_that_quotes_nothing(
    wire: Wire, garbage: bytes, server: LoopbackServer, http: Http, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.replies = [Reply([*wire.events([Said("secret words")], "none"), garbage])]
    error = await failure(wire.model(http, server.url))
    assert isinstance(error, ModelFailed) and error.code == "model_malformed"
    logging.getLogger("memex").error("a turn failed", exc_info=error)
    assert "secret words" not in caplog.text and "half" not in caplog.text


@each_wire
async def test_a_stream_without_end_is_bounded(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said("word " * 20_000)], "none"), then="repeat")]
    assert (await failure(wire.model(http, server.url))).code == "model_cut"
    async with asyncio.timeout(5):
        await server.left.wait()


@each_wire
async def test_whoever_stops_listening_hangs_up(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said("In")], "none"), then="hold")]
    heard = asyncio.Event()

    async def listen() -> None:
        async for _ in wire.model(http, server.url).stream(ASKED):
            heard.set()

    listening = asyncio.create_task(listen())
    await heard.wait()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    async with asyncio.timeout(5):
        await server.left.wait()


@each_wire
async def test_leaving_the_stream_hangs_up(wire: Wire, server: LoopbackServer, http: Http) -> None:
    server.replies = [Reply(wire.events([Said("In")], "none"), then="hold")]
    async with aclosing(wire.model(http, server.url).stream(ASKED)) as pieces:  # type: ignore[type-var]  # a generator
        async for _ in pieces:
            break
    async with asyncio.timeout(5):
        await server.left.wait()


@each_wire
async def test_a_service_that_is_not_there(wire: Wire, server: LoopbackServer, http: Http) -> None:
    gone = LoopbackServer()
    await gone.start()
    await gone.stop()
    assert isinstance(await failure(wire.model(http, gone.url)), Unreachable)


# -- a real one

REAL = os.environ.get("MEMEX_TEST_CHAT_MODEL", "")


async def _test_a_real_model_calls_a_tool_and_answers() -> None:
    from shared.agent.models.choose import from_settings
    from shared.config import Settings

    environ = {"MEMEX_PROJECT": "p", "MEMEX_REGION": "r", "MEMEX_DEVICE_KEYS_FILE": "k"} | dict(os.environ)
    http = Http()
    model = from_settings(Settings.from_env(environ), http, wanted=REAL)
    rule = "Answer only from search_notes."
    _, first = await told(model, Question(rule, ASKED.messages, TOOLS))
    assert [call.tool for call in first.calls] == ["search_notes"]
    results = tuple(
        ToolAnswer(call.id, call.tool, {"notes": [{"text": "Pears ripen in August."}]}) for call in first.calls
    )
    said = (*ASKED.messages, Message("model", first.text, first.calls), Message("tool", answers=results))
    deltas, second = await told(model, Question(rule, said, TOOLS))
    assert "August" in second.text and len(deltas) > 1
    await http.aclose()


# Collected only where a model is named: it costs money, and elsewhere there is nothing to skip.
if REAL:
    test_a_real_model_calls_a_tool_and_answers = _test_a_real_model_calls_a_tool_and_answers
