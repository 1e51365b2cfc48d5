"""The state of a graph run that its nodes share, and which node may write what of it. No ADK here."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, JsonValue

from shared.models.evidence import Evidence, Gathered, SourceKind
from shared.models.graph import Decided, Pass, Plan, Shape, Waiting


class Board(BaseModel):
    """What the nodes hand to each other; kept between two nodes as ADK's session state."""

    model_config = ConfigDict(extra="ignore", validate_assignment=False)

    shape: Shape
    plan: Plan | None = None
    query: str = ""
    """What the sources are asked."""
    wanted: list[SourceKind] = []
    """The sources to ask."""
    gathered: Gathered | None = None
    evidence: Evidence | None = None
    """What judges go by. The researcher reads it and can't write it."""
    draft: str = ""
    critique: str = ""
    passes: list[Pass] = []
    """Those that were sent back, in order."""
    waiting: Waiting | None = None
    decided: Decided | None = None
    asked: int = 0
    """How often a person was asked; it makes the names of the interrupts."""
    accepted: bool | None = None
    """What the person said of the answer."""

    @property
    def attempt(self) -> int:
        """Which pass of the researcher this is, from 1."""
        return len(self.passes) + 1


WRITES: Mapping[str, frozenset[str]] = {
    "planner": frozenset({"plan", "query", "wanted"}),
    "gather": frozenset({"gathered"}),
    "merge": frozenset({"evidence", "gathered"}),
    "researcher": frozenset({"draft", "waiting", "asked", "decided"}),
    "egress_gate": frozenset({"decided"}),
    "critic": frozenset({"critique", "passes"}),
    "verifier": frozenset({"passes"}),
    "human_gate": frozenset({"accepted"}),
    "finalize": frozenset(),
    "rejected": frozenset(),
}


def changes(node: str, before: Board, after: Board) -> dict[str, JsonValue]:
    """What a node changed, as plain JSON. LookupError where that is not its own to write."""
    changed = {name for name in Board.model_fields if getattr(before, name) != getattr(after, name)}
    if strange := changed - WRITES[node]:
        raise LookupError(f"The node {node} may not write {', '.join(sorted(strange))}: see WRITES in {__name__}.")
    return after.model_dump(mode="json", include=changed)
