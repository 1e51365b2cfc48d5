"""A task at work without its workflow: the steps called one after the other, on a real store and a scripted model."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from shared.agent.model import Answer as Said
from shared.agent.model import Model, Question
from shared.agent.models.offline import Offline
from shared.agent_task import steps
from shared.capture import Capture, capture
from shared.events.operation import OperationEvent
from shared.events.trace import TraceEvent
from shared.models.approval import Approval
from shared.models.base import JsonDict
from shared.models.note import Note
from shared.models.operation import AgentInput, Operation
from shared.operations.dispatch import dispatch
from shared.operations.start import start
from shared.operations.step import Answer, Request
from shared.store.approvals import Approvals
from shared.store.operations import Operations
from shared.store.runs import Runs
from tests.fakes.desk import Desk
from tests.fakes.scripted import ScriptedModel, says

TENANT = "t"
QUESTION = "How do pears grow flat against a wall?"
WALL = "Pears grow flat against a sunny wall when they are tied to wires every spring."
AUGUST = "Pruning pears in August keeps the flat shape against the wall and lets light in."


class TaskDesk(Desk):
    """The doors of a process that works on tasks."""

    def __init__(self, folder: Path, model: Model | None = None, **settings: Any) -> None:
        self.answering: Model = model or Offline()
        self.sleeping: Callable[[float], Awaitable[None]] = _for_ever
        super().__init__(folder, **settings)

    def model(self, _name: str) -> Model:
        return self.answering

    async def sleep(self, seconds: float) -> None:
        await self.sleeping(seconds)

    def busy(self) -> AbstractContextManager[None]:
        return nullcontext()

    # -- what a test does

    def says(self, *answers: Any) -> ScriptedModel:
        self.answering = ScriptedModel(list(answers))
        return self.answering

    async def note(self, text: str, **fields: Any) -> Note:
        self.time += 1
        return (await capture(self.store, TENANT, Capture.model_validate({"text": text, **fields}), self.now())).note

    async def submit(self, question: str = QUESTION, *picked: str) -> str:
        self.time += 1
        doors: Any = self
        operation = await start(doors, TENANT, "agent_task", AgentInput(question=question, note_ids=list(picked)))
        return operation.id

    async def dispatch(self) -> None:
        doors: Any = self
        await dispatch(doors, TENANT, patience=0)

    async def step(self, operation_id: str, execution: str = "") -> Answer:
        services: Any = self
        name = execution or ((await self.operation(operation_id)).execution or "none").rpartition("/")[2]
        return await steps.step(services, Request(tenant=TENANT, operation_id=operation_id, execution_id=name))

    async def run(self, operation_id: str, most: int = 40) -> Operation:
        """Steps until it does not run any more; the clock goes on as the workflow would sleep."""
        await self.dispatch()
        for _ in range(most):
            answer = await self.step(operation_id)
            if answer.status != "running":
                return await self.operation(operation_id)
            self.time += answer.wait_seconds
        raise AssertionError("it goes on and on")

    async def ask(self, question: str = QUESTION, *picked: str) -> Operation:
        """Submit a task and run it to its end."""
        return await self.run(await self.submit(question, *picked))

    async def operation(self, operation_id: str) -> Operation:
        return (await Operations(self.store, TENANT).get(operation_id)).value

    async def log(self, operation_id: str) -> list[OperationEvent]:
        return await Operations(self.store, TENANT).log(operation_id)

    async def events(self, operation_id: str) -> list[TraceEvent]:
        return await Runs(self.store, TENANT).events(operation_id)

    async def approvals(self) -> list[Approval]:
        return await Approvals(self.store, TENANT).page()


async def _for_ever(_seconds: float) -> None:
    """Time stands still here, unless a test says otherwise."""
    await asyncio.Event().wait()


def form(*claims: JsonDict, summary: str = "They are tied to wires.", **more: Any) -> Said:
    """An answer that fills in the form."""
    import json

    return says(json.dumps({"summary": summary, "claims": list(claims), **more}))


def claim(text: str, *sources: str, confidence: int | None = 80, evidence: tuple[str, ...] = ()) -> JsonDict:
    return {"claim": text, "confidence": confidence, "evidence": list(evidence), "sources": list(sources)}


def seen(question: Question) -> str:
    """Everything that the model was given as messages."""
    return repr(question.messages)
