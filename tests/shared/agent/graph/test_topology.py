"""Which nodes a run has, for every combination of settings; and that no node writes what is another's."""

from itertools import product

import pytest

from shared.agent.board import WRITES, Board, changes
from shared.agent.graph import ACTS, GATES, _workflow, edges
from shared.models.evidence import Evidence
from shared.models.graph import Shape

ALL = list(product([False, True], repeat=5))


def drawn(shape: Shape) -> set[str]:
    """The edges as `from>to`, with the route where there is one."""
    return {f"{before}>{after}" + (f":{route}" if route else "") for before, after, route in edges(shape)}


def table(shape: Shape) -> set[str]:
    """What it has to be, said anew."""
    last = "human_gate" if shape.human_gate and shape.durable else "finalize"
    wanted = {"START>planner", "critic>researcher:revise", "critic>planner:replan"}
    wanted |= {"planner>gather", "gather>merge", "merge>researcher"} if shape.sources else {"planner>researcher"}
    if shape.durable:
        wanted |= {"researcher>critic:answered", "researcher>egress_gate:blocked", "egress_gate>researcher"}
    else:
        wanted.add("researcher>critic")
    if shape.accurate:
        wanted |= {"critic>verifier:ok", "verifier>researcher:again", f"verifier>{last}:pass"}
    else:
        wanted.add(f"critic>{last}:ok")
    if last == "human_gate":
        wanted |= {"human_gate>finalize:approve", "human_gate>rejected:reject"}
    return wanted


@pytest.mark.parametrize("chosen", ALL)
def test_the_topology_of_every_combination(chosen: tuple[bool, ...]) -> None:
    names = ("sources", "accurate", "human_gate", "durable", "check")
    shape = Shape.model_validate(dict(zip(names, chosen, strict=True)))
    assert drawn(shape) == table(shape)
    built = {node.name for node in _workflow(shape).graph.nodes}  # type: ignore[union-attr]
    assert built == {"__START__" if name == "START" else name for edge in edges(shape) for name in edge[:2]}


def test_the_smallest_and_the_largest() -> None:
    small = Shape(sources=False, accurate=False, human_gate=True, durable=False, check=True)
    assert sorted(drawn(small)) == [
        "START>planner",
        "critic>finalize:ok",
        "critic>planner:replan",
        "critic>researcher:revise",
        "planner>researcher",
        "researcher>critic",
    ]
    large = Shape(sources=True, accurate=True, human_gate=True, durable=True, check=True)
    assert len(drawn(large)) == 14


def test_every_node_may_write_something_or_ends_the_run() -> None:
    assert set(WRITES) == {*ACTS, *GATES}


def test_the_researcher_can_not_touch_the_evidence() -> None:
    shape = Shape(sources=True, accurate=False, human_gate=False, durable=True, check=False)
    before = Board(shape=shape, evidence=Evidence())
    after = before.model_copy(update={"evidence": None, "draft": "mine"})
    with pytest.raises(LookupError, match="evidence"):
        changes("researcher", before, after)
    assert changes("researcher", before, before.model_copy(update={"draft": "mine"})) == {"draft": "mine"}
