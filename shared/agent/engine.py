"""The loop of model and tools, on ADK. The one module that knows ADK's agent and runner.

ADK sees one model and one tool: ours, which find their turn by a context variable. So the agent is built once a
process, and no tool is reached but through the gateway. Nothing persists in ADK: each run gets a session of its own
in memory, seeded with what was said before.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache

from google.adk.agents.llm_agent import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode  # type: ignore[attr-defined]  # re-exported
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.telemetry.context import ContentCapturingMode, TelemetryConfig
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai.types import Content, FunctionCall, FunctionDeclaration, FunctionResponse, Part

from shared.agent.loop import Act, settled
from shared.agent.model import Answer, Delta, Message, Model, Question, ToolAnswer, ToolCall
from shared.models.base import JsonDict

# ADK logs whole tracebacks, and they hold arguments; every error reaches us anyway.
logging.getLogger("google_adk").setLevel(logging.CRITICAL)

QUIET = TelemetryConfig(
    genai_semconv_stability_opt_in="stable", capture_message_content=ContentCapturingMode.NO_CONTENT
)
"""What ADK tells of a run to whoever measures: no word of what was said, and nothing worked out that nobody reads."""
_APP, _USER, _SESSION = "memex", "person", "turn"
_TOOL = "gateway"
_PENDING: JsonDict = {"status": "awaiting_approval"}


@dataclass(slots=True)
class _Turn:
    """What our model and tool need to know of the run that they serve."""

    model: Model
    question: Question
    act: Act
    calls_left: int
    name_call: Callable[[], str]
    calls: dict[str, ToolCall] = field(default_factory=dict)
    answer: Answer | None = None
    failure: Exception | None = None


_turn: ContextVar[_Turn] = ContextVar("turn")


async def run(
    model: Model, question: Question, act: Act, *, max_calls: int, name_call: Callable[[], str]
) -> AsyncIterator[Delta | Answer]:
    """Ask, run the tools that are asked for, ask again, until an answer without calls or a call that waits.

    `question.messages` ends with the person's text, or with the tools' answers to the calls before them. At most
    `max_calls` questions; the last is asked without tools, so that it ends in words. `name_call` gives calls their
    ids. Raises what the model or `act` raised.
    """
    turn = _Turn(model, question, act, max_calls, name_call)
    token = _turn.set(turn)
    try:
        runner, message = await _seeded(turn, question.messages)
        async with aclosing(
            runner.run_async(
                user_id=_USER,
                session_id=_SESSION,
                new_message=message,
                run_config=RunConfig(streaming_mode=StreamingMode.SSE, max_llm_calls=0, telemetry=QUIET),
            )
        ) as events:
            async for event in events:
                if turn.failure:
                    raise turn.failure
                for piece in _pieces(turn, event):
                    yield piece
        if turn.failure:
            raise turn.failure
    finally:
        _turn.reset(token)


@cache
def _agent() -> LlmAgent:
    return LlmAgent(name=_APP, model=_Port(model="port"), tools=[_Gateway()])


async def _seeded(turn: _Turn, messages: Sequence[Message]) -> tuple[Runner, Content]:
    sessions = InMemorySessionService()
    session = await sessions.create_session(app_name=_APP, user_id=_USER, session_id=_SESSION)
    *past, last = messages
    for message in past:
        author = _APP if message.role == "model" else "user"
        turn.calls.update((call.id, call) for call in message.calls)
        await sessions.append_event(session, Event(author=author, invocation_id="past", content=_content(message)))
    runner = Runner(app_name=_APP, agent=_agent(), session_service=sessions)
    return runner, _content(last)


def _content(message: Message) -> Content:
    parts = [Part(text=message.text)] if message.text else []
    parts += [Part(function_call=FunctionCall(id=call.id, name=_TOOL, args={})) for call in message.calls]
    parts += [
        Part(function_response=FunctionResponse(id=answer.call_id, name=_TOOL, response=dict(answer.result)))
        for answer in message.answers
    ]
    return Content(role="model" if message.role == "model" else "user", parts=parts)


def _pieces(turn: _Turn, event: Event) -> list[Delta | Answer]:
    if event.author != _APP or event.content is None:
        return []
    if event.partial:
        return [
            Delta("thinking" if part.thought else "text", part.text) for part in event.content.parts or () if part.text
        ]
    answer, turn.answer = turn.answer, None
    return [answer] if answer else []


class _Port(BaseLlm):
    """ADK's model: the port's, for the turn at hand."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Put the question to the turn's model."""
        turn = _turn.get()
        turn.calls_left -= 1
        question = replace(turn.question, messages=_messages(turn, llm_request.contents))
        if turn.calls_left <= 0:
            question = replace(question, tools=())
        try:
            async for piece in turn.model.stream(question):
                if isinstance(piece, Delta):
                    part = Part(text=piece.text, thought=piece.kind == "thinking")
                    yield LlmResponse(partial=True, content=Content(role="model", parts=[part]))
                else:
                    yield self._whole(turn, piece)
        except Exception as error:
            # ADK would wrap it in events and logs; it goes straight to whoever runs the turn.
            turn.failure = error
            yield LlmResponse(error_code="failed", error_message="failed")

    def _whole(self, turn: _Turn, answer: Answer) -> LlmResponse:
        answer = settled(answer, last=turn.calls_left <= 0, name_call=turn.name_call)
        turn.calls.update((call.id, call) for call in answer.calls)
        turn.answer = answer
        return LlmResponse(
            partial=False, turn_complete=True, content=_content(Message("model", answer.text, answer.calls))
        )


def _messages(turn: _Turn, contents: Sequence[Content]) -> tuple[Message, ...]:
    """ADK's view of the conversation as ours: calls and answers under the names that the model gave them."""
    found: list[Message] = []
    for content in contents:
        text = "".join(part.text for part in content.parts or () if part.text and not part.thought)
        calls = tuple(
            turn.calls[part.function_call.id]
            for part in content.parts or ()
            if part.function_call and part.function_call.id
        )
        answers = tuple(
            ToolAnswer(response.id, turn.calls[response.id].tool, dict(response.response or {}))
            for part in content.parts or ()
            if (response := part.function_response) and response.id
        )
        role = "model" if content.role == "model" else "tool" if answers else "user"
        found.append(Message(role, text, calls, answers))  # type: ignore[arg-type]  # one of the three
    return tuple(found)


class _Gateway(BaseTool):
    """ADK's tool: whatever the model called, through the turn's gateway."""

    def __init__(self) -> None:
        super().__init__(name=_TOOL, description="Every tool.")

    def _get_declaration(self) -> FunctionDeclaration:
        return FunctionDeclaration(name=_TOOL, description=self.description)

    async def run_async(self, *, args: dict[str, object], tool_context: ToolContext) -> JsonDict:
        """Run the call that has this id."""
        turn = _turn.get()
        call = turn.calls[tool_context.function_call_id or ""]
        try:
            result = await turn.act(call)
        except Exception as error:
            turn.failure = error
            result = None
        if result is None:
            tool_context.actions.skip_summarization = True
            return _PENDING
        return result
