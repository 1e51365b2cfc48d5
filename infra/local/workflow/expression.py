"""Expressions: what stands between `${` and `}`, as a tree that evaluates itself. It calls no Python."""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from infra.local.workflow.errors import Raised
from infra.local.workflow.values import INTEGER_MAX, INTEGER_MIN, Key, Value, equal, type_name


class Environment(Protocol):
    """What an expression can see."""

    def lookup(self, name: str) -> Value:
        """Return a variable; raises Raised."""
        ...

    def invoke(self, function: str, arguments: Sequence[Value]) -> Value:
        """Call a function or subworkflow; raises Raised."""
        ...


class Node(Protocol):
    """A part of an expression."""

    def evaluate(self, env: Environment) -> Value:
        """Compute the value; raises Raised."""
        ...

    def children(self) -> Sequence["Node"]:
        """Return the parts it is made of."""
        ...


def walk(node: Node) -> Iterator[Node]:
    """Visit a node and everything below it."""
    yield node
    for child in node.children():
        yield from walk(child)


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant."""

    value: Value

    def evaluate(self, env: Environment) -> Value:
        """Return the constant."""
        return self.value

    def children(self) -> Sequence[Node]:
        """Return nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A name."""

    name: str

    def evaluate(self, env: Environment) -> Value:
        """Look the name up."""
        return env.lookup(self.name)

    def children(self) -> Sequence[Node]:
        """Return nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Index:
    """`target.key` or `target[key]`."""

    target: Node
    key: Node

    def evaluate(self, env: Environment) -> Value:
        """Take the element out of its list or map."""
        return element(self.target.evaluate(env), self.key.evaluate(env))

    def children(self) -> Sequence[Node]:
        """Return target and key."""
        return (self.target, self.key)


@dataclass(frozen=True, slots=True)
class Items:
    """A list literal."""

    items: tuple[Node, ...]

    def evaluate(self, env: Environment) -> Value:
        """Build the list."""
        return [item.evaluate(env) for item in self.items]

    def children(self) -> Sequence[Node]:
        """Return the elements."""
        return self.items


@dataclass(frozen=True, slots=True)
class Entries:
    """A map with computed values; YAML can write it, an expression can't."""

    entries: tuple[tuple[Key, Node], ...]

    def evaluate(self, env: Environment) -> Value:
        """Build the map."""
        return {key: node.evaluate(env) for key, node in self.entries}

    def children(self) -> Sequence[Node]:
        """Return the values."""
        return [node for _, node in self.entries]


@dataclass(frozen=True, slots=True)
class Invoke:
    """A call of a function or subworkflow."""

    function: str
    arguments: tuple[Node, ...]

    def evaluate(self, env: Environment) -> Value:
        """Evaluate the arguments, all of them, then call."""
        return env.invoke(self.function, [argument.evaluate(env) for argument in self.arguments])

    def children(self) -> Sequence[Node]:
        """Return the arguments."""
        return self.arguments


@dataclass(frozen=True, slots=True)
class Unary:
    """`not x` or `-x`."""

    sign: str
    operand: Node

    def evaluate(self, env: Environment) -> Value:
        """Negate."""
        value = self.operand.evaluate(env)
        if self.sign == "not":
            return not truth(value, "not")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Raised.tagged("TypeError", f"unary - needs a number; got: {type_name(value)}")
        return _in_range(-value)

    def children(self) -> Sequence[Node]:
        """Return the operand."""
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Logical:
    """`a and b`, `a or b`; the right side is evaluated only if it matters."""

    word: str
    left: Node
    right: Node

    def evaluate(self, env: Environment) -> Value:
        """Combine two booleans."""
        left = truth(self.left.evaluate(env), self.word)
        if left == (self.word == "or"):
            return left
        return truth(self.right.evaluate(env), self.word)

    def children(self) -> Sequence[Node]:
        """Return both sides."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic or comparison."""

    sign: str
    left: Node
    right: Node

    def evaluate(self, env: Environment) -> Value:
        """Apply the operator."""
        return _OPERATORS[self.sign](self.left.evaluate(env), self.right.evaluate(env))

    def children(self) -> Sequence[Node]:
        """Return both sides."""
        return (self.left, self.right)


def element(target: Value, key: Value) -> Value:
    """Take one element out of a list or map."""
    if isinstance(target, dict):
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise Raised.tagged("TypeError", f"a map key must be a string or an integer; got: {type_name(key)}")
        if key not in target:
            raise Raised.tagged("KeyError", f"key not found: {key}")
        return target[key]
    if isinstance(target, list):
        return target[position(target, key)]
    raise Raised.tagged("TypeError", f"only lists and maps have elements; got: {type_name(target)}")


def position(target: list[Value], key: Value) -> int:
    """Check an index into a list."""
    if isinstance(key, bool) or not isinstance(key, int):
        raise Raised.tagged("TypeError", f"a list index must be an integer; got: {type_name(key)}")
    if not 0 <= key < len(target):
        raise Raised.tagged("IndexError", f"index out of range: {key}, length: {len(target)}")
    return key


def truth(value: Value, user: str) -> bool:
    """Insist on a boolean: nothing else is true or false."""
    if isinstance(value, bool):
        return value
    raise Raised.tagged("TypeError", f"the operand of '{user}' must be a boolean; got: {type_name(value)}")


def _in_range(value: int | float) -> int | float:
    if isinstance(value, int) and not INTEGER_MIN <= value <= INTEGER_MAX:
        raise Raised.tagged("ValueError", "integer out of range: more than 64 bits")
    return value


def _numbers(sign: str, left: Value, right: Value) -> tuple[int | float, int | float]:
    if isinstance(left, int | float) and isinstance(right, int | float):
        if not isinstance(left, bool) and not isinstance(right, bool):
            return left, right
    raise Raised.tagged(
        "TypeError", f"unsupported operand types for '{sign}': {type_name(left)} and {type_name(right)}"
    )


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    a, b = _numbers("+", left, right)
    return _in_range(a + b)


def _arithmetic(sign: str, apply: Callable[[float, float], float]) -> Callable[[Value, Value], Value]:
    def evaluate(left: Value, right: Value) -> Value:
        a, b = _numbers(sign, left, right)
        try:
            return _in_range(apply(a, b))
        except ZeroDivisionError:
            raise Raised.tagged("ZeroDivisionError", "division by zero") from None
        except OverflowError:
            raise Raised.tagged("ValueError", "number out of range") from None

    return evaluate


def _ordering(sign: str, apply: Callable[[Any, Any], bool]) -> Callable[[Value, Value], Value]:
    def evaluate(left: Value, right: Value) -> Value:
        if isinstance(left, str) and isinstance(right, str):
            return apply(left, right)
        return apply(*_numbers(sign, left, right))

    return evaluate


def _contains(left: Value, right: Value) -> Value:
    if isinstance(right, dict):
        return isinstance(left, str | int) and not isinstance(left, bool) and left in right
    if isinstance(right, list):
        return any(equal(left, item) for item in right)
    raise Raised.tagged("TypeError", f"The argument of 'in' must be a dict or an array; got: {type_name(right)}")


_OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": _add,
    "-": _arithmetic("-", operator.sub),
    "*": _arithmetic("*", operator.mul),
    "/": _arithmetic("/", operator.truediv),
    "//": _arithmetic("//", operator.floordiv),
    "%": _arithmetic("%", operator.mod),
    "<": _ordering("<", operator.lt),
    "<=": _ordering("<=", operator.le),
    ">": _ordering(">", operator.gt),
    ">=": _ordering(">=", operator.ge),
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "in": _contains,
}
