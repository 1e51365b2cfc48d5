"""What only Gemini does: its marks on calls, its own ways to say no, and two ways in."""

from typing import Any

import pytest

from shared.agent.model import Message, ModelBusy, ModelFailed, Question, ToolAnswer
from shared.agent.models.gemini import Gemini
from shared.errors import UpstreamTimeout
from tests.shared.agent.server import LoopbackServer, Reply
from tests.shared.agent.test_conformance import ASKED, TOOLS, failure, told
from tests.shared.agent.wires import GeminiWire, Said, event

WIRE = GeminiWire()
MARK = "c2lnbmF0dXJl"


def model(server: LoopbackServer, name: str = "gemini-2.5-flash") -> Gemini:
    return Gemini(model=name, key="k3y", base_url=server.url, seconds=20, silence=20)


async def test_a_mark_on_a_call_goes_back_with_it(server: LoopbackServer) -> None:
    call = ("c1", "search_notes", {"query": "a"})
    server.replies = [Reply(WIRE.events([Said(call=call, signature=MARK)])), Reply(WIRE.events([Said("Yes.")]))]
    _, answer = await told(model(server))
    assert answer.calls[0].signature == MARK
    answers = (ToolAnswer("c1", "search_notes", {"notes": []}),)
    past = (*ASKED.messages, Message("model", calls=answer.calls), Message("tool", answers=answers))
    await told(model(server), Question("Be brief.", past, TOOLS))
    parts = [
        part for content in server.asked[1].body["contents"] for part in content["parts"] if "functionCall" in part
    ]
    assert parts[0]["thoughtSignature"] == MARK


@pytest.mark.parametrize(("name", "marked"), [("gemini-3-pro-preview", True), ("gemini-2.5-flash", False)])
async def test_another_models_calls_are_marked_where_gemini_wants_marks(
    name: str, marked: bool, server: LoopbackServer
) -> None:
    server.replies = [Reply(WIRE.events([Said(call=("c1", "search_notes", {}))])), Reply(WIRE.events([Said("Yes.")]))]
    _, answer = await told(model(server, name))
    answers = (ToolAnswer("c1", "search_notes", {}),)
    past = (*ASKED.messages, Message("model", calls=answer.calls), Message("tool", answers=answers))
    await told(model(server, name), Question("Be brief.", past, TOOLS))
    (part,) = [
        part for content in server.asked[1].body["contents"] for part in content["parts"] if "functionCall" in part
    ]
    assert ("thoughtSignature" in part) is marked


async def test_a_call_without_an_id_gets_one_that_is_not_sent_back(server: LoopbackServer) -> None:
    nameless = {"functionCall": {"name": "current_time", "args": {}}}
    said = event({"candidates": [{"content": {"parts": [nameless, nameless]}, "finishReason": "STOP"}]})
    server.replies = [Reply([said]), Reply(WIRE.events([Said("Yes.")]))]
    _, answer = await told(model(server))
    assert len({call.id for call in answer.calls}) == 2
    answers = tuple(ToolAnswer(call.id, call.tool, {}) for call in answer.calls)
    past = (*ASKED.messages, Message("model", calls=answer.calls), Message("tool", answers=answers))
    await told(model(server), Question("Be brief.", past, TOOLS))
    sent = str(server.asked[1].body["contents"])
    assert "functionCall" in sent and "'id'" not in sent


async def test_the_marks_on_text_are_kept(server: LoopbackServer) -> None:
    server.replies = [Reply(WIRE.events([Said("Yes.", signature=MARK)]))]
    assert (await told(model(server)))[1].signatures == (MARK,)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("MALFORMED_FUNCTION_CALL", "model_malformed"),
        ("UNEXPECTED_TOOL_CALL", "model_malformed"),
        ("OTHER", "model_malformed"),
        ("PROHIBITED_CONTENT", "model_refused"),
        ("RECITATION", "model_refused"),
        ("SOMETHING_NEW", "model_refused"),
    ],
)
@pytest.mark.filterwarnings("ignore:SOMETHING_NEW is not a valid")
async def test_each_ending_has_its_word(reason: str, code: str, server: LoopbackServer) -> None:
    server.replies = [Reply([*WIRE.events([Said("In")], "none"), event({"candidates": [{"finishReason": reason}]})])]
    error = await failure(model(server))
    assert isinstance(error, ModelFailed) and error.code == code


async def test_a_blocked_question_is_a_refusal(server: LoopbackServer) -> None:
    server.replies = [Reply([event({"promptFeedback": {"blockReason": "SAFETY"}})])]
    assert (await failure(model(server))).code == "model_refused"


async def test_arguments_of_another_shape_are_malformed(server: LoopbackServer) -> None:
    server.replies = [Reply(WIRE.events([Said(call=("c1", "search_notes", '{"query": "a'))]))]
    assert (await failure(model(server))).code == "model_malformed"


async def test_the_wait_that_it_names_is_kept(server: LoopbackServer) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}
    said: dict[str, Any] = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [info]}}
    server.replies = [Reply([event(said).removeprefix(b"data: ")], 429, "application/json")]
    error = await failure(model(server))
    assert isinstance(error, ModelBusy) and error.retry_after == 17


async def test_a_bad_key_is_named_although_it_is_a_400(server: LoopbackServer) -> None:
    said: dict[str, Any] = {"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}
    server.replies = [Reply([event(said).removeprefix(b"data: ")], 400, "application/json")]
    assert "MEMEX_GEMINI_API_KEY" in (await failure(model(server))).next


async def test_the_key_is_sent_and_the_environment_changes_nothing(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "another")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    server.replies = [Reply(WIRE.events([Said("Yes.")]))]
    await told(model(server))
    assert server.asked[0].headers["x-goog-api-key"] == "k3y"
    assert server.asked[0].path == "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"


async def test_on_vertex_without_credentials_the_setting_is_named(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere.json")
    vertex = Gemini(model="gemini-2.5-flash", project="p-1", base_url=server.url, seconds=20, silence=20)
    error = await failure(vertex)
    assert error.code == "model_rejected" and "MEMEX_VERTEX_PROJECT" in error.next
    assert not server.asked


async def test_silence_is_a_timeout(server: LoopbackServer) -> None:
    server.replies = [Reply(WIRE.events([Said("In")], "none"), then="hold")]
    slow = Gemini(model="gemini-2.5-flash", key="k3y", base_url=server.url, seconds=20, silence=0.1)
    assert isinstance(await failure(slow), UpstreamTimeout)
    server.replies = [Reply(WIRE.events([Said("In")], "none"), then="hold")]
    whole = Gemini(model="gemini-2.5-flash", key="k3y", base_url=server.url, seconds=0.5, silence=20)
    assert isinstance(await failure(whole), UpstreamTimeout)
