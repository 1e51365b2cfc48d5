"""One check over the whole workflow: a subworkflow called inside an expression can't wait. It changes nothing.

An expression is evaluated in one go, between two stored states; a call that waits in the middle of one could be
neither resumed nor repeated safely. The service allows no blocking call in an expression either.
"""

from collections.abc import Iterator, Mapping

from infra.local.workflow import library
from infra.local.workflow.program import Block, Call, Loop, Parallel, Routine, Step, Steps, Switch, Try
from infra.local.workflow.reader import Reader
from infra.local.workflow.scopes import Place


def check(reader: Reader, routines: Mapping[str, Routine]) -> None:
    """Refuse blocking steps in whatever an expression or a retry predicate reaches."""
    waiting = dict(reader.called_in_expressions)
    seen: set[str] = set()
    while waiting:
        name, caller = waiting.popitem()
        if name in seen:
            continue
        seen.add(name)
        for step in _steps(routines[name].block):
            body = step.body
            blocking = isinstance(body, Parallel) or (isinstance(body, Try) and body.retry is not None)
            if isinstance(body, Call):
                blocking = body.kind == "connector" or body.function in library.BLOCKING
                if body.kind == "subworkflow":
                    waiting.setdefault(body.function, caller)
            if blocking:
                reader.fail(
                    Place(f"{name}.{step.name}", step.line),
                    f"a blocking step in a subworkflow that an expression calls ({caller.path})",
                )


def _steps(block: Block) -> Iterator[Step]:
    for step in block.steps:
        yield step
        for inner in _blocks(step):
            yield from _steps(inner)


def _blocks(step: Step) -> Iterator[Block]:
    body = step.body
    if isinstance(body, Steps | Loop):
        yield body.block
    elif isinstance(body, Switch):
        yield from (arm.block for arm in body.arms)
    elif isinstance(body, Try):
        yield body.block
        if body.handler is not None:
            yield body.handler
    elif isinstance(body, Parallel):
        yield from (branch.block for branch in body.branches)
        if body.loop is not None:
            yield body.loop.block
