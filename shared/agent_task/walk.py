"""The graph in an operation: from its last checkpoint as far as one step gets. It has no gates; nobody looks on."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.agent.board import Board
from shared.agent.checkpoint import Checkpoint
from shared.agent.graph import board_of, is_boundary, perform, shape_of
from shared.agent.model import Message
from shared.agent.prompt import dateline
from shared.agent.stage import Stage
from shared.agent_task.cast import Cast
from shared.agent_task.team import Team
from shared.models.base import moment
from shared.models.graph import Shape
from shared.models.ids import derived
from shared.services import Services
from shared.store.documents import Write


@dataclass(frozen=True, slots=True)
class Request:
    """What the graph is to answer: the message, what sources are asked for it, and what was read before it."""

    message: str
    asked: str
    past: tuple[Message, ...] = ()


class Walk:
    """A run of the graph below an operation."""

    def __init__(self, services: Services, tenant: str, operation_id: str, team: Team) -> None:
        self._services = services
        self._team = team
        # Beside the run's own events, which have the operation's id.
        graph_id = derived(operation_id, "graph")
        self._checkpoint = Checkpoint(
            services.documents, tenant, graph_id, boundary=is_boundary, store=self._team.store
        )

    async def load(self) -> None:
        """Read where it stands."""
        await self._checkpoint.load()

    @property
    def board(self) -> Board | None:
        """Where it stands; None where it has not begun."""
        return board_of(self._checkpoint)

    async def on(self, cast: Cast, prompts: Mapping[str, str], request: Request) -> Board:
        """Go on to the end: the board there. Raises Paused where another step has to do it, and what went wrong."""
        chosen = cast.preferences
        stage = Stage(
            hands=self._team,
            model=self._team.model,
            offline=cast.offline,
            think=chosen.think,
            context_tokens=chosen.context_tokens,
            prompts=prompts,
            dateline=lambda: dateline(moment(self._services.now()), chosen.time_zone),
            past=request.past,
            request=Message("user", request.message),
            asked=request.asked,
            wired=None,
        )
        shape = shape_of(self._checkpoint) or Shape(
            sources=bool(await stage.sources()),
            accurate=chosen.accuracy_mode == "accurate",
            human_gate=False,
            durable=False,
            check=chosen.verifier_check,
        )
        await perform(stage, self._checkpoint, shape, {})
        assert stage.ended
        return stage.ended

    def writes(self) -> list[Write]:
        """What is not stored yet, for the commit that ends the run."""
        return self._checkpoint.writes()
