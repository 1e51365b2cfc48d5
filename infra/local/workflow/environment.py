"""What an expression sees at one step, and how an assignment reaches into it. It never changes a value in place."""

from collections.abc import Sequence
from typing import Protocol

from infra.local.workflow import library
from infra.local.workflow.errors import Raised
from infra.local.workflow.expression import Index, Node, Variable, position
from infra.local.workflow.state import Scope, Thread
from infra.local.workflow.values import Key, Value, type_name


class Caller(Protocol):
    """Who answers calls that depend on the execution."""

    def contextual(self, function: str, arguments: Sequence[Value]) -> Value:
        """Answer `sys.now` and its like."""
        ...

    def call_at_once(self, caller: Thread, function: str, arguments: Sequence[Value]) -> Value:
        """Run a subworkflow to its end."""
        ...


class Environment:
    """Variables and functions at one step of one thread."""

    __slots__ = ("_caller", "_thread", "scope")

    def __init__(self, caller: Caller, thread: Thread, scope: Scope) -> None:
        self._caller = caller
        self._thread = thread
        self.scope = scope

    def lookup(self, name: str) -> Value:
        """Return a variable."""
        return self.scope.lookup(name)

    def invoke(self, function: str, arguments: Sequence[Value]) -> Value:
        """Call a library function or a subworkflow."""
        if function in library.PURE:
            return library.PURE[function].call(arguments)
        if function in library.CONTEXTUAL:
            return self._caller.contextual(function, arguments)
        return self._caller.call_at_once(self._thread, function, arguments)

    def write(self, target: Node, value: Value) -> None:
        """Assign to a variable, or to a place inside one."""
        keys: list[Value] = []
        while isinstance(target, Index):
            keys.append(target.key.evaluate(self))
            target = target.target
        assert isinstance(target, Variable)
        if keys:
            value = _replaced(self.scope.lookup(target.name), keys, value)
        self.scope.assign(target.name, value)


def _replaced(container: Value, keys: list[Value], value: Value) -> Value:
    """Copy a list or map with one element changed; the last of `keys` is the outermost."""
    *inner, key = keys
    if isinstance(container, list):
        at = position(container, key)
        return [*container[:at], _replaced(container[at], inner, value) if inner else value, *container[at + 1 :]]
    if not isinstance(container, dict):
        raise Raised.tagged("TypeError", f"only lists and maps have elements; got: {type_name(container)}")
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise Raised.tagged("TypeError", f"a map key must be a string or an integer; got: {type_name(key)}")
    if inner and key not in container:
        raise Raised.tagged("KeyError", f"key not found: {key}")
    changed: dict[Key, Value] = dict(container)
    changed[key] = _replaced(container[key], inner, value) if inner else value
    return changed
