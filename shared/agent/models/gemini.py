"""Gemini through ADK's class: with an API key, or on Vertex with application default credentials.

It loads ADK and google-genai, so only `choose` imports it, and late. It never lets an exception out that quotes text.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from contextvars import ContextVar
from typing import Protocol

from google.adk.models.google_llm import Gemini as Service
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from shared.agent.model import Answer, Delta, Question
from shared.agent.models import failures
from shared.agent.models.gemini_errors import translated
from shared.agent.models.gemini_wire import calls, request, signatures
from shared.errors import UpstreamTimeout

SECONDS = 3600.0
"""The longest turn; its own limit, which is mostly shorter, hangs up before."""
SILENCE = 300.0
"""Seconds without a piece."""
MAX_TEXT = 1_000_000
"""Characters of an answer: text, thinking and calls."""
LOCATION = "global"

_MALFORMED = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER"})

# Their debug lines hold whole requests and answers.
for _name in ("google_adk", "google_genai"):
    _log = logging.getLogger(_name)
    _log.setLevel(max(_log.level, logging.WARNING))


class _Open(Protocol):
    async def aclose(self) -> None: ...


_opened: ContextVar[list[_Open]] = ContextVar("opened")


async def _remember(response: _Open) -> None:
    _opened.get().append(response)


class Gemini:
    """The model port over ADK's Gemini."""

    def __init__(
        self,
        *,
        model: str,
        key: str = "",
        project: str = "",
        base_url: str | None = None,
        seconds: float = SECONDS,
        silence: float = SILENCE,
    ) -> None:
        self._model = model.removeprefix("models/")
        self._vertex = not key
        whose: dict[str, object] = {"enterprise": False, "api_key": key}
        if self._vertex:
            whose = {"enterprise": True, "project": project, "location": LOCATION}
        # google-genai leaves an answer open that is not read to its end; so that we can hang up, we are told of each.
        options = types.HttpOptions(async_client_args={"event_hooks": {"response": [_remember]}})
        self._service = Service(model=self._model, base_url=base_url, client_kwargs={**whose, "http_options": options})
        self._seconds = seconds
        self._silence = silence

    @property
    def name(self) -> str:
        """The model's name at the service."""
        return self._model

    async def stream(self, question: Question) -> AsyncGenerator[Delta | Answer, None]:
        """Deltas as they come, then the Answer."""
        asked = request(self._model, question, seconds=self._silence)
        whole: LlmResponse | None = None
        size = 0
        async with aclosing(self._responses(asked)) as responses:
            async for response in responses:
                if not response.partial:
                    whole = response
                    continue
                size += sum(len(part.model_dump_json(exclude_none=True)) for part in _parts(response))
                if size > MAX_TEXT:
                    raise failures.cut("it is far too long")
                for part in _parts(response):
                    if part.text:
                        yield Delta("thinking" if part.thought else "text", part.text)
        yield _answer(whole)

    async def _responses(self, asked: LlmRequest) -> AsyncGenerator[LlmResponse, None]:
        deadline = asyncio.get_running_loop().time() + self._seconds
        opened: list[_Open] = []
        try:
            async with aclosing(self._service.generate_content_async(asked, stream=True)) as responses:
                while (response := await self._next(responses, deadline, opened)) is not None:
                    yield response
        finally:
            for one in opened:
                await one.aclose()

    async def _next(
        self, responses: AsyncGenerator[LlmResponse, None], deadline: float, opened: list[_Open]
    ) -> LlmResponse | None:
        token = _opened.set(opened)
        try:
            # Around each step, never across a yield: there it would cancel whoever reads.
            async with asyncio.timeout_at(deadline):
                return await anext(responses, None)
        except Exception as error:
            failure = translated(error, vertex=self._vertex)
        finally:
            _opened.reset(token)
        raise failure  # outside of the handler, so that no log follows it back to the service's text


def _parts(response: LlmResponse) -> list[types.Part]:
    return (response.content.parts if response.content else None) or []


def _answer(whole: LlmResponse | None) -> Answer:
    """The whole answer; raises where it is of no use."""
    if whole is None:
        raise failures.empty()
    finish = whole.finish_reason.value if whole.finish_reason else ""
    parts = _parts(whole)
    if finish == "MAX_TOKENS":
        raise failures.cut()
    if finish in _MALFORMED:
        raise failures.malformed("it is no answer and no call that could be run")
    if finish not in ("", "STOP"):
        raise failures.refused(finish)
    if not finish and whole.error_code:
        raise failures.refused(str(whole.error_code)[:40])
    if not finish and parts:
        raise UpstreamTimeout(
            "The stream ended before the model's answer was whole.", code="stream_ended", next="Ask again."
        )
    text = "".join(part.text or "" for part in parts if not part.thought)
    thinking = "".join(part.text or "" for part in parts if part.thought)
    called = calls(parts)
    if not text.strip() and not called:
        raise failures.empty()
    usage = whole.usage_metadata
    return Answer(
        text,
        thinking,
        called,
        (usage.prompt_token_count or 0) if usage else 0,
        ((usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)) if usage else 0,
        signatures(parts),
    )
