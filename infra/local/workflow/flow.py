"""How control moves between frames: next, jumps, returns, errors, branches. It knows no step but through its frame."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from infra.local.workflow.errors import Raised
from infra.local.workflow.program import Parallel, Step, Workflow
from infra.local.workflow.records import EntryState, Position, StepEntry
from infra.local.workflow.report import context_of, payload_of, routine_of, summary_of, trace_of
from infra.local.workflow.state import (
    BranchError,
    Failed,
    Fork,
    LoopFrame,
    Memory,
    Returned,
    RoutineFrame,
    Scope,
    Thread,
    TryFrame,
)
from infra.local.workflow.values import Value

MAX_STEPS = 100_000


class Flow(ABC):
    """The stack discipline of one execution, and the journal of its step entries."""

    def __init__(self, workflow: Workflow, now: Callable[[], float]) -> None:
        self.workflow = workflow
        self.now = now
        self.memory = Memory()
        self.steps = 0
        self.billed = 0
        self.last: tuple[Position, ...] = ()
        """The step that was begun last."""
        self.journal: dict[int, StepEntry] = {}
        """Entries that began or changed since they were last stored; whoever stores them clears it."""
        self.open: dict[int, StepEntry] = {}
        """Entries in progress."""

    # Step entries

    def begin_entry(self, thread: Thread, step: Step, entry_type: str) -> StepEntry:
        """Note that a step begins."""
        if self.steps >= MAX_STEPS:
            raise Raised.tagged("ResourceLimitError", f"more than {MAX_STEPS} steps", fatal=True)
        self.steps += 1
        parent = next((frame.entry for frame in reversed(thread.frames) if frame.entry is not None), None)
        now = self.now()
        routine = routine_of(thread.frames[-1])
        self.last = (Position(routine, step.name),)
        entry = StepEntry(self.steps, routine, step.name, entry_type, now, parent, updated=now)
        self.journal[entry.id] = self.open[entry.id] = entry
        return entry

    def end_entry(self, number: int, state: EntryState = "STATE_SUCCEEDED", exception: str | None = None) -> None:
        """Note that a step ends."""
        entry = self.open.pop(number, None)
        if entry is not None:
            entry.state, entry.updated, entry.exception = state, self.now(), exception
            self.journal[number] = entry

    def note(self, number: int, text: str) -> None:
        """Add a remark to a step that is under way."""
        if number in self.open:
            self.open[number].note = text
            self.journal[number] = self.open[number]

    # Forward

    def go_on(self, thread: Thread) -> None:
        """Leave the current step for the one after it, and every frame that ends with it."""
        self._leave_step(thread)
        self._settle(thread)

    def jump(self, thread: Thread, target: str) -> None:
        """Go to a step, or to the end of a loop or routine."""
        self._jump(thread, target)
        self._settle(thread)

    def give_back(self, thread: Thread, value: Value) -> None:
        """Return from the current routine."""
        self._return(thread, value)
        self._settle(thread)

    def _settle(self, thread: Thread) -> None:
        while thread.outcome is None:
            frame = thread.frames[-1]
            if frame.at < len(frame.block.steps):
                return
            if isinstance(frame, RoutineFrame):
                self._return(thread, None)
            elif isinstance(frame, LoopFrame) and frame.position + 1 < len(frame.items):
                self.iterate(frame, frame.position + 1)
            else:
                self._pop(thread)
                if frame.block.next is not None:
                    self._jump(thread, frame.block.next)
                else:
                    self._leave_step(thread)

    def _leave_step(self, thread: Thread) -> None:
        frame = thread.frames[-1]
        target = frame.block.steps[frame.at].next
        if target is None:
            frame.at += 1
        else:
            self._jump(thread, target)

    def _jump(self, thread: Thread, target: str) -> None:
        if target == "end":
            self._return(thread, None)
            return
        # The loader has made sure that a frame in reach answers to the target.
        while True:
            frame = thread.frames[-1]
            if target in frame.block.index:
                frame.at = frame.block.index[target]
                return
            ends_loop = isinstance(frame, LoopFrame) or (isinstance(frame, RoutineFrame) and target == "continue")
            if ends_loop and target in ("break", "continue"):
                frame.at = len(frame.block.steps)
                if target == "break" and isinstance(frame, LoopFrame):
                    frame.position = len(frame.items) - 1
                return
            self._pop(thread)

    def _return(self, thread: Thread, value: Value) -> None:
        while not isinstance(thread.frames[-1], RoutineFrame):
            self._pop(thread)
        self._pop(thread)
        if not thread.frames:
            thread.outcome = Returned(value)
            return
        self.assign_result(thread, value)
        self._leave_step(thread)

    @abstractmethod
    def assign_result(self, thread: Thread, value: Value) -> None:
        """Give a call's value to the variable that waits for it."""

    def iterate(self, frame: LoopFrame, position: int) -> None:
        """Begin an iteration with fresh local variables."""
        frame.scope.release()
        frame.scope = Scope(self.memory, frame.scope.parent)
        frame.position, frame.at = position, 0
        frame.scope.bind(frame.body.value, frame.items[position])
        if frame.body.index is not None:
            frame.scope.bind(frame.body.index, position)

    def _pop(self, thread: Thread, state: EntryState = "STATE_SUCCEEDED", exception: str | None = None) -> None:
        frame = thread.frames.pop()
        if frame.owns_scope:
            frame.scope.release()
        if frame.entry is not None:
            self.end_entry(frame.entry, state, exception)

    # Errors

    def unwind(self, thread: Thread, error: Raised) -> None:
        """Carry an error to the retry policy or handler that takes it, else end the thread."""
        if not error.trace:
            error.trace = tuple(trace_of(thread))
        exception = summary_of(error.value)
        if thread.entry is not None:
            self.end_entry(thread.entry, "STATE_FAILED", exception)
            thread.entry = None
        thread.wake = None
        while thread.frames:
            frame = thread.frames[-1]
            if isinstance(frame, TryFrame) and not frame.handling and not error.fatal:
                try:
                    if self.catch(thread, frame, error):
                        return
                except Raised as replacement:
                    replacement.trace = replacement.trace or error.trace
                    error, exception = replacement, summary_of(replacement.value)
            self._pop(thread, "STATE_FAILED", exception)
        thread.outcome = Failed(error)

    @abstractmethod
    def catch(self, thread: Thread, frame: TryFrame, error: Raised) -> bool:
        """Retry or handle, and tell whether that was possible."""

    def handle(self, frame: TryFrame, error: Raised) -> bool:
        """Turn a try block into its handler."""
        if frame.body.handler is None or frame.body.error is None:
            return False
        frame.block, frame.at, frame.handling = frame.body.handler, 0, True
        frame.scope, frame.owns_scope = Scope(self.memory, frame.scope), True
        frame.scope.bind(frame.body.error, error.value)
        return True

    # Branches

    def fork(self, thread: Thread, body: Parallel, entry: int, limit: int, items: list[Value] | range) -> None:
        """Begin a parallel step."""
        thread.fork = Fork(body, thread.frames[-1].scope, entry, limit, items)

    def spawn(self, thread: Thread, fork: Fork) -> list[int]:
        """Begin as many branches as the limit allows; return the numbers of the new ones."""
        begun: list[int] = []
        while fork.started < len(fork.items) and len(fork.running) < fork.limit:
            number = fork.started
            fork.started += 1
            try:
                fork.running[number] = self._branch(thread, fork, number)
            except Raised as error:
                self._note_failure(fork, number, error)
            else:
                begun.append(number)
        return begun

    def _branch(self, thread: Thread, fork: Fork, number: int) -> Thread:
        scope = Scope(self.memory, fork.scope, fork.body.shared)
        loop = fork.body.loop
        if loop is None:
            block = fork.body.branches[number].block
        else:
            block = loop.block
            scope.bind(loop.value, fork.items[number])
            if loop.index is not None:
                scope.bind(loop.index, number)
        return Thread([RoutineFrame(block, scope, True, None)], thread.routines(), thread.nesting + 1)

    def join(self, thread: Thread, fork: Fork, number: int) -> None:
        """Take note of how a branch ended."""
        outcome = fork.running.pop(number).outcome
        if isinstance(outcome, Failed):
            if outcome.error.fatal and thread.fork is fork:
                thread.fork = None
                self.unwind(thread, outcome.error)
            else:
                self._note_failure(fork, number, outcome.error)

    def conclude(self, thread: Thread, fork: Fork) -> None:
        """End a parallel step after its last branch: go on, or raise what went wrong."""
        thread.fork = None
        try:
            if fork.errors:
                error = _branch_error(fork.errors)
                self.end_entry(fork.entry, "STATE_FAILED", summary_of(error.value))
                raise error
            self.end_entry(fork.entry)
            self.go_on(thread)
        except Raised as error:
            self.unwind(thread, error)

    def _note_failure(self, fork: Fork, number: int, error: Raised) -> None:
        branch = f"branch {number + 1}" if fork.body.loop else fork.body.branches[number].name
        fork.errors.append(BranchError(branch, context_of(error), payload_of(error.value)))


_MAX_BRANCH_ERRORS = 100
_BRANCH_MESSAGE = "UnhandledBranchError: One or more branches or iterations encountered an unhandled runtime error"


def _branch_error(errors: list[BranchError]) -> Raised:
    shown: list[Value] = [
        {"id": error.branch, "error": {"context": error.context, "payload": error.payload}}
        for error in errors[:_MAX_BRANCH_ERRORS]
    ]
    return Raised(
        {
            "message": _BRANCH_MESSAGE,
            "tags": ["UnhandledBranchError", "RuntimeError"],
            "branches": shown,
            "truncated": len(errors) > len(shown),
        }
    )
