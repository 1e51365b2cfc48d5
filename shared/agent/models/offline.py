"""The model that needs nothing: it runs the tools that a plain request names, quotes what they found, invents nothing.

The same question always has the same answer. What tools answer is only ever quoted; no word in it starts anything.
"""

import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from hashlib import sha256

from shared.agent.model import Answer, Delta, Message, ModelFailed, Question, ToolCall
from shared.agent.models.offline_days import today
from shared.agent.models.offline_reading import Fact, facts
from shared.agent.models.offline_requests import Request, language, understand
from shared.agent.models.offline_several import next_of, requests
from shared.agent.models.offline_tables import Language
from shared.agent.models.offline_talk import Talk
from shared.agent.prompt import parted

NAME = "offline"
_PIECE = re.compile(r".{1,80}?(?:\s+|\Z)|.{80}", re.S)


class Offline:
    """The model port without a model."""

    @property
    def name(self) -> str:
        """Always the same."""
        return NAME

    async def stream(self, question: Question) -> AsyncGenerator[Delta | Answer, None]:
        """One call, or text in a few deltas; then the Answer."""
        if question.schema is not None:
            raise ModelFailed(
                "The offline helper can't fill in a form.",
                code="model_rejected",
                next="Set MEMEX_GEMINI_API_KEY, or MEMEX_OPENAI_URL and MEMEX_CHAT_MODEL.",
            )
        talk = talk_of(question)
        move = next_of(talk)
        if move.tool:
            call = ToolCall(_id(question.messages), move.tool, move.arguments or {})
            yield Answer(calls=(call,))
            return
        for piece in pieces(move.text):
            yield Delta("text", piece)
        yield Answer(move.text)


def talk_of(question: Question) -> Talk:
    """The person's last request, and what tools answered to it so far."""
    messages = question.messages
    at = next((at for at in range(len(messages) - 1, -1, -1) if _is_spoken(messages[at])), -1)
    said, interpreted = parted(messages[at].text if at >= 0 else "")
    before = [message for message in messages[: max(at, 0)] if _is_spoken(message) or message.role == "model"]
    spoken = language([said, *(message.text for message in reversed(before) if message.role == "user")])
    request, *then = requests(said, spoken)
    if request.kind == "search" and interpreted.strip() and not request.follows:
        # A question that leans on the one before is looked up as it is understood.
        request = replace(request, what=interpreted.strip()[:1000])
    earlier = [parted(message.text)[0] for message in before if message.role == "user"]
    return Talk(
        request,
        spoken,
        {tool.name: tool.schema for tool in question.tools},
        tuple(answer for message in messages[at + 1 :] for answer in message.answers),
        then,
        next((message.text for message in reversed(before) if message.role == "model" and message.text), ""),
        "\n".join(message.text for message in before if message.role == "model"),
        earlier[-1] if earlier else "",
        _repeated(earlier, spoken) if request.kind == "more" else None,
        today(question.instruction),
        _remembered(messages[: max(at, 0)]),
    )


def _remembered(messages: Sequence[Message]) -> tuple[Fact, ...]:
    """What the turn was told of earlier conversations."""
    return tuple(fact for one in messages if one.role == "user" and not _is_spoken(one) for fact in facts(one.text))


def _repeated(earlier: Sequence[str], spoken: Language) -> Request | None:
    """The last request that was one of its own."""
    known = (understand(said, spoken) for said in reversed(earlier))
    return next((request for request in known if request.kind not in ("more", "thanks")), None)


def _is_spoken(message: Message) -> bool:
    """Whether a person said it; material stands in the conversation as a user's message, too."""
    return message.role == "user" and not (message.text.startswith('{"data"') and '"mark"' in message.text)


def pieces(text: str) -> list[str]:
    """The text in a few pieces, cut between words."""
    words = _PIECE.findall(text)
    size = max(1, -(-len(words) // 6))
    return ["".join(words[at : at + size]) for at in range(0, len(words), size)]


def _id(messages: Sequence[Message]) -> str:
    """An id that no other call of the conversation has, and the same for the same conversation."""
    return f"call_{sha256(repr(messages).encode('utf-8', 'replace')).hexdigest()[:20]}"
