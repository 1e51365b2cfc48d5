"""One change of an operation: its new state and the events that tell of it. Pure; refuses what the table forbids."""

from collections.abc import Sequence
from typing import Any

from shared.errors import MemexError
from shared.events.operation import (
    Cancelled,
    Completed,
    Failed,
    OperationEvent,
    Progressed,
    Started,
    Streaming,
    Thinking,
    ToolAnswered,
    ToolCalled,
)
from shared.events.trace import cut
from shared.models.base import JsonDict, moment
from shared.models.operation import TERMINAL, TRANSITIONS, Asked, Failure, Operation, Progress, Status

IN_LINE = "Waiting for a free slot"
Saying = type[Progressed] | type[Started] | type[Thinking] | type[ToolCalled] | type[ToolAnswered] | type[Streaming]


class IllegalTransition(MemexError):
    """The table does not allow this step: the code that asked for it is wrong."""

    code = "illegal_transition"
    next = "This is an error in Memex, not in what you did: reload, and see where the operation is now."


class Change:
    """Collects what one commit does to an operation."""

    def __init__(self, operation: Operation, now: float) -> None:
        self.operation = operation
        self.events: list[OperationEvent] = []
        self.now = now

    def set(self, **fields: Any) -> None:
        """New values for fields that are no part of the state machine."""
        update = {"updated_at": moment(self.now), **fields}
        self.operation = self.operation.model_copy(update=update)

    def say(self, kind: Saying, **payload: Any) -> None:
        """Add an event; an operation that has ended says nothing more."""
        if self.operation.status in TERMINAL:
            raise IllegalTransition(f"a {self.operation.status} operation logs nothing more")
        self._append(kind, payload)

    def progress(self, percent: int, message: str, next_look_at: float | None = None) -> None:
        """What it is doing now; an event only where that is news."""
        percent = max(percent, self.operation.progress.percent)
        if (percent, message) != (self.operation.progress.percent, self.operation.progress.message):
            self.say(Progressed, percent=percent, message=message)
        look = moment(next_look_at) if next_look_at is not None else None
        self.set(progress=Progress(percent=percent, message=message, next_look_at=look))

    def queue(self) -> None:
        """Created, and at once waiting for a slot."""
        self._move("queued")
        self.progress(0, IN_LINE)

    def start(self, deadline: float) -> None:
        """It got a slot."""
        self._move("running")
        self.set(started_at=moment(self.now), deadline_at=moment(deadline))
        self.say(Started)

    def wait(self, text: str, expires_at: float, options: Sequence[str] = ()) -> None:
        """It can't go on before a person has said something; what is left of its time is kept for then."""
        self._move("waiting_for_input")
        asked = Asked(text=text, asked_at=moment(self.now), expires_at=moment(expires_at), options=list(options))
        deadline = self.operation.deadline_at
        left = max(0.0, deadline.timestamp() - self.now) if deadline else None
        self.set(asked=asked, answer=None, answered=False, left_seconds=left, deadline_at=None)
        self.set(execution=None, former_execution=self.operation.execution)
        self.progress(self.operation.progress.percent, "Waiting for your answer")

    def answer(self, text: str) -> None:
        """The person said it; it goes on once it gets a slot."""
        if self.operation.status != "waiting_for_input" or self.operation.answered:
            raise IllegalTransition(f"a {self.operation.status} operation waits for no answer")
        self.set(answer=text, answered=True, revision=self.operation.revision + 1)
        self.progress(self.operation.progress.percent, IN_LINE)

    def go_on(self, deadline: float) -> None:
        """It has its answer and a slot."""
        if not self.operation.answered:
            raise IllegalTransition(f"a {self.operation.status} operation has no answer to go on with")
        self._move("running")
        self.set(deadline_at=moment(deadline), answered=False, left_seconds=None)
        self.progress(self.operation.progress.percent, "Going on with your answer")

    def think(self, text: str) -> None:
        """A thought of whoever works on it."""
        self.say(Thinking, message=cut(text))

    def called(self, tool: str, input: JsonDict) -> None:
        """A tool is about to run; what it gets has the size of one event."""
        self.say(ToolCalled, tool_name=tool, input=input)

    def answered(self, tool: str, output: JsonDict) -> None:
        """What the tool answered; it has the size of one event."""
        self.say(ToolAnswered, tool_name=tool, output=output)

    def stream(self, chunk: str) -> None:
        """A piece of the answer. Callers gather what comes in one second: each call is an event that is stored."""
        self.say(Streaming, chunk=cut(chunk))

    def complete(self, output: JsonDict, *, partial: str | None = None, result_note_id: str | None = None) -> None:
        """It ended with a result."""
        self._end("completed", Completed, {"output": output})
        done = Progress(percent=100, message="Finished")
        self.set(output=output, partial=partial, result_note_id=result_note_id, progress=done)

    def fail(self, failure: Failure) -> None:
        """It ended without one."""
        self._end("failed", Failed, {"error_code": failure.code, "error_message": failure.message})
        self.set(error=failure, progress=self._stopped(failure.message))

    def cancel(self, why: Failure | None = None) -> None:
        """Somebody ended it, or a wait that ran out; `why` says so where it was no person."""
        self._end("cancelled", Cancelled, {})
        self.set(error=why, progress=self._stopped(why.message if why else "Cancelled"))

    def _stopped(self, message: str) -> Progress:
        return Progress(percent=self.operation.progress.percent, message=message)

    def _end(self, status: Status, kind: type[Completed] | type[Failed] | type[Cancelled], payload: JsonDict) -> None:
        self._append(kind, payload)
        self._move(status)
        self.set(answered=False)

    def _move(self, status: Status) -> None:
        if status not in TRANSITIONS[self.operation.status]:
            raise IllegalTransition(f"{self.operation.status} -> {status} is not allowed")
        self.set(status=status, revision=self.operation.revision + 1)

    def _append(self, kind: type[OperationEvent], payload: dict[str, Any]) -> None:
        seq = self.operation.events + 1
        event = kind(seq=seq, at=moment(self.now), task_id=self.operation.id, **payload)
        self.events.append(event)
        self.operation = self.operation.model_copy(update={"events": seq})
