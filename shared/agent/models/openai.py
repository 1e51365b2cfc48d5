"""A server that speaks OpenAI's chat protocol: Ollama, vLLM, llama.cpp and the like. It never asks twice for the same.

One exception: a request that was refused for a field which not every server knows is sent once more without it.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from shared.agent.model import Answer, Delta, Question
from shared.agent.models import failures
from shared.agent.models.openai_answer import Reading
from shared.agent.models.openai_errors import said
from shared.agent.models.openai_wire import OPTIONAL, body, plainer
from shared.errors import Upstream
from shared.models.base import JsonDict
from shared.net.http import Http, Reply

SECONDS = 3600.0
"""The longest turn; its own limit, which is mostly shorter, hangs up before."""
SILENCE = 300.0
"""Seconds without a piece: a small machine may read a long conversation that long before it says a word."""


class OpenAI:
    """The model port over `/chat/completions`."""

    def __init__(
        self, http: Http, *, url: str, model: str, key: str = "", seconds: float = SECONDS, silence: float = SILENCE
    ) -> None:
        self._http = http
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._headers = {"accept": "text/event-stream"} | ({"authorization": f"Bearer {key}"} if key else {})
        self._model = model
        self._seconds = seconds
        self._silence = silence
        self._refused: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The server's model."""
        return self._model

    async def stream(self, question: Question) -> AsyncGenerator[Delta | Answer, None]:
        """Deltas as they come, then the Answer."""
        request = plainer(body(self._model, question), self._refused)
        reading = Reading(taken={call.id for message in question.messages for call in message.calls})
        extras = frozenset(OPTIONAL).intersection(request)
        async with aclosing(self._read(request, reading, extras)) as deltas:
            async for delta in deltas:
                yield delta
        if reading.refused:  # a refusal has started nothing
            again = plainer(request, reading.refused)
            refused, reading = reading.refused, Reading(taken=reading.taken)
            async with aclosing(self._read(again, reading, frozenset())) as deltas:
                async for delta in deltas:
                    yield delta
            self._refused |= refused
        yield reading.answer()

    async def _read(self, request: JsonDict, reading: Reading, extras: frozenset[str]) -> AsyncGenerator[Delta, None]:
        events = self._http.events(
            self._url, headers=self._headers, json=request, timeout=self._seconds, silence=self._silence
        )
        try:
            async with aclosing(events):
                async for event in events:
                    if isinstance(event, Reply) and event.status in (400, 422) and extras:
                        reading.refused = _named(extras, said(event.body)) or extras
                        return
                    for delta in reading.feed(event):
                        yield delta
                    if reading.done:
                        break
            for delta in reading.end():
                yield delta
        except Upstream as error:
            if error.code == "too_large":
                raise failures.cut("it is far too long") from error
            raise


def _named(extras: frozenset[str], words: str) -> frozenset[str]:
    """The fields that the server's refusal names."""
    return frozenset(name for name in extras if name in words)
