"""From source text to a checked program. What it accepts runs; what the service would refuse, it refuses."""

import hashlib
from collections.abc import Callable, Collection, Iterator

from infra.local.workflow import library, purity
from infra.local.workflow.errors import LoadError
from infra.local.workflow.expression import Literal, Node
from infra.local.workflow.parameters import read_parameters, signature_of
from infra.local.workflow.program import (
    Arm,
    Assign,
    Block,
    Body,
    Branch,
    Call,
    Goto,
    Loop,
    Parallel,
    Parameter,
    Raise,
    Return,
    Routine,
    Step,
    Steps,
    Switch,
    Try,
    Workflow,
)
from infra.local.workflow.reader import Reader, suggest
from infra.local.workflow.retrying import read_retry
from infra.local.workflow.scopes import BlockKind, Place
from infra.local.workflow.source import Mapping, Source, SourceError, read
from infra.local.workflow.values import Key

MAX_ASSIGNMENTS = 50
MAX_CONDITIONS = 50
MAX_BRANCHES = 10
MAX_CONCURRENCY = 20
MAX_PARALLEL_DEPTH = 2

_EXTRAS: dict[str, tuple[str, ...]] = {
    "assign": ("next",),
    "call": ("args", "result", "next"),
    "for": ("next",),
    "parallel": ("next",),
    "raise": (),
    "return": (),
    "steps": ("next",),
    "switch": ("next",),
    "try": ("retry", "except", "next"),
}
_STEP_KEYS = (*_EXTRAS, "args", "result", "retry", "except", "next")
_LOOP_KEYS = ("value", "index", "in", "range", "steps")


def load(text: str, name: str, *, connectors: Collection[str] = ()) -> Workflow:
    """Read and check a definition; `connectors` are those the engine has stand-ins for. Raises LoadError."""
    try:
        source = read(text)
    except SourceError as error:
        raise LoadError(name, "", str(error), line=error.line) from None
    return _Loader(name, connectors).load(source, text)


class _Loader:
    def __init__(self, name: str, connectors: Collection[str]) -> None:
        self._reader = Reader(name, connectors)
        self._blocks: dict[str, Block] = {}
        self._bodies: dict[str, Callable[[Mapping, str, Place], Body]] = {
            "assign": self._assign,
            "call": self._call,
            "for": self._for,
            "parallel": self._parallel,
            "raise": self._raise,
            "return": self._return,
            "steps": self._steps,
            "switch": self._switch,
            "try": self._try,
        }

    def load(self, source: Source, text: str) -> Workflow:
        if isinstance(source, list):  # documented short form of a workflow without parameters
            source = Mapping(1, {"main": Mapping(1, {"steps": source}, {"steps": 1})}, {"main": 1})
        top = self._reader.mapping(source, Place("", 0), needs=())
        if "main" not in top:
            self._reader.fail(Place("", 1), "'main' is missing")
        parameters = {name: read_parameters(self._reader, top, name) for name in self._routine_names(top)}
        self._reader.signatures = {name: signature_of(those) for name, those in parameters.items()}
        routines = {name: self._routine(name, top, those) for name, those in parameters.items()}
        purity.check(self._reader, routines)
        revision = hashlib.sha256(text.encode()).hexdigest()[:12]
        return Workflow(self._reader.workflow, text, revision, routines, self._blocks)

    # Routines

    def _routine_names(self, top: Mapping) -> Iterator[str]:
        for key in top:
            place = Place("", 0).at(key, top.lines[key])
            name = self._reader.name(key, place)
            if library.find(name):
                self._reader.fail(place, f"{name!r} is a function of the standard library")
            yield name

    def _routine(self, name: str, top: Mapping, parameters: tuple[Parameter, ...]) -> Routine:
        body = top[name]
        assert isinstance(body, Mapping)
        place = Place(name, body.line)
        with self._reader.routine(frozenset(_step_names(body["steps"]))):
            for parameter in parameters:
                self._reader.declare(parameter.name)
            block = self._block(body["steps"], place, "routine")
        return Routine(name, parameters, block)

    # Blocks and steps

    def _block(self, source: Source, place: Place, kind: BlockKind, *, next_step: str | None = None) -> Block:
        entries = [
            self._reader.single(item, place.at("steps").at(at), "step")
            for at, item in enumerate(self._reader.sequence(source, place.at("steps")))
        ]
        index = {name: at for at, (name, _, _) in enumerate(entries)}
        with self._reader.block(kind, index):
            steps = tuple(self._step(name, body, place.at(name, line)) for name, body, line in entries)
        return self._keep(Block(place.path, steps, index, next_step))

    def _inline(self, source: Mapping, name: str, place: Place) -> Block:
        """Read a body that stands for a block: `steps`, or the keys of one unnamed step."""
        jump = self._reader.jump(*_part(source, "next", place)) if "next" in source else None
        body = _without(source, "next")
        if not len(body):
            return self._keep(Block(place.path, (Step(name, source.line, Goto(), jump),), {}))
        if set(body) == {"steps"}:
            return self._block(body["steps"], place, "nested", next_step=jump)
        with self._reader.block("nested", ()):
            step = Step(name, source.line, self._body(body, name, place), None)
        return self._keep(Block(place.path, (step,), {}, jump))

    def _keep(self, block: Block) -> Block:
        assert block.path not in self._blocks, "a stored position must name one block"
        self._blocks[block.path] = block
        return block

    def _step(self, name: str, source: Source, place: Place) -> Step:
        self._reader.step_name(name, place)
        body = self._reader.mapping(source, place, known=_STEP_KEYS)
        if not len(body):
            self._reader.fail(place, "the step does nothing")
        parsed = self._body(body, name, place)
        target = self._reader.jump(*_part(body, "next", place)) if "next" in body else None
        return Step(name, place.line, parsed, target)

    def _body(self, source: Mapping, name: str, place: Place) -> Body:
        kinds = [key for key in source if key in _EXTRAS]
        if not kinds and set(source) == {"next"}:
            return Goto()
        if len(kinds) != 1:
            self._reader.fail(place, f"must have exactly one of {', '.join(_EXTRAS)}; has: {_words(kinds)}")
        kind = str(kinds[0])
        for key in source:
            if key != kind and key not in _EXTRAS[kind]:
                hint = suggest(str(key), _EXTRAS[kind])
                self._reader.fail(place.at(key, source.lines[key]), f"unknown key {key!r} beside {kind!r}{hint}")
        return self._bodies[kind](source, name, place)

    def _steps(self, source: Mapping, name: str, place: Place) -> Steps:
        return Steps(self._block(*_part(source, "steps", place), "nested"))

    def _return(self, source: Mapping, name: str, place: Place) -> Return:
        value, inner = _part(source, "return", place)
        if self._reader.parallel_depth:
            self._reader.fail(inner, "a parallel branch can't return")
        return Return(self._reader.template(value, inner))

    def _raise(self, source: Mapping, name: str, place: Place) -> Raise:
        return Raise(self._reader.template(*_part(source, "raise", place)))

    def _assign(self, source: Mapping, name: str, place: Place) -> Assign:
        value, inner = _part(source, "assign", place)
        pairs: list[tuple[Node, Node]] = []
        for at, item in enumerate(self._reader.sequence(value, inner, most=MAX_ASSIGNMENTS)):
            key, value, line = self._reader.single(item, inner.at(at), "assignment")
            where = inner.at(key, line)
            node = self._reader.template(value, where)
            pairs.append((self._reader.target(key, where), node))
        return Assign(tuple(pairs))

    def _call(self, source: Mapping, name: str, place: Place) -> Call:
        function, inner = _part(source, "call", place)
        if not isinstance(function, str):
            self._reader.fail(inner, f"not a function's name: {function!r}")
        arguments: dict[str, Node] = {}
        if source.items.get("args") is not None:
            value, at_args = _part(source, "args", place)
            args = self._reader.mapping(value, at_args)
            for key in args:
                arguments[str(key)] = self._reader.template(*_part(args, key, at_args))
        kind = self._reader.call(function, arguments, inner)
        auth = arguments.get("auth")
        if kind == "library" and isinstance(auth, Literal) and isinstance(auth.value, dict):
            if auth.value.get("type") != "OIDC":
                self._reader.fail(inner, f"not supported locally: auth of type {auth.value.get('type')!r}")
        result = None
        if "result" in source:
            value, at_result = _part(source, "result", place)
            result = self._reader.name(value, at_result)
            self._reader.define(result, at_result)
        return Call(kind, function, arguments, result)

    def _switch(self, source: Mapping, name: str, place: Place) -> Switch:
        value, inner = _part(source, "switch", place)
        arms: list[Arm] = []
        for at, item in enumerate(self._reader.sequence(value, inner, most=MAX_CONDITIONS)):
            where = inner.at(at)
            entry = self._reader.mapping(item, where, known=_STEP_KEYS, needs=("condition",))
            where = inner.at(at, entry.line)
            condition = self._reader.template(entry["condition"], where.at("condition"))
            rest = _without(entry, "condition")
            if not len(rest):
                self._reader.fail(where, "the condition leads to nothing")
            if set(rest) == {"next"}:  # no step of its own: the service bills the condition alone
                block = self._keep(Block(where.path, (), {}, self._reader.jump(*_part(rest, "next", where))))
            else:
                block = self._inline(rest, name, where)
            arms.append(Arm(condition, block))
        return Switch(tuple(arms))

    def _for(self, source: Mapping, name: str, place: Place) -> Loop:
        return self._loop(*_part(source, "for", place), "loop")

    def _loop(self, source: Source, place: Place, kind: BlockKind, shared: frozenset[str] | None = None) -> Loop:
        body = self._reader.mapping(source, place, known=_LOOP_KEYS, needs=("value", "steps"))
        if ("in" in body) == ("range" in body):
            self._reader.fail(place, "must have either 'in' or 'range'")
        items, bounds = None, None
        if "in" in body:
            items = self._reader.template(*_part(body, "in", place))
        else:
            ends, where = _part(body, "range", place)
            if not isinstance(ends, list) or len(ends) != 2:
                self._reader.fail(where, "must be a list of two numbers, both included")
            bounds = (self._reader.template(ends[0], where), self._reader.template(ends[1], where))
        with self._reader.scope(shared):
            value = self._reader.name(body["value"], place.at("value"))
            self._reader.declare(value)
            index = None
            if "index" in body:
                index = self._reader.name(body["index"], place.at("index"))
                self._reader.declare(index)
            block = self._block(body["steps"], place, kind)
        return Loop(value, index, items, bounds, block)

    def _parallel(self, source: Mapping, name: str, place: Place) -> Parallel:
        value, inner = _part(source, "parallel", place)
        known = ("shared", "exception_policy", "concurrency_limit", "branches", "for")
        body = self._reader.mapping(value, inner, known=known)
        if self._reader.parallel_depth >= MAX_PARALLEL_DEPTH:
            self._reader.fail(inner, f"parallel steps are nested deeper than {MAX_PARALLEL_DEPTH}")
        if ("branches" in body) == ("for" in body):
            self._reader.fail(inner, "must have either 'branches' or 'for'")
        if body.items.get("exception_policy", "continueAll") != "continueAll":
            self._reader.fail(inner.at("exception_policy"), "must be continueAll, the only policy there is")
        shared = self._shared(*_part(body, "shared", inner)) if "shared" in body else frozenset()
        limit = self._reader.template(
            body.items.get("concurrency_limit", MAX_CONCURRENCY), inner.at("concurrency_limit")
        )
        if "for" in body:
            return Parallel(shared, limit, (), self._loop(*_part(body, "for", inner), "iteration", shared))
        return Parallel(shared, limit, self._branches(*_part(body, "branches", inner), shared), None)

    def _shared(self, source: Source, place: Place) -> frozenset[str]:
        names = [self._reader.name(item, place) for item in self._reader.sequence(source, place)]
        for name in names:
            if not self._reader.sees(name):
                self._reader.fail(place, f"the variable {name!r} must be assigned before it is shared")
        return frozenset(names)

    def _branches(self, source: Source, place: Place, shared: frozenset[str]) -> tuple[Branch, ...]:
        branches: list[Branch] = []
        for at, item in enumerate(self._reader.sequence(source, place, most=MAX_BRANCHES)):
            name, value, line = self._reader.single(item, place.at(at), "branch")
            where = place.at(name, line)
            self._reader.label(name, where)
            if any(branch.name == name for branch in branches):
                self._reader.fail(where, f"duplicate branch name {name!r}")
            body = self._reader.mapping(value, where, needs=("steps",))
            with self._reader.scope(shared):
                branches.append(Branch(name, self._block(body["steps"], where, "branch")))
        return tuple(branches)

    def _try(self, source: Mapping, name: str, place: Place) -> Try:
        value, inner = _part(source, "try", place)
        body = self._reader.mapping(value, inner, known=_STEP_KEYS)
        if "for" in body:
            # https://cloud.google.com/workflows/docs/issues: refused by the service, named steps are the way round.
            self._reader.fail(inner, "'for' can't stand directly under 'try': put it in a named step")
        if "retry" not in source and "except" not in source:
            self._reader.fail(place, "'try' needs 'retry', 'except' or both")
        block = self._inline(body, name, inner)
        retry = read_retry(self._reader, *_part(source, "retry", place)) if "retry" in source else None
        if "except" not in source:
            return Try(block, retry, None, None)
        value, where = _part(source, "except", place)
        entry = self._reader.mapping(value, where, known=_STEP_KEYS, needs=("as",))
        with self._reader.scope():
            error = self._reader.name(entry["as"], where.at("as"))
            self._reader.declare(error)
            return Try(block, retry, error, self._inline(_without(entry, "as"), name, where))


def _part(source: Mapping, key: Key, place: Place) -> tuple[Source, Place]:
    return source[key], place.at(key, source.lines[key])


def _without(source: Mapping, key: Key) -> Mapping:
    return Mapping(source.line, {one: item for one, item in source.items.items() if one != key}, source.lines)


def _step_names(source: Source) -> Iterator[str]:
    """Find everything that looks like a step, at any depth."""
    if isinstance(source, list):
        for item in source:
            if isinstance(item, Mapping) and len(item) == 1:
                yield from (str(key) for key in item)
            yield from _step_names(item)
    elif isinstance(source, Mapping):
        for key in source:
            yield from _step_names(source[key])


def _words(items: Collection[object]) -> str:
    return ", ".join(map(str, items)) or "none"
