"""A request with what is known of it by now, and the move that follows. It decides nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from shared.agent.model import ToolAnswer
from shared.agent.models.offline_days import Today
from shared.agent.models.offline_phrases import PHRASES, Phrase
from shared.agent.models.offline_reading import Fact, inert
from shared.agent.models.offline_requests import Request
from shared.agent.models.offline_tables import Language
from shared.models.base import JsonDict

_JSON: TypeAdapter[JsonDict] = TypeAdapter(JsonDict)
_OUTSIDE = frozenset({"web_search", "http_fetch"})
"""Tools that are there only where reading from outside is allowed."""


@dataclass(frozen=True, slots=True)
class Move:
    """What to do next: a call, or the last words."""

    text: str = ""
    tool: str = ""
    arguments: JsonDict | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """A request, and what is known of it by now."""

    request: Request
    spoken: Language
    tools: Mapping[str, JsonDict]
    """The schemas of the tools that may be called, by name."""
    answers: Sequence[ToolAnswer] = ()
    then: Sequence[Request] = ()
    """What the same message asks for after it."""
    before: str = ""
    """The answer before this request."""
    told: str = ""
    """All answers before it."""
    earlier: str = ""
    """What the person said before it."""
    repeated: Request | None = None
    """The request that "more" goes on with."""
    today: Today | None = None
    remembered: Sequence[Fact] = ()
    """What may be used of earlier conversations, the nearest first."""

    def say(self, phrase: Phrase, **values: object) -> str:
        """The phrase in the person's language."""
        return PHRASES[self.spoken][phrase].format(**values)

    def asked(self) -> str:
        """The words of the request for a note or a task, to be repeated."""
        return inert(self.request.about or self.request.what)

    def call(self, tool: str, **arguments: object) -> Move:
        """The call, or that the tool isn't there."""
        if tool not in self.tools:
            return Move(self.say("outside" if tool in _OUTSIDE else "missing", tool=tool))
        return Move(tool=tool, arguments=_JSON.validate_python(arguments))

    def answer(self, *tools: str) -> JsonDict | None:
        """What one of these tools answered, the newest; None where none did yet."""
        return next((one.result for one in reversed(self.answers) if one.tool in tools), None)
