"""What our own agents look through before anybody writes, each look by a tool: it passes the gateway and is on record.

Pages have a home of their own (`pages`). Here stand the person's notes, and the events of any look but a page's.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.agent.model import ToolCall
from shared.agent.retrieval import Source, gather
from shared.agent.rrf import fuse
from shared.agent_task.asked import call_draft, result_draft
from shared.agent_task.record import LOGGED
from shared.errors import MemexError
from shared.gateway.gateway import Done
from shared.gateway.policy import error
from shared.gateway.size import fitted
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import JsonDict
from shared.models.evidence import Evidence, Passage, SourceKind
from shared.research.pages import GATHER
from shared.research.reading import OwnNotes
from shared.tools.notes import SearchNotes

_QUERY = 1_000
_TOKENS = 8_000
"""Of what is read by rule alone."""
NOBODY = "You would be asked before it is done, and nobody is asked while research runs"


@dataclass(frozen=True, slots=True)
class Notes:
    """The person's notes as a source, by the tool that searches them. `ask` has the gateway run a tool."""

    among: OwnNotes
    ask: Callable[[Tool[Any], JsonDict], Awaitable[Done | None]]
    kind: SourceKind = "note"

    async def find(self, query: str, limit: int) -> Sequence[Passage]:
        """The best of them, each with the part that fits."""
        if not query.strip():
            return []
        found: list[Passage] = []

        async def search(_errand: Errand, asked: SearchNotes) -> Outcome:
            found.extend(await self.among.find(asked.query, asked.limit))
            return Outcome({"notes": [{"title": one.title, "link": one.url} for one in found]})

        tool = Tool("search_notes", "Find the notes that may be a source.", SearchNotes, search)
        done = await self.ask(tool, {"query": query[:_QUERY], "limit": limit})
        if done is None or not done.ok:
            raise MemexError("The notes could not be searched.", next="Ask again later.")
        return found


async def evidence(sources: Sequence[Source], query: str) -> dict[str, object]:
    """What the sources find, as an event: by rule alone, where no planner says which to ask, and at no cost."""
    gathered = await gather(sources, query)
    passages = fuse(gathered.found, _TOKENS)
    found = Evidence(passages=passages, nothing=gathered.nothing, failed=gathered.failed)
    return {"type": "evidence", "text": found.told(), **found.model_dump(mode="json")}


def drafts(call: ToolCall, done: Done | None) -> list[dict[str, object]]:
    """A look as two events of the record; None where a person would have been asked first."""
    if done is None:
        refused = error("needs_approval", NOBODY)
        answer: dict[str, object] = {"type": "tool_result", "tool": call.tool[:100], "ok": False, "result": refused}
    else:
        answer = {**result_draft(call, done), "result": fitted(done.result, LOGGED)}
    # What may be cited is on record as evidence.
    answer |= {"call_id": call.id, "sources": [], "agent": GATHER}
    return [{**call_draft(call, call.id), "agent": GATHER}, answer]
