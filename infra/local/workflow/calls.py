"""Calls: of the library, of subworkflows, of the outside. What talks or waits is only asked for here, never done."""

import logging
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from infra.local.workflow import library, timestamps
from infra.local.workflow.environment import Environment
from infra.local.workflow.errors import Raised
from infra.local.workflow.flow import Flow
from infra.local.workflow.program import Call, Routine, Step, Workflow
from infra.local.workflow.records import StepEntry
from infra.local.workflow.report import payload_of, summary_of, trace_of
from infra.local.workflow.state import Failed, Fork, Returned, RoutineFrame, Scope, Thread
from infra.local.workflow.values import Value, type_name

MAX_DEPTH = 20
MAX_SLEEP = 31_536_000
MAX_NOTE = 1_000
_SEVERITIES = ("DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sleep:
    """Wait until a time."""

    until: float


@dataclass(frozen=True, slots=True)
class Request:
    """Call a function that talks to the outside."""

    kind: Literal["http", "connector"]
    function: str
    arguments: Mapping[str, Value]
    entry: int


Effect: TypeAlias = Sleep | Request | Fork


class Calls(Flow):
    """The call step, and calls inside expressions."""

    def __init__(self, workflow: Workflow, now: Callable[[], float], environment: Mapping[str, str]) -> None:
        super().__init__(workflow, now)
        self._environment = environment

    @abstractmethod
    def advance(self, thread: Thread) -> Effect | None:
        """Run one step."""

    def call(self, thread: Thread, step: Step, body: Call) -> Effect | None:
        """Run a call step, or ask for what it needs from the outside."""
        env = Environment(self, thread, thread.frames[-1].scope)
        if thread.entry is not None:  # the process died during the call: it is made again, and billed once
            arguments = {name: node.evaluate(env) for name, node in body.arguments.items()}
            return self._blocking(thread, body, arguments, thread.entry)
        entry = self.begin_entry(thread, step, step.entry_type)
        self.billed += 1
        with EntryGuard(self, entry, ends=False):
            arguments = {name: node.evaluate(env) for name, node in body.arguments.items()}
            if body.kind == "subworkflow":
                self._enter(thread, self.workflow.routines[body.function], arguments, entry.id)
                return None
            if body.kind == "connector" or body.function in library.BLOCKING:
                return self._blocking(thread, body, arguments, entry.id)
            if function := library.CONTEXTUAL.get(body.function):
                given = [arguments[name] for name in function.parameters if name in arguments]
                value = self.contextual(body.function, given)
            else:
                value = library.PURE[body.function].call_named(arguments)
            self.assign_result(thread, value)
            self.end_entry(entry.id)
            self.go_on(thread)
        return None

    def assign_result(self, thread: Thread, value: Value) -> None:
        """Give a call's value to the variable that waits for it."""
        frame = thread.frames[-1]
        body = frame.block.steps[frame.at].body
        if isinstance(body, Call) and body.result is not None:
            frame.scope.assign(body.result, value)

    def _blocking(self, thread: Thread, body: Call, arguments: Mapping[str, Value], entry: int) -> Effect | None:
        if body.function == "sys.log":
            self._log(arguments, entry)
            self.end_entry(entry)
            self.go_on(thread)
            return None
        thread.entry = entry
        if body.function == "sys.sleep":
            thread.wake = self.now() + _seconds(arguments["seconds"])
            return Sleep(thread.wake)
        if body.function == "sys.sleep_until":
            until = timestamps.parse_time(arguments["time"])
            _seconds(max(until - self.now(), 0.0))
            thread.wake = until
            return Sleep(until)
        return Request("connector" if body.kind == "connector" else "http", body.function, arguments, entry)

    def _log(self, arguments: Mapping[str, Value], entry: int) -> None:
        severity = arguments.get("severity", "DEFAULT")
        if severity not in _SEVERITIES:
            raise Raised.tagged("ValueError", f"sys.log: unknown severity: {severity!r}")
        shown = next((arguments[name] for name in ("text", "json", "data") if name in arguments), "")
        text = shown if isinstance(shown, str) else payload_of(shown)
        self.note(entry, f"{severity}: {text}"[:MAX_NOTE])
        # The text itself may be content: it stays with the execution, out of the process's log.
        logger.info("workflow %s logged at %s", self.workflow.name, severity)

    def _enter(self, thread: Thread, routine: Routine, arguments: Mapping[str, Value], entry: int | None) -> None:
        if thread.routines() >= MAX_DEPTH:
            raise Raised.tagged("RecursionError", f"calls are nested deeper than {MAX_DEPTH}")
        scope = Scope(self.memory)
        env = Environment(self, thread, scope)
        for parameter in routine.parameters:
            if parameter.name in arguments:
                scope.bind(parameter.name, arguments[parameter.name])
            elif parameter.default is not None:
                scope.bind(parameter.name, parameter.default.evaluate(env))
        thread.frames.append(RoutineFrame(routine.block, scope, True, entry))

    def call_at_once(self, caller: Thread, function: str, arguments: Sequence[Value]) -> Value:
        """Run a subworkflow inside an expression; the loader has made sure that it waits for nothing."""
        routine = self.workflow.routines[function]
        named = {parameter.name: value for parameter, value in zip(routine.parameters, arguments, strict=False)}
        thread = Thread(depth=caller.routines(), nesting=caller.nesting)
        self._enter(thread, routine, named, None)
        while thread.outcome is None:
            self.advance(thread)
        if isinstance(thread.outcome, Failed):
            error = thread.outcome.error
            error.trace = (*error.trace, *trace_of(caller))
            raise error
        assert isinstance(thread.outcome, Returned)
        return thread.outcome.value

    def contextual(self, function: str, arguments: Sequence[Value]) -> Value:
        """Answer what depends on the execution."""
        if function == "sys.now":
            return self.now()
        name = arguments[0]
        if not isinstance(name, str):
            raise Raised.tagged("TypeError", f"sys.get_env: needs a string; got: {type_name(name)}")
        if name in self._environment:
            return self._environment[name]
        if len(arguments) > 1:
            return arguments[1]
        raise Raised.tagged("KeyError", f"environment variable not found: {name}")


class EntryGuard:
    """Ends a step entry with the step: as failed when it raises, else only if it `ends` there."""

    __slots__ = ("_ends", "_flow", "_number")

    def __init__(self, flow: Flow, entry: StepEntry, *, ends: bool) -> None:
        self._flow = flow
        self._number = entry.id
        self._ends = ends

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Raised):
            self._flow.end_entry(self._number, "STATE_FAILED", summary_of(error.value))
        elif self._ends:
            self._flow.end_entry(self._number)


def _seconds(value: Value) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Raised.tagged("TypeError", f"sys.sleep: needs a number; got: {type_name(value)}")
    if not 0 <= value <= MAX_SLEEP:
        raise Raised.tagged("ValueError", f"sys.sleep: from 0 to {MAX_SLEEP} seconds: {value!r}")
    return value
