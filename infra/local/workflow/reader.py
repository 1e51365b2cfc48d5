"""What the loader knows while it reads: names in scope, jumps in reach, functions that exist. It builds no steps."""

import difflib
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from infra.local.workflow import library
from infra.local.workflow.errors import LoadError
from infra.local.workflow.expression import Entries, Invoke, Items, Node, Variable, walk
from infra.local.workflow.expression import Literal as Constant
from infra.local.workflow.parser import MAX_LENGTH, parse, parse_target
from infra.local.workflow.program import CallKind
from infra.local.workflow.scopes import BlockKind, OpenBlock, Place, Scope, Signature
from infra.local.workflow.source import Mapping, Source
from infra.local.workflow.tokens import ExpressionError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,127}")
_RESERVED_JUMPS = ("end", "break", "continue")


class Reader:
    """Checks names, keys, expressions and jumps of one workflow."""

    def __init__(self, workflow: str, connectors: Collection[str]) -> None:
        self.workflow = workflow
        self.connectors = connectors
        self.signatures: dict[str, Signature] = {}
        self.called_in_expressions: dict[str, Place] = {}
        self._scope = Scope(None)
        self._uses: list[tuple[str, Scope, Place]] = []
        self._blocks: list[OpenBlock] = []
        self._step_names: dict[str, Place] = {}
        self._all_step_names: frozenset[str] = frozenset()

    # Errors and shapes

    def fail(self, place: Place, problem: str) -> NoReturn:
        """Refuse the definition."""
        raise LoadError(self.workflow, place.path, problem, line=place.line)

    def mapping(self, source: Source, place: Place, *, known: Iterable[str] = (), needs: Iterable[str] = ()) -> Mapping:
        """Insist on a map, on its keys when any are given, and on those it needs."""
        if not isinstance(source, Mapping):
            self.fail(place, "must be a map")
        allowed = [*known, *needs]
        for key in source:
            if allowed and key not in allowed:
                self.fail(place.at(key, source.lines[key]), f"unknown key {key!r}{suggest(str(key), allowed)}")
        for key in needs:
            if key not in source:
                self.fail(place, f"{key!r} is missing")
        return source

    def single(self, source: Source, place: Place, what: str) -> tuple[str, Source, int]:
        """Insist on a map with one key that is a string."""
        if isinstance(source, Mapping) and len(source) == 1:
            [key] = source
            if isinstance(key, str):
                return key, source[key], source.lines[key]
        self.fail(place, f"must be one {what}: a map with a single key")

    def sequence(self, source: Source, place: Place, *, most: int | None = None) -> list[Source]:
        """Insist on a list that isn't empty, nor too long."""
        if not isinstance(source, list) or not source:
            self.fail(place, "must be a list with at least one element")
        if most is not None and len(source) > most:
            self.fail(place, f"{len(source)} elements: at most {most} are allowed")
        return source

    def name(self, source: Source, place: Place) -> str:
        """Insist on a variable's name."""
        if not isinstance(source, str) or not _NAME.fullmatch(source):
            self.fail(place, f"not a variable name: {source!r}")
        return source

    # Expressions

    def template(self, source: Source, place: Place) -> Node:
        """Read a value in which any string may be an expression."""
        if isinstance(source, str):
            return self.expression(source, place)
        if isinstance(source, list):
            items = tuple(self.template(item, place.at(at)) for at, item in enumerate(source))
            if all(isinstance(item, Constant) for item in items):
                return Constant([item.value for item in items if isinstance(item, Constant)])
            return Items(items)
        if isinstance(source, Mapping):
            entries = tuple((key, self.template(source[key], place.at(key, source.lines[key]))) for key in source)
            for key in source:
                if isinstance(key, str) and "${" in key:
                    self.fail(place.at(key, source.lines[key]), "an expression can't be a map's key")
            if all(isinstance(node, Constant) for _, node in entries):
                return Constant({key: node.value for key, node in entries if isinstance(node, Constant)})
            return Entries(entries)
        return Constant(source)

    def expression(self, text: str, place: Place) -> Node:
        """Read a string: an expression if it is wholly one, else a constant."""
        stripped = text.strip()
        if "${" not in stripped:
            return Constant(text)
        if not (stripped.startswith("${") and stripped.endswith("}")):
            self.fail(place, "an expression must be the whole value: no text around ${}")
        if len(stripped) > MAX_LENGTH:
            self.fail(place, f"the expression has {len(stripped)} characters: at most {MAX_LENGTH} are allowed")
        try:
            node = parse(stripped[2:-1])
        except ExpressionError as error:
            if "${" in stripped[2:]:
                self.fail(place, "an expression must be the whole value: no text around ${}")
            self.fail(place, f"not a valid expression: {error}")
        self._check(node, place)
        return node

    def target(self, text: str, place: Place) -> Node:
        """Read the left side of an assignment, and note the variable as assigned."""
        try:
            node = parse_target(text)
        except ExpressionError as error:
            self.fail(place, f"can't be assigned: {error}")
        if isinstance(node, Variable):
            self.define(node.name, place)
        else:
            self._check(node, place)
            root = next(part for part in walk(node) if isinstance(part, Variable))
            self._check_shared(root.name, place)
        return node

    def _check(self, node: Node, place: Place) -> None:
        for part in walk(node):
            if isinstance(part, Variable):
                self._uses.append((part.name, self._scope, place))
            elif isinstance(part, Invoke):
                self._check_invocation(part, place)

    def _check_invocation(self, call: Invoke, place: Place) -> None:
        name = call.function
        if name in library.BLOCKING:
            self.fail(place, f"{name} is a blocking call: it can't be used in an expression")
        signature = self._signature(name, place)
        if name in self.signatures:
            self.called_in_expressions.setdefault(name, place)
        if not signature.takes(len(call.arguments)):
            expected = ", ".join([*signature.required, *(f"[{one}]" for one in signature.optional)])
            self.fail(place, f"wrong number of arguments: {name}({expected})")

    def predicate(self, name: str, place: Place) -> str:
        """Insist on a function or subworkflow that judges an error."""
        if name in library.BLOCKING or not self._signature(name, place).takes(1):
            self.fail(place, f"a predicate takes one argument, the error; {name} doesn't")
        if name in self.signatures:
            self.called_in_expressions.setdefault(name, place)
        return name

    def call(self, name: str, arguments: Collection[str], place: Place) -> CallKind:
        """Insist on a function that exists, with the arguments it takes."""
        if name in self.connectors:
            return "connector"
        signature = self._signature(name, place)
        known = (*signature.required, *signature.optional)
        for key in arguments:
            if key not in known:
                self.fail(place, f"{name} has no argument {key!r}{suggest(key, known)}")
            if key in library.UNSUPPORTED_ARGUMENTS:
                self.fail(place, f"not supported locally: {key}")
        for key in signature.required:
            if key not in arguments:
                self.fail(place, f"{name} needs the argument {key!r}")
        return "subworkflow" if name in self.signatures else "library"

    def _signature(self, name: str, place: Place) -> Signature:
        if function := library.find(name):
            return Signature(function.required, function.optional)
        if name in self.signatures:
            return self.signatures[name]
        if name.startswith(library.FOREIGN):
            self.fail(place, f"not supported locally: {name}")
        known = [*library.PURE, *library.CONTEXTUAL, *library.BLOCKING, *self.signatures]
        self.fail(place, f"unknown function or subworkflow {name!r}{suggest(name, known)}")

    # Scopes

    def define(self, name: str, place: Place) -> None:
        """Note that a variable is assigned here."""
        self._check_shared(name, place)
        if not self._scope.sees(name):
            self._scope.names.add(name)

    def declare(self, name: str) -> None:
        """Note a variable that begins its life in this scope, such as a loop's."""
        self._scope.names.add(name)

    def sees(self, name: str) -> bool:
        """Tell whether a variable was assigned so far where this place can see it."""
        return self._scope.sees(name)

    def _check_shared(self, name: str, place: Place) -> None:
        scope: Scope | None = self._scope
        barrier = False
        while scope is not None and name not in scope.names:
            barrier = barrier or (scope.shared is not None and name not in scope.shared)
            scope = scope.parent
        if scope is not None and barrier:
            self.fail(place, f"a parallel branch assigns {name!r}, which is not in its 'shared' list")

    @contextmanager
    def scope(self, shared: frozenset[str] | None = None) -> Iterator[None]:
        """Read something with variables of its own."""
        outer = self._scope
        self._scope = Scope(outer, shared)
        try:
            yield
        finally:
            self._scope = outer

    @contextmanager
    def routine(self, step_names: frozenset[str]) -> Iterator[None]:
        """Read one routine, then check that each variable it uses is assigned where the use can see it."""
        self._scope, self._uses, self._step_names = Scope(None), [], {}
        self._all_step_names = step_names
        yield
        for name, scope, place in self._uses:
            if not scope.sees(name):
                self.fail(place, f"the variable {name!r} is never assigned in this scope")

    # Steps and jumps

    def label(self, name: str, place: Place) -> None:
        """Insist on a step's or branch's name that is well-formed."""
        if not _STEP_NAME.fullmatch(name):
            self.fail(place, f"not a step name: {name!r}")
        if name in _RESERVED_JUMPS:
            self.fail(place, f"{name!r} is reserved")

    def step_name(self, name: str, place: Place) -> None:
        """Insist on a name that is well-formed and new in this routine."""
        self.label(name, place)
        if name in self._step_names:
            self.fail(place, f"duplicate step name {name!r}, first in line {self._step_names[name].line}")
        self._step_names[name] = place

    @contextmanager
    def block(self, kind: BlockKind, names: Collection[str]) -> Iterator[None]:
        """Read the steps of a block."""
        self._blocks.append(OpenBlock(kind, names))
        try:
            yield
        finally:
            self._blocks.pop()

    @property
    def parallel_depth(self) -> int:
        """Count the parallel steps around this place."""
        return sum(block.kind in ("branch", "iteration") for block in self._blocks)

    def jump(self, source: Source, place: Place) -> str:
        """Insist on a jump that can be made from here."""
        if not isinstance(source, str):
            self.fail(place, f"not a step name: {source!r}")
        if source == "end":
            if self.parallel_depth:
                self.fail(place, "a parallel branch can't end the workflow")
            return source
        for block in reversed(self._blocks):
            if source in block.names:
                return source
            if block.kind == "loop" and source in ("break", "continue"):
                return source
            if block.kind == "iteration" and source == "continue":
                return source
            if block.kind not in ("nested", "routine"):
                break
        if source in ("break", "continue"):
            self.fail(place, f"{source!r} outside a loop that allows it")
        if source in self._all_step_names:
            self.fail(place, f"can't jump to {source!r}: it is inside another block, or outside this loop or branch")
        self.fail(place, f"no step {source!r}{suggest(source, self._all_step_names)}")


def suggest(wrong: str, known: Iterable[str]) -> str:
    """Guess what was meant."""
    close = difflib.get_close_matches(wrong, list(known), n=1)
    return f": did you mean {close[0]!r}?" if close else ""
