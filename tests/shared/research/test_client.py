"""The client's exact requests, what it makes of every answer, and its judgement of a run."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
import respx

from shared.config import Settings
from shared.errors import MemexError, NotConfigured, Unreachable
from shared.net.http import Http
from shared.research.client import InteractionsClient, prompt, question_of
from shared.research.interaction import parse_interaction
from shared.research.outcome import Outcome, judge
from shared.research.service import Busy, NotToBeHad, Rejected, StartUnknown, Trouble, WrongKey

VERTEX = "https://aiplatform.googleapis.com/v1beta1/projects/p-1/locations/global/interactions"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/interactions"
CREATED = b'event: interaction.created\ndata: {"event_type":"interaction.created","interaction":{"id":"v1_abc"}}\n\n'
REQUEST = {
    "agent": "deep-research-preview-04-2026",
    "input": prompt("Why?"),
    "background": True,
    "stream": True,
    "agent_config": {
        "type": "deep-research",
        "thinking_summaries": "auto",
        "visualization": "off",
        "collaborative_planning": False,
    },
}


async def token() -> str:
    return "t0k3n"


async def no_token() -> str:
    raise NotConfigured("No Google credentials were found")


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    made = Http()
    yield made
    await made.aclose()


def settings(**values: object) -> Settings:
    return Settings(project="p", region="r", device_keys_file="k", **values)  # type: ignore[arg-type]


@pytest.fixture
def vertex(http: Http) -> InteractionsClient:
    return InteractionsClient.from_settings(settings(vertex_project="p-1"), http, token)


def sse(body: bytes) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=body)


# -- requests --------------------------------------------------------------------------------------------------


async def test_the_request_to_vertex_is_exactly_this(vertex: InteractionsClient, respx_mock: respx.MockRouter) -> None:
    route = respx_mock.post(VERTEX).mock(return_value=sse(CREATED))
    assert await vertex.create("Why?", {"tenant": "default", "note": "n1"}) == "v1_abc"
    sent = route.calls.last.request
    assert json.loads(sent.content) == REQUEST | {"labels": {"tenant": "default", "note": "n1"}}
    assert sent.headers["authorization"] == "Bearer t0k3n"
    assert sent.headers["accept"] == "text/event-stream"
    assert "x-goog-api-key" not in sent.headers
    assert str(sent.url) == VERTEX


async def test_the_request_to_the_gemini_api_is_exactly_this(http: Http, respx_mock: respx.MockRouter) -> None:
    client = InteractionsClient.from_settings(settings(gemini_api_key="k3y"), http, no_token)
    route = respx_mock.post(GEMINI).mock(return_value=sse(CREATED))
    assert await client.create("Why?") == "v1_abc"
    sent = route.calls.last.request
    assert json.loads(sent.content) == REQUEST
    assert sent.headers["x-goog-api-key"] == "k3y"
    assert "authorization" not in sent.headers


async def test_an_address_in_the_settings_replaces_googles(http: Http, respx_mock: respx.MockRouter) -> None:
    base = "http://127.0.0.1:1/research/v1beta/"
    client = InteractionsClient.from_settings(settings(research_url=base, gemini_api_key="k3y"), http, no_token)
    respx_mock.post("http://127.0.0.1:1/research/v1beta/interactions").mock(return_value=sse(CREATED))
    assert await client.create("Why?") == "v1_abc"


def test_without_a_service_the_client_says_what_to_set(http: Http) -> None:
    with pytest.raises(NotConfigured) as caught:
        InteractionsClient.from_settings(settings(), http, token)
    assert "MEMEX_VERTEX_PROJECT" in caught.value.next


async def test_looks_and_cancels_are_plain_requests(vertex: InteractionsClient, respx_mock: respx.MockRouter) -> None:
    run = {"id": "v1_a/b+c=", "status": "in_progress"}
    look = respx_mock.get(f"{VERTEX}/v1_a%2Fb%2Bc%3D").respond(json=run)
    cancel = respx_mock.post(f"{VERTEX}/v1_a%2Fb%2Bc%3D/cancel").respond(json=run | {"status": "cancelled"})
    assert (await vertex.get("v1_a/b+c=")).status == "in_progress"
    await vertex.cancel("v1_a/b+c=")
    assert look.calls.last.request.url.raw_path.endswith(b"/v1_a%2Fb%2Bc%3D")
    assert look.calls.last.request.content == cancel.calls.last.request.content == b""
    assert "content-type" not in cancel.calls.last.request.headers


def test_the_question_comes_back_out_of_its_prompt() -> None:
    assert question_of(prompt("a\n\n---\n\nb")) == "a\n\n---\n\nb"
    assert question_of("bare") == "bare"
    assert "no images" in prompt("x")


# -- create ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stream",
    [
        b": ping\n\n" + CREATED,
        b'event: interaction.status_update\ndata: {"event_type":"interaction.status_update"}\n\n' + CREATED,
        b'event: interaction.status_update\ndata: {"interaction_id":"v1_abc","status":"in_progress"}\n\n',
        b'event: interaction.start\ndata: {"interaction":{"id":"v1_abc"}}\n\n',
        b'data: {"event_type":"interaction.created","interaction":{"id":"v1_abc"}}\r\n\r\n',
        b"event: error\ndata: {}\n\nevent: odd\ndata: [1]\n\nevent: odd\ndata: no json\n\n" + CREATED,
    ],
)
async def test_the_id_is_found_whatever_comes_first(
    stream: bytes, vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.post(VERTEX).mock(return_value=sse(stream))
    assert await vertex.create("Why?") == "v1_abc"


@pytest.mark.parametrize("body", [{"id": "v1_abc", "status": "in_progress"}, [{"id": "v1_abc"}]])
async def test_an_answer_in_plain_json_will_do(
    body: object, vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.post(VERTEX).respond(json=body)
    assert await vertex.create("Why?") == "v1_abc"


def standard(code: int, word: str, message: str = "No.") -> dict[str, object]:
    return {"error": {"code": code, "message": message, "status": word}}


AGENT = "deep-research-preview-04-2026"


def said(message: str) -> dict[str, object]:
    """The short envelope of a refusal."""
    return {"error": {"message": message, "code": "invalid_request"}}


CREATES: list[tuple[str, httpx.Response | Exception, type[MemexError]]] = [
    ("refused connection", httpx.ConnectError("x"), Unreachable),
    ("no connection in time", httpx.ConnectTimeout("x"), Unreachable),
    ("pool", httpx.PoolTimeout("x"), Unreachable),
    ("read timeout", httpx.ReadTimeout("x"), StartUnknown),
    ("write timeout", httpx.WriteTimeout("x"), StartUnknown),
    ("broken", httpx.RemoteProtocolError("x"), StartUnknown),
    ("reset", httpx.ReadError("x"), StartUnknown),
    ("429", httpx.Response(429, json=standard(429, "RESOURCE_EXHAUSTED")), Busy),
    ("429 without body", httpx.Response(429), Busy),
    ("429 inside 200", httpx.Response(200, json=standard(429, "RESOURCE_EXHAUSTED")), Busy),
    ("400", httpx.Response(400, json={"error": {"message": "No.", "code": "invalid_request"}}), Rejected),
    ("400 of a key", httpx.Response(400, json=said("API key not valid. Please pass a valid API key.")), WrongKey),
    ("400 of an agent", httpx.Response(400, json=said(f"Agent '{AGENT}' is not supported.")), NotToBeHad),
    ("400 that names it", httpx.Response(400, json=said(f"{AGENT} takes no system_instruction.")), Rejected),
    ("400 that has no note", httpx.Response(400, json=said("The note was not found.")), Rejected),
    ("401", httpx.Response(401, json=standard(401, "UNAUTHENTICATED")), WrongKey),
    ("401 html", httpx.Response(401, text="<html>"), WrongKey),
    ("403", httpx.Response(403, json=standard(403, "PERMISSION_DENIED")), NotToBeHad),
    ("403 array", httpx.Response(403, json=[standard(403, "PERMISSION_DENIED")]), NotToBeHad),
    ("403 of a key", httpx.Response(403, json=said("Your API key was reported as leaked.")), WrongKey),
    ("403 html", httpx.Response(403, text="<html>"), Rejected),
    ("404", httpx.Response(404, json=standard(404, "NOT_FOUND")), NotToBeHad),
    ("404 html", httpx.Response(404, text="<html>"), Rejected),
    ("redirect", httpx.Response(302, headers={"location": "https://evil.test"}), Rejected),
    ("400 inside 200", httpx.Response(200, json={"error": {"code": "invalid_request", "message": "No."}}), Rejected),
    ("denied in stream", sse(b'event: error\ndata: {"error":{"code":"permission_denied"}}\n\n'), NotToBeHad),
    ("408", httpx.Response(408), StartUnknown),
    ("500", httpx.Response(500, json=standard(500, "INTERNAL")), StartUnknown),
    ("503 array", httpx.Response(503, json=[standard(503, "UNAVAILABLE")]), StartUnknown),
    ("502 html", httpx.Response(502, text="<html>"), StartUnknown),
    ("deadline in stream", sse(b'event: error\ndata: {"error":{"code":"deadline_exceeded"}}\n\n'), StartUnknown),
    ("empty stream", sse(b""), StartUnknown),
    ("cut stream", sse(CREATED[:60]), StartUnknown),
    ("done at once", sse(b"event: done\ndata: [DONE]\n\n"), StartUnknown),
    ("nothing in 200", httpx.Response(200, json={}), StartUnknown),
    ("text in 200", httpx.Response(200, text="ok"), StartUnknown),
]


@pytest.mark.parametrize(("answer", "error"), [case[1:] for case in CREATES], ids=[case[0] for case in CREATES])
async def test_each_answer_to_a_create_has_its_meaning_and_is_posted_once(
    answer: httpx.Response | Exception,
    error: type[MemexError],
    vertex: InteractionsClient,
    respx_mock: respx.MockRouter,
) -> None:
    route = respx_mock.post(VERTEX)
    if isinstance(answer, Exception):
        route.side_effect = answer
    else:
        route.return_value = answer
    with pytest.raises(error) as caught:
        await vertex.create("Why?")
    assert type(caught.value) is error
    assert route.call_count == 1
    assert caught.value.retryable is (error in (Unreachable, Busy))


async def test_busy_says_when_to_come_back(vertex: InteractionsClient, respx_mock: respx.MockRouter) -> None:
    respx_mock.post(VERTEX).respond(429, headers={"Retry-After": "17"})
    with pytest.raises(Busy) as caught:
        await vertex.create("Why?")
    assert caught.value.retry_after == 17.0


async def test_a_refusal_is_short_and_never_repeats_the_question(
    vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    question = "My secret plan is to open a bakery in Lisbon next spring"
    echo = f"Unsafe input: {question}"
    respx_mock.post(VERTEX).respond(400, json={"error": {"code": "invalid_request", "message": echo}})
    with pytest.raises(Rejected) as caught:
        await vertex.create(question)
    assert "bakery" not in caught.value.message
    assert (caught.value.service_code, caught.value.upstream_status) == ("invalid_request", 400)
    respx_mock.post(VERTEX).respond(400, json={"error": {"code": "invalid_request", "message": "word " * 500}})
    with pytest.raises(Rejected) as caught:
        await vertex.create(question)
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("question", ["Why is my API key not valid any more?", f"Was {AGENT} not found by anybody?"])
async def test_a_refused_question_about_keys_or_agents_is_a_refused_question(
    vertex: InteractionsClient, respx_mock: respx.MockRouter, question: str
) -> None:
    respx_mock.post(VERTEX).respond(400, json=said(f"Unsafe input: {question}"))
    with pytest.raises(Rejected) as caught:
        await vertex.create(question)
    assert type(caught.value) is Rejected


async def test_without_a_token_nothing_is_posted(http: Http, respx_mock: respx.MockRouter) -> None:
    route = respx_mock.post(VERTEX)
    client = InteractionsClient.from_settings(settings(vertex_project="p-1"), http, no_token)
    route.mock(return_value=sse(CREATED))
    with pytest.raises(NotConfigured):
        await client.create("Why?")
    assert not route.called
    respx_mock.reset()
    await http.request_json("POST", VERTEX, headers={})


async def test_a_service_that_refuses_an_extra_is_asked_without_it(
    vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    refusal = {"error": {"code": "invalid_request", "message": "Unknown parameter 'agent_config.visualization'"}}
    route = respx_mock.post(VERTEX).mock(side_effect=[httpx.Response(400, json=refusal), sse(CREATED)])
    assert await vertex.create("Why?", {"tenant": "t"}) == "v1_abc"
    assert json.loads(route.calls[1].request.content) == {
        key: value for key, value in REQUEST.items() if key != "agent_config"
    } | {"labels": {"tenant": "t"}}


# -- look ------------------------------------------------------------------------------------------------------

LOOKS: list[tuple[str, httpx.Response, type[MemexError], int]] = [
    ("401", httpx.Response(401, json=standard(401, "UNAUTHENTICATED")), Rejected, 401),
    ("403", httpx.Response(403, json={"error": {"code": "permission_denied", "message": ""}}), Rejected, 403),
    ("404", httpx.Response(404, json=standard(404, "NOT_FOUND")), Rejected, 404),
    ("404 inside 200", httpx.Response(200, json={"error": {"code": 5, "message": ""}}), Rejected, 404),
    ("429", httpx.Response(429, json=standard(429, "RESOURCE_EXHAUSTED")), Busy, 429),
    ("500", httpx.Response(500, json=standard(500, "INTERNAL")), Trouble, 500),
    ("502 html", httpx.Response(502, text="<html>"), Trouble, 502),
    ("503 array", httpx.Response(503, json=[standard(503, "UNAVAILABLE")]), Trouble, 503),
    ("503 inside 200", httpx.Response(200, json=standard(503, "UNAVAILABLE")), Trouble, 503),
    ("odd inside 200", httpx.Response(200, json={"error": "boom"}), Trouble, 502),
    ("no status", httpx.Response(200, json={"id": "v1_abc"}), Trouble, 200),
    ("html in 200", httpx.Response(200, text="<html>"), Trouble, 200),
    ("empty array", httpx.Response(200, json=[]), Trouble, 200),
]


@pytest.mark.parametrize(("answer", "error", "status"), [case[1:] for case in LOOKS], ids=[case[0] for case in LOOKS])
async def test_each_answer_to_a_look_has_its_meaning(
    answer: httpx.Response,
    error: type[MemexError],
    status: int,
    vertex: InteractionsClient,
    respx_mock: respx.MockRouter,
) -> None:
    respx_mock.get(f"{VERTEX}/v1_abc").mock(return_value=answer)
    with pytest.raises(error) as caught:
        await vertex.get("v1_abc")
    assert type(caught.value) is error
    assert getattr(caught.value, "upstream_status", None) == status


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, json={"id": "v1_abc", "status": "completed"}),
        httpx.Response(400, json=standard(400, "FAILED_PRECONDITION")),
        httpx.Response(200, json={}),
    ],
)
async def test_cancelling_what_has_ended_is_fine(
    answer: httpx.Response, vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.post(f"{VERTEX}/v1_abc/cancel").mock(return_value=answer)
    await vertex.cancel("v1_abc")


@pytest.mark.parametrize(("status", "error"), [(500, Trouble), (404, Rejected), (429, Busy), (400, Rejected)])
async def test_a_cancel_that_failed_says_so(
    status: int, error: type[MemexError], vertex: InteractionsClient, respx_mock: respx.MockRouter
) -> None:
    respx_mock.post(f"{VERTEX}/v1_abc/cancel").respond(status, json=standard(status, "X"))
    with pytest.raises(error):
        await vertex.cancel("v1_abc")


# -- judgement -------------------------------------------------------------------------------------------------


def output(text: str) -> dict[str, object]:
    return {"type": "model_output", "content": [{"type": "text", "text": text}]}


def thought(text: str) -> dict[str, object]:
    return {"type": "thought", "summary": [{"type": "text", "text": text}]}


IMAGE = {"type": "model_output", "content": [{"type": "image", "data": "iVBO"}]}
JUDGED: list[tuple[dict[str, object], str, str]] = [
    ({"status": "in_progress"}, "running", ""),
    ({"status": "in_progress", "steps": None}, "running", ""),
    ({"status": "queued"}, "running", ""),
    ({"status": "paused"}, "running", ""),
    ({"status": "idle"}, "running", ""),
    ({"status": ""}, "running", ""),
    ({"status": "in_progress", "steps": [output("so far")]}, "running", ""),
    ({"status": "completed", "steps": [output("# Report")]}, "completed", ""),
    ({"status": "completed", "outputs": [output("# Report")]}, "completed", ""),
    ({"status": "completed", "steps": []}, "completed_empty", "empty_report"),
    ({"status": "completed", "steps": [output(" \n"), IMAGE]}, "completed_empty", "empty_report"),
    ({"status": "completed", "steps": [thought("x")]}, "completed_empty", "empty_report"),
    ({"status": "incomplete", "steps": [output("half")]}, "incomplete", "incomplete"),
    ({"status": "incomplete"}, "failed", "incomplete"),
    ({"status": "budget_exceeded", "steps": [output("half")]}, "incomplete", "budget_exceeded"),
    ({"status": "budget_exceeded"}, "failed", "budget_exceeded"),
    ({"status": "failed", "errors": [{"code": 13, "message": "Internal."}]}, "failed", "13"),
    ({"status": "failed", "errors": [{"code": "https://e.test/x"}]}, "failed", "https://e.test/x"),
    ({"status": "failed", "errors": [{"message": "no code"}]}, "failed", "failed"),
    ({"status": "failed", "errors": [[{"error": {"code": 13}}], {"error": {"code": 7}}]}, "failed", "7"),
    ({"status": "failed", "errors": {"error": {"code": 13}}}, "failed", "13"),
    ({"status": "failed", "error": {"code": 13}}, "failed", "13"),
    ({"status": "failed", "steps": [{"type": "model_output", "content": [], "error": {"code": 13}}]}, "failed", "13"),
    ({"status": "failed", "errors": "boom", "steps": ["odd", 3, None]}, "failed", "failed"),
    ({"status": "failed"}, "failed", "failed"),
    ({"status": "failed", "errors": [{"code": "no_sources"}], "steps": [IMAGE]}, "failed", "no_sources"),
    ({"status": "cancelled", "steps": [output("x")]}, "cancelled", "cancelled"),
    ({"status": "requires_action"}, "needs_action", "requires_action"),
    ({"status": "requires_continuation"}, "needs_action", "requires_continuation"),
]


@pytest.mark.parametrize(("body", "kind", "code"), JUDGED)
def test_each_state_of_a_run_has_one_outcome(body: dict[str, object], kind: str, code: str) -> None:
    outcome = judge(parse_interaction(body))  # type: ignore[arg-type]  # the table holds JSON
    assert (outcome.kind, outcome.code) == (kind, code)
    assert outcome.message or kind == "completed"


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([], "Researching"),
        ([thought("**Scoping**\n\nLooking for primary sources.")], "Scoping"),
        ([thought("## Reading\nmore")], "Reading"),
        ([thought("old"), thought("First sentence. Second one."), output("x")], "First sentence."),
        ([thought("x" * 500)], "x" * 119 + "…"),
        ([thought("  \n")], "Researching"),
    ],
)
def test_progress_is_the_latest_thought_in_a_line(steps: list[dict[str, object]], message: str) -> None:
    body = {"status": "in_progress", "steps": steps}
    assert judge(parse_interaction(body)) == Outcome("running", message)  # type: ignore[arg-type]  # JSON
