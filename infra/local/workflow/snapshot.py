"""A thread as JSON and back. What it writes, any later process can continue."""

import json
from typing import Any

from infra.local.workflow.program import Loop, Parallel, Try, Workflow
from infra.local.workflow.state import (
    BranchError,
    Fork,
    Frame,
    GroupFrame,
    LoopFrame,
    Memory,
    RoutineFrame,
    Scope,
    Thread,
    TryFrame,
)
from infra.local.workflow.values import Value, store, unescape

VERSION = 1


class SnapshotError(Exception):
    """A stored state that this engine can't continue."""


def dump(thread: Thread) -> str:
    """Write a thread."""
    return f'{{"version":{VERSION},"thread":{_thread(thread)}}}'


def load(text: str, workflow: Workflow, memory: Memory) -> Thread:
    """Read a thread; raises SnapshotError."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise SnapshotError(f"stored by another version: {data['version']}")
        return _Restorer(workflow, memory).thread(data["thread"], None)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise SnapshotError(f"stored state doesn't fit the workflow: {error!r}") from error


# Assembled by hand: variables that didn't change since the last step are not encoded again.


def _thread(thread: Thread) -> str:
    frames = ",".join(map(_frame, thread.frames))
    fork = "null" if thread.fork is None else _fork(thread.fork)
    return (
        f'{{"frames":[{frames}],"depth":{thread.depth},"nesting":{thread.nesting},"fork":{fork},'
        f'"wake":{_number(thread.wake)},"entry":{_number(thread.entry)}}}'
    )


def _frame(frame: Frame) -> str:
    extra = ""
    if isinstance(frame, LoopFrame):
        extra = f',"items":{_items(frame)},"position":{frame.position}'
    elif isinstance(frame, TryFrame):
        extra = f',"attempt":{frame.attempt},"handling":{"true" if frame.handling else "false"}'
    scope = frame.scope.json() if frame.owns_scope else "null"
    return (
        f'{{"kind":"{_KINDS[type(frame)]}","block":"{frame.block.path}","at":{frame.at},'
        f'"entry":{_number(frame.entry)},"scope":{scope}{extra}}}'
    )


def _fork(fork: Fork) -> str:
    running = ",".join(f'"{index}":{_thread(child)}' for index, child in fork.running.items())
    errors = json.dumps([[error.branch, error.context, error.payload] for error in fork.errors])
    return (
        f'{{"entry":{fork.entry},"limit":{fork.limit},"items":{_items(fork)},'
        f'"started":{fork.started},"running":{{{running}}},"errors":{errors}}}'
    )


def _items(holder: LoopFrame | Fork) -> str:
    items = holder.items
    if isinstance(items, range):
        return f'{{"range":[{items.start},{items.stop}]}}'
    if not holder.items_json:
        holder.items_json = store(items)
    return holder.items_json


def _number(number: float | None) -> str:
    return "null" if number is None else repr(number)


_KINDS: dict[type[Frame], str] = {
    RoutineFrame: "routine",
    GroupFrame: "group",
    LoopFrame: "loop",
    TryFrame: "try",
}


class _Restorer:
    def __init__(self, workflow: Workflow, memory: Memory) -> None:
        self._workflow = workflow
        self._memory = memory

    def thread(self, data: Any, outer: Fork | None) -> Thread:
        thread = Thread(depth=data["depth"], nesting=data["nesting"], wake=data["wake"], entry=data["entry"])
        for item in data["frames"]:
            thread.frames.append(self._frame(item, thread.frames[-1] if thread.frames else None, outer))
        if data["fork"] is not None:
            thread.fork = self._fork(data["fork"], thread.frames[-1])
        return thread

    def _frame(self, data: Any, below: Frame | None, outer: Fork | None) -> Frame:
        block = self._workflow.blocks[data["block"]]
        if not 0 <= data["at"] <= len(block.steps):
            raise SnapshotError(f"no such step: {data['block']}, {data['at']}")
        owns = data["scope"] is not None
        kind = data["kind"]
        if owns:
            scope = self._scope(data["scope"], kind, below, outer)
        else:
            assert below is not None
            scope = below.scope
        if kind == "routine":
            return RoutineFrame(block, scope, owns, data["entry"], data["at"])
        if kind == "group":
            return GroupFrame(block, scope, owns, data["entry"], data["at"])
        body = _body(below)
        if kind == "loop" and isinstance(body, Loop):
            return LoopFrame(
                block,
                scope,
                owns,
                data["entry"],
                data["at"],
                body=body,
                items=_read_items(data["items"]),
                position=data["position"],
            )
        if kind == "try" and isinstance(body, Try):
            attempt, handling = data["attempt"], data["handling"]
            return TryFrame(
                block, scope, owns, data["entry"], data["at"], body=body, attempt=attempt, handling=handling
            )
        raise SnapshotError(f"no such frame: {kind} in {data['block']}")

    def _scope(self, data: Any, kind: str, below: Frame | None, outer: Fork | None) -> Scope:
        scope = Scope(self._memory)
        if kind != "routine" and below is not None:
            scope.parent = below.scope
        elif below is None and outer is not None:
            scope.parent, scope.shared = outer.scope, outer.body.shared
        for name, value in data.items():
            scope.bind(name, unescape(value))
        return scope

    def _fork(self, data: Any, below: Frame) -> Fork:
        body = _body(below)
        if not isinstance(body, Parallel):
            raise SnapshotError(f"no parallel step in {below.block.path}")
        fork = Fork(body, below.scope, data["entry"], data["limit"], _read_items(data["items"]), data["started"])
        fork.errors = [BranchError(*item) for item in data["errors"]]
        fork.running = {int(index): self.thread(item, fork) for index, item in data["running"].items()}
        return fork


def _body(frame: Frame | None) -> object:
    return None if frame is None else frame.block.steps[frame.at].body


def _read_items(data: Any) -> list[Value] | range:
    if isinstance(data, dict):
        return range(*data["range"])
    items = unescape(data)
    assert isinstance(items, list)
    return items
