"""What a server with OpenAI's chat protocol has answered so far, and whether that is an answer. It asks nothing."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from pydantic import JsonValue

from shared.agent.model import Answer, Delta
from shared.agent.models import failures
from shared.agent.models.fragments import Fragments
from shared.agent.models.letters import Letters
from shared.agent.models.openai_errors import failed, inside
from shared.errors import UpstreamTimeout
from shared.models.base import JsonDict
from shared.net.http import Reply
from shared.net.sse import ServerEvent

MAX_TEXT = 1_000_000
"""Characters of an answer: text, thinking and calls."""
DONE = "[DONE]"


@dataclass(slots=True)
class Reading:
    """What one answer has said so far."""

    taken: Collection[str]
    """Ids that calls of the conversation have already."""
    refused: frozenset[str] = frozenset()
    done: bool = False
    finish: str = ""
    declined: bool = False
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: Fragments = field(default_factory=Fragments)
    usage: tuple[int, int] = (0, 0)
    size: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    letters: tuple[Letters, Letters] = field(default_factory=lambda: (Letters(), Letters()))

    def feed(self, event: ServerEvent | Reply) -> list[Delta]:
        """The deltas of one event, or of an answer that came whole because the server streams nothing."""
        if isinstance(event, Reply):
            if not event.ok:
                raise failed(event.status, event.headers, event.body)
            self.headers = event.headers
            if not isinstance(event.body, dict):
                raise failures.rejected(
                    event.status,
                    "It did not answer with JSON: check MEMEX_OPENAI_URL (most servers want /v1 at its end).",
                )
            self.done = True
            return self._object(event.body)
        if event.data.strip() == DONE:
            self.done = True
            return []
        return self._object(_parsed(event.data))

    def _object(self, piece: JsonDict) -> list[Delta]:
        if error := piece.get("error"):
            raise inside(error, self.headers)
        usage = piece.get("usage")
        if isinstance(usage, dict):
            self.usage = (_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        choices = piece.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return []
        self.finish = _text(choice.get("finish_reason")) or self.finish
        part = choice.get("delta") or choice.get("message")
        return self._part(part) if isinstance(part, dict) else []

    def _part(self, part: JsonDict) -> list[Delta]:
        self.declined = self.declined or bool(part.get("refusal"))
        self.calls.feed(part.get("tool_calls"))
        # Servers call it one or the other, some both with the same words.
        thought = _text(part.get("reasoning_content")) or _text(part.get("reasoning"))
        deltas = self._said(self.letters[0].feed(thought), self.letters[1].feed(_text(part.get("content"))))
        if self.size + self.calls.size > MAX_TEXT:
            raise failures.cut("it is far too long")
        return deltas

    def end(self) -> list[Delta]:
        """What is left when no more comes."""
        return self._said(self.letters[0].end(), self.letters[1].end())

    def _said(self, thought: str, text: str) -> list[Delta]:
        deltas: list[Delta] = []
        if thought:
            self.thinking.append(thought)
            deltas.append(Delta("thinking", thought))
        if text:
            self.text.append(text)
            deltas.append(Delta("text", text))
        self.size += len(thought) + len(text)
        return deltas

    def answer(self) -> Answer:
        """The whole answer; raises where it is of no use."""
        if self.finish == "content_filter" or self.declined:
            raise failures.refused()
        if self.finish == "length":
            raise failures.cut()
        if self.finish == "error":
            raise inside(None, self.headers)
        if not self.done and not self.finish:
            raise UpstreamTimeout(
                "The stream ended before the model's answer was whole.", code="stream_ended", next="Ask again."
            )
        text, calls = "".join(self.text), self.calls.end(self.taken)
        if not text.strip() and not calls:
            raise failures.empty()
        return Answer(text, "".join(self.thinking), calls, *self.usage)


def _parsed(data: str) -> JsonDict:
    try:
        piece: JsonValue = json.loads(data)
    except (ValueError, RecursionError):
        piece = None
    return piece if isinstance(piece, dict) else _unreadable()


def _unreadable() -> NoReturn:
    raise failures.malformed("a piece of it is no JSON object")


def _text(value: JsonValue) -> str:
    """Text, also where it comes as a list of typed parts."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) and value > 0 else 0
