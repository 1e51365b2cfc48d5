"""What the nodes of one run work with: the model, the sources, and the hands that do what lasts. No ADK here."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue

from shared.agent.board import Board
from shared.agent.citing import Checked
from shared.agent.model import Answer, Message, Model, Question
from shared.agent.prompt import as_data, text
from shared.agent.retrieval import Memories, Source
from shared.models.base import JsonDict
from shared.models.evidence import Passage
from shared.models.graph import Waiting
from shared.models.memory import REMEMBERED
from shared.models.note import Citation

if TYPE_CHECKING:
    from shared.memory.recall import Remembered


class Hands(Protocol):
    """What a node can't do by itself: everything that is stored, streamed or done by a tool."""

    @property
    def upto(self) -> int:
        """Number of the turn's last event so far."""
        ...

    def tell(self, draft: Mapping[str, object]) -> None:
        """An event of the trace; it is stored in one commit with the node's end."""

    async def ask(self, question: Question, agent: str) -> Answer:
        """One answer of the model, without tools; its words stream as thoughts."""
        ...

    async def research(self, board: Board, instruction: str, messages: Sequence[Message]) -> str | None:
        """The researcher's draft. None where calls wait for a person; then `board.waiting` says for what."""
        ...

    async def verify(self, question: Question, agent: str, calls: int) -> str:
        """What looking with tools that change nothing brought up, in at most `calls` questions to the model."""
        ...

    async def wire(self) -> tuple[Source, ...]:
        """The sources that there are for this person now."""
        ...

    def cited(self, draft: str) -> Checked:
        """The draft without links to what was never read, and what it leans on."""
        ...

    def read(self, citations: Sequence[Citation], *, outside: bool) -> None:
        """What was given to the model may be cited from now on."""


@dataclass(slots=True)
class Stage:
    """One run in this process. `past` and `request` are what the person said, then and now."""

    hands: Hands
    model: Model
    offline: bool
    think: bool
    context_tokens: int
    prompts: Mapping[str, str]
    """By agent."""
    dateline: Callable[[], str]
    past: tuple[Message, ...]
    request: Message
    asked: str
    """The request on its own: what sources are asked."""
    wired: tuple[Source, ...] | None
    """The sources; None before anybody needed them."""
    suspended: Waiting | None = None
    """What the run waits for, once a gate holds it."""
    ended: Board | None = None
    """Where it ended, once it has."""
    failure: Exception | None = field(default=None)
    word: str | None = None

    def instruction(self, agent: str) -> str:
        """The date, what the agent is, and what holds for all of them, whatever a person wrote over it."""
        return f"{self.dateline()}\n\n{self.prompts[agent].strip()}\n\n{text('nodes/ground')}"

    async def sources(self) -> tuple[Source, ...]:
        """What can be asked for passages. Memories are none where no memory may be used."""
        if self.wired is None:
            self.wired = await self.hands.wire()
        return tuple(one for one in self.wired if not isinstance(one, Memories) or one.remembered)

    async def remembered(self) -> "Mapping[str, Remembered]":
        """What may be used now of earlier conversations, by the address of its passage."""
        return next((one.remembered for one in await self.sources() if isinstance(one, Memories)), {})


STAGE: ContextVar[Stage] = ContextVar("stage")
"""The run at hand; nodes are built once a process and find it here."""


async def evidence_message(stage: Stage, board: Board) -> list[Message]:
    """What was gathered, as material; that nothing was found is said, too.

    Of a memory the evidence holds a reference alone. Its words are those that may be used now, which after a wait for
    a person can be others, or none.
    """
    evidence = board.evidence
    if evidence is None:
        return []
    told: list[JsonValue] = [_told(one) for one in evidence.passages if one.source_kind != "memory"]
    material: JsonDict = {"gathered": evidence.told(), "evidence": told}
    if memories := [one for one in evidence.passages if one.source_kind == "memory"]:
        usable = await stage.remembered()
        facts: list[JsonValue] = [
            {"number": one.number, "link": one.url, **usable[one.url].told} for one in memories if one.url in usable
        ]
        material |= {REMEMBERED: facts} if facts else {}
    return [as_data(material)]


def _told(one: Passage) -> JsonDict:
    return {
        "number": one.number,
        "title": one.title,
        "link": one.url,
        "source": one.source_kind,
        "merged_from": list(one.merged_from),
        "text": one.text,
    }
