"""What the nodes of one run work with: the model, the sources, and the hands that do what lasts. No ADK here."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from shared.agent.board import Board
from shared.agent.citing import Checked
from shared.agent.model import Answer, Message, Model, Question
from shared.agent.prompt import as_data, text
from shared.agent.retrieval import Source
from shared.models.graph import Waiting
from shared.models.note import Citation


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
        """What can be asked for passages."""
        if self.wired is None:
            self.wired = await self.hands.wire()
        return self.wired


STAGE: ContextVar[Stage] = ContextVar("stage")
"""The run at hand; nodes are built once a process and find it here."""


def evidence_message(board: Board) -> list[Message]:
    """What was gathered, as material; that nothing was found is said, too."""
    evidence = board.evidence
    if evidence is None:
        return []
    told = [
        {
            "number": one.number,
            "title": one.title,
            "link": one.url,
            "source": one.source_kind,
            "merged_from": list(one.merged_from),
            "text": one.text,
        }
        for one in evidence.passages
    ]
    return [as_data({"gathered": evidence.told(), "evidence": list(told)})]  # type: ignore[arg-type]  # plain JSON
