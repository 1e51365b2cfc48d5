"""One change of an operation: its new state and the events that tell of it. Pure; refuses what the table forbids."""

from typing import Any

from shared.errors import MemexError
from shared.events.operation import Cancelled, Completed, Failed, OperationEvent, Progressed, Started, Thinking
from shared.models.base import JsonDict, moment
from shared.models.operation import TERMINAL, TRANSITIONS, Failure, Operation, Progress, Status


class IllegalTransition(MemexError):
    """The table does not allow this step: the code that asked for it is wrong."""

    code = "illegal_transition"


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

    def say(self, kind: type[Progressed] | type[Started] | type[Thinking], **payload: Any) -> None:
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
        self.progress(0, "Waiting for a free slot")

    def start(self, deadline: float) -> None:
        """It got a slot."""
        self._move("running")
        self.set(started_at=moment(self.now), deadline_at=moment(deadline))
        self.say(Started)

    def complete(self, output: JsonDict, *, partial: str | None, result_note_id: str) -> None:
        """It ended with a result."""
        self._end("completed", Completed, {"output": output})
        done = Progress(percent=100, message="Finished")
        self.set(output=output, partial=partial, result_note_id=result_note_id, progress=done)

    def fail(self, failure: Failure) -> None:
        """It ended without one."""
        self._end("failed", Failed, {"error_code": failure.code, "error_message": failure.message})
        self.set(error=failure, progress=self._stopped(failure.message))

    def cancel(self) -> None:
        """Somebody ended it."""
        self._end("cancelled", Cancelled, {})
        self.set(progress=self._stopped("Cancelled"))

    def _stopped(self, message: str) -> Progress:
        return Progress(percent=self.operation.progress.percent, message=message)

    def _end(self, status: Status, kind: type[Completed] | type[Failed] | type[Cancelled], payload: JsonDict) -> None:
        self._append(kind, payload)
        self._move(status)

    def _move(self, status: Status) -> None:
        if status not in TRANSITIONS[self.operation.status]:
            raise IllegalTransition(f"{self.operation.status} -> {status} is not allowed")
        self.set(status=status, revision=self.operation.revision + 1)

    def _append(self, kind: type[OperationEvent], payload: dict[str, Any]) -> None:
        seq = self.operation.events + 1
        event = kind(seq=seq, at=moment(self.now), task_id=self.operation.id, **payload)
        self.events.append(event)
        self.operation = self.operation.model_copy(update={"events": seq})
