"""A desk at which either engine does research: the scripted service, or our own agents with a model by rules."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from shared.agent.model import Answer, Delta, Model, Question, ToolCall
from shared.capture import Capture, capture
from shared.models.operation import Operation
from shared.operations.dispatch import dispatch
from shared.operations.step import Polling
from shared.preferences import Choices, choose
from shared.research import claim, steps
from shared.research.engine import Engines
from shared.store.documents import Documents
from shared.store.notes import Notes
from shared.store.operations import Operations
from tests.fakes.desk import Desk, Door

Engine = Literal["deep", "local"]
TENANT = "t"
QUESTION = "How do pears grow flat against a wall?"
WALL = "Pears grow flat against a sunny wall when they are tied to wires every spring."
_LINK = re.compile(r"#/notes/[0-9a-z]{26}")


@dataclass
class Rules:
    """A model whose answer depends on what it is shown alone, so that every process hears the same from it."""

    asked: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    """What the critic says, one after the other; OK once there are no more."""
    errors: list[Exception] = field(default_factory=list)
    tokens: int = 10
    """Of each answer."""
    name: str = "rules"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        agent, text, calls = self._answer(question)
        self.asked.append(agent)
        if self.errors:
            raise self.errors.pop(0)
        yield Answer(text, calls=calls, tokens_in=self.tokens)

    def _answer(self, question: Question) -> tuple[str, str, tuple[ToolCall, ...]]:
        seen = repr(question.messages)
        if "You plan how" in question.instruction:
            return "planner", "- Look in the notes.", ()
        if "You review a draft" in question.instruction:
            return "critic", self.verdicts.pop(0) if self.verdicts else "OK It is borne out.", ()
        if "You check single claims" in question.instruction:
            return "check", "All of it stands there.", ()
        if not any(message.answers for message in question.messages):
            return "researcher", "", (ToolCall("a", "search_notes", {"query": "pears"}),)
        link = _LINK.search(seen)
        cited = f"They are tied to wires [a note]({link[0]})." if link else "Nothing was found."
        return "researcher", f"# Pears\n\n{cited} [Made up](#/notes/{'0' * 26}) says more.", ()


class ResearchDesk(Desk):
    """The doors of a process that does research with one of the engines."""

    def __init__(self, home: Path | Documents, engine: Engine, model: Model | None = None, **settings: Any) -> None:
        self.engine_name = engine
        self.answering: Model = model or Rules()
        self.configured = True
        super().__init__(home, **{"research_paid": True, "daily_budget_usd": 100.0, **settings})

    def _wire(self) -> None:
        super()._wire()
        here: Any = self
        self.research = Door(Engines(here, self._deep), self.crash)

    def _deep(self) -> Any:
        from shared.errors import NotConfigured

        if not self.configured:
            raise NotConfigured("No research service is configured")
        return self.service

    def model(self, _name: str) -> Model:
        return self.answering

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()

    def busy(self) -> AbstractContextManager[None]:
        return nullcontext()

    # -- what a test does

    async def note(self, text: str, **fields: Any) -> str:
        self.time += 1
        return (await capture(self.store, TENANT, Capture.model_validate({"text": text, **fields}), self.now())).note.id

    async def chose(self, **choices: Any) -> None:
        await choose(self.store, self.settings, TENANT, Choices.model_validate(choices), self.now())

    async def wished(self, text: str = QUESTION) -> str:
        return await self.note(text, tags=["research"])

    async def started(self, text: str = QUESTION) -> tuple[Operation, Polling]:
        """A claimed operation that runs, and the request its execution sends."""
        await self.chose(research_engine=self.engine_name)
        operation = await claim.claim(self, TENANT, await self.wished(text))
        assert operation
        await dispatch(self, TENANT)
        return operation, request(operation.id, "e1")

    async def drive(self, asked: Polling, most: int = 300) -> str:
        """What the workflow does, without its pauses."""
        answer = await steps.create(self, asked)
        for _ in range(most):
            if answer.status == "running":
                self.time += answer.wait_seconds
                answer = await steps.poll(self, asked)
            elif answer.status == "ready":
                answer = await steps.finish(self, asked)
            else:
                return answer.status
        raise AssertionError("the run never ends")

    async def operation(self, operation_id: str) -> Operation:
        return (await Operations(self.store, TENANT).get(operation_id)).value

    async def reports(self) -> list[Any]:
        return await Notes(self.store, TENANT).page(kind="research")


def request(operation_id: str, execution_id: str) -> Polling:
    return Polling(tenant=TENANT, operation_id=operation_id, execution_id=execution_id, poll_seconds=30)
