"""The tool that asks for a researched report on a note. It waits for nothing: the report comes as a note of its own."""

from typing import Any

from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.arguments import StartResearch
from shared.models.base import Model
from shared.models.operation import Status
from shared.preferences import preferences
from shared.research import claim
from shared.research.engine import is_own
from shared.tools.shapes import plain


class Started(Model):
    """The run that was started."""

    operation_id: str
    note_id: str
    status: Status
    message: str


async def _price(errand: Errand, asked: StartResearch) -> float:
    settings = errand.doors.settings
    mine = await preferences(errand.doors.documents, settings, errand.tenant)
    return settings.research_cost_usd if settings.research_paid and not is_own(mine) else 0.0


async def _start(errand: Errand, asked: StartResearch) -> Outcome:
    operation = await claim.request(
        errand.doors, errand.tenant, asked.note_id, key=errand.effect, beyond_budget=errand.beyond_budget
    )
    started = Started(
        operation_id=operation.id,
        note_id=asked.note_id,
        status=operation.status,
        message="It takes minutes, sometimes an hour or two; the report will be in the feed, linked to the note.",
    )
    return Outcome(plain(started))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "start_research",
        "Start deep research on what a note asks; only where the person wants it.",
        StartResearch,
        _start,
        price=_price,
        answer=Started,
    ),
)
