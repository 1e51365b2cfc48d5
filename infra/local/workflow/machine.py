"""What each step does. It asks for everything that takes time, and does none of it itself.

`advance` runs one step and returns what must happen before the next can: a sleep, a request, branches to run.
Whoever drives it stores the state in between, does what was asked, and hands the result to `resume` or `unwind`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from infra.local.workflow.calls import Calls, Effect, EntryGuard, Sleep
from infra.local.workflow.environment import Environment
from infra.local.workflow.errors import Raised
from infra.local.workflow.expression import Node, truth
from infra.local.workflow.program import (
    Assign,
    Body,
    Call,
    Goto,
    Loop,
    Parallel,
    Raise,
    Retry,
    Return,
    Step,
    Steps,
    Switch,
    Try,
    Workflow,
)
from infra.local.workflow.state import GroupFrame, LoopFrame, RoutineFrame, Scope, Thread, TryFrame
from infra.local.workflow.values import Value, type_name

MAX_NESTING = 2


class Machine(Calls):
    """Runs the steps of one execution."""

    def __init__(self, workflow: Workflow, now: Callable[[], float], environment: Mapping[str, str]) -> None:
        super().__init__(workflow, now, environment)
        self._handlers: dict[type[Body], Callable[[Thread, Step, Any], Effect | None]] = {
            Assign: self._assign,
            Call: self.call,
            Goto: self._goto,
            Loop: self._loop,
            Parallel: self._parallel,
            Raise: self._raise,
            Return: self._return_value,
            Steps: self._steps,
            Switch: self._switch,
            Try: self._try,
        }

    def begin(self, argument: Value) -> Thread:
        """Stand before the first step of main."""
        main = self.workflow.routines["main"]
        scope = Scope(self.memory)
        if main.parameters:
            scope.bind(main.parameters[0].name, argument)
        return Thread([RoutineFrame(main.block, scope, True, None)])

    def advance(self, thread: Thread) -> Effect | None:
        """Run one step, as far as it goes without waiting; return what it waits for."""
        if thread.fork is not None:
            return thread.fork
        if thread.wake is not None:
            return Sleep(thread.wake)
        frame = thread.frames[-1]
        step = frame.block.steps[frame.at]
        try:
            return self._handlers[type(step.body)](thread, step, step.body)
        except Raised as error:
            self.unwind(thread, error)
        except RecursionError:
            self.unwind(thread, Raised.tagged("ResourceLimitError", "a value is nested too deeply"))
        return None

    def resume(self, thread: Thread, value: Value = None) -> None:
        """Go on after what was waited for."""
        thread.wake = None
        if thread.entry is None:
            return  # the pause before a retry is over
        try:
            self.assign_result(thread, value)
            self.end_entry(thread.entry)
            thread.entry = None
            self.go_on(thread)
        except Raised as error:
            self.unwind(thread, error)

    def _assign(self, thread: Thread, step: Step, body: Assign) -> Effect | None:
        env = _environment(self, thread)
        with self._entry(thread, step):
            for target, value in body.pairs:
                self.billed += 1
                env.write(target, value.evaluate(env))
            self.go_on(thread)
        return None

    def _goto(self, thread: Thread, step: Step, body: Goto) -> Effect | None:
        with self._entry(thread, step):
            self.go_on(thread)
        return None

    def _steps(self, thread: Thread, step: Step, body: Steps) -> Effect | None:
        thread.frames.append(GroupFrame(body.block, thread.frames[-1].scope, False, None))
        return None

    def _return_value(self, thread: Thread, step: Step, body: Return) -> Effect | None:
        with self._entry(thread, step):
            value = body.value.evaluate(_environment(self, thread))
            self.give_back(thread, value)
        return None

    def _raise(self, thread: Thread, step: Step, body: Raise) -> Effect | None:
        with self._entry(thread, step):
            value = body.value.evaluate(_environment(self, thread))
            if not isinstance(value, str | dict):
                raise Raised.tagged("TypeError", f"only a string or a map can be raised; got: {type_name(value)}")
            raise Raised(value)

    def _switch(self, thread: Thread, step: Step, body: Switch) -> Effect | None:
        env = _environment(self, thread)
        with self._entry(thread, step):
            for arm in body.arms:
                self.billed += 1
                if not truth(arm.condition.evaluate(env), "condition"):
                    continue
                if arm.block.steps:
                    thread.frames.append(GroupFrame(arm.block, env.scope, False, None))
                elif arm.block.next is not None:
                    self.jump(thread, arm.block.next)
                return None
            self.go_on(thread)
        return None

    def _loop(self, thread: Thread, step: Step, body: Loop) -> Effect | None:
        env = _environment(self, thread)
        entry = self.begin_entry(thread, step, step.entry_type)
        with EntryGuard(self, entry, ends=False):
            items = _items(body, env)
            if items:
                loop = LoopFrame(body.block, Scope(self.memory, env.scope), True, entry.id, body=body, items=items)
                self.iterate(loop, 0)
                thread.frames.append(loop)
            else:
                self.end_entry(entry.id)
                self.go_on(thread)
        return None

    def _parallel(self, thread: Thread, step: Step, body: Parallel) -> Effect | None:
        env = _environment(self, thread)
        entry = self.begin_entry(thread, step, step.entry_type)
        with EntryGuard(self, entry, ends=False):
            if thread.nesting >= MAX_NESTING:
                raise Raised.tagged("ParallelNestingError", f"parallel steps are nested deeper than {MAX_NESTING}")
            limit = _integer("concurrency_limit", body.limit, env)
            if limit < 1:
                raise Raised.tagged("ValueError", f"concurrency_limit must be positive: {limit}")
            items = _items(body.loop, env) if body.loop is not None else range(len(body.branches))
            if items:
                self.fork(thread, body, entry.id, limit, items)
            else:
                self.end_entry(entry.id)
                self.go_on(thread)
        return thread.fork

    def _try(self, thread: Thread, step: Step, body: Try) -> Effect | None:
        entry = self.begin_entry(thread, step, step.entry_type)
        thread.frames.append(TryFrame(body.block, thread.frames[-1].scope, False, entry.id, body=body))
        return None

    def catch(self, thread: Thread, frame: TryFrame, error: Raised) -> bool:
        """Retry or handle, and tell whether that was possible."""
        retry = frame.body.retry
        env = Environment(self, thread, frame.scope)
        if retry is not None and self._retries(retry, frame.attempt, error, env):
            thread.wake = self.now() + _delay(retry, frame.attempt, env)
            frame.attempt += 1
            frame.at = 0
            return True
        return self.handle(frame, error)

    def _retries(self, retry: Retry, attempt: int, error: Raised, env: Environment) -> bool:
        if attempt >= _number("max_retries", retry.max_retries, env):
            return False
        return retry.predicate is None or truth(env.invoke(retry.predicate, [error.value]), "predicate")

    def _entry(self, thread: Thread, step: Step) -> EntryGuard:
        return EntryGuard(self, self.begin_entry(thread, step, step.entry_type), ends=True)


def _environment(machine: Machine, thread: Thread) -> Environment:
    return Environment(machine, thread, thread.frames[-1].scope)


def _items(body: Loop, env: Environment) -> list[Value] | range:
    if body.items is not None:
        items = body.items.evaluate(env)
        if not isinstance(items, list):
            raise Raised.tagged("TypeError", f"'in' needs a list; got: {type_name(items)}")
        return items
    assert body.bounds is not None
    first, last = (_integer("range", bound, env) for bound in body.bounds)
    return range(first, last + 1)


def _integer(what: str, node: Node, env: Environment) -> int:
    value = node.evaluate(env)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Raised.tagged("TypeError", f"{what} needs an integer; got: {type_name(value)}")
    return value


def _number(what: str, node: Node, env: Environment) -> int | float:
    value = node.evaluate(env)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise Raised.tagged("ValueError", f"{what} must be a number, and not negative: {value!r}")
    return value


def _delay(retry: Retry, attempt: int, env: Environment) -> float:
    initial = _number("initial_delay", retry.initial_delay, env)
    longest = _number("max_delay", retry.max_delay, env)
    try:
        return min(initial * _number("multiplier", retry.multiplier, env) ** attempt, longest)
    except OverflowError:
        return longest
