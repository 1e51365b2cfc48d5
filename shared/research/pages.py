"""Pages that our own agents asked for before they wrote, as a run's record keeps them. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.agent.model import ToolCall
from shared.agent_task.asked import call_draft, result_draft
from shared.events import trace
from shared.events.trace import Evidence, ToolResult, TraceEvent
from shared.gateway.gateway import Done
from shared.gateway.policy import error
from shared.models.base import JsonDict

READS = "http_fetch"
"""The tool that reads one."""
GATHER = "gather"
"""Who called it: no model did, so none is shown the answer as one to a call of its own."""
_NOBODY = "You would be asked before it is read, and nobody is asked while research runs"
_NOTHING = "Nothing was found that answers this."
_CLOSED = ("egress_blocked", "egress_disabled")
_CUT = re.compile(r"(?:\n\[cut: \d{1,9} more characters\])+\Z")


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was asked for, and what came of it."""

    url: str
    address: str = ""
    """Where it was in the end."""
    title: str = ""
    text: str = ""
    """Empty where it could not be read; then `why` says why not."""
    why: str = ""
    closed: bool = False
    """The outside was closed to it."""


def named(urls: Iterable[str]) -> tuple[str, ...]:
    """Addresses as they stand in a text, without the marks that end its sentences; each once."""
    return tuple(dict.fromkeys(url.rstrip(".,;:!?") for url in urls))


def drafts(call: ToolCall, done: Done | None) -> list[dict[str, object]]:
    """A call for a page as two events of the record; None where a person would have been asked first."""
    if done is None:
        refused = error("needs_approval", _NOBODY)
        answer: dict[str, object] = {"type": "tool_result", "tool": READS, "ok": False, "result": refused}
    else:
        answer = result_draft(call, done)
    # What may be cited is on record as evidence.
    answer |= {"call_id": call.id, "sources": [], "agent": GATHER}
    return [{**call_draft(call, call.id), "agent": GATHER}, answer]


def pages(events: Sequence[TraceEvent]) -> dict[str, Page]:
    """What was asked for, by its address; where one was tried again, what was read counts, then the last trouble."""
    asked = {
        event.call_id: str(event.arguments.get("url") or "")
        for event in events
        if isinstance(event, trace.ToolCall) and (event.tool, event.agent) == (READS, GATHER)
    }
    found: dict[str, Page] = {}
    for event in events:
        if isinstance(event, ToolResult) and (url := asked.get(event.call_id)):
            page = _page(url, event)
            if page.text or url not in found or not found[url].text:
                found[url] = page
    return found


def unread(urls: Sequence[str], events: Sequence[TraceEvent], *, reads: bool) -> list[str]:
    """What a report tells of the pages that its note names and that were not read; `reads`: whether pages may be."""
    if not urls:
        return []
    from shared.research.extract.unread import NAMED, PAGES, beyond, failed, switched_off

    urls, tried = named(urls)[:NAMED], pages(events)
    if not tried and not reads:
        remedy = "switch on tools and network access in Settings, allow their hosts there, and ask again"
        return [switched_off(urls, remedy)]
    if not any(isinstance(event, Evidence) for event in events):
        return []  # it ended before anything was looked for
    told: list[str] = []
    for url in urls[:PAGES]:
        page = tried.get(url, Page(url, why="It took too long"))
        if not page.text:
            told.append(failed(url, page.why, "allow it in Settings, Network, and ask again" if page.closed else ""))
    return [*told, *([beyond(urls[PAGES:])] if urls[PAGES:] else [])]


def nothing(told: Sequence[str]) -> str:
    """Why there is no report; what is told of unread pages belongs to it: they may be where the answer is."""
    if not told:
        return _NOTHING
    from shared.research.extract.unread import brief

    return " ".join([_NOTHING, *map(brief, told)])


def _page(url: str, answer: ToolResult) -> Page:
    data = answer.result.get("data")
    read: JsonDict = data if isinstance(data, dict) else answer.result
    if not answer.ok:
        told = str(answer.result.get("message") or "It could not be had")
        return Page(url, why=told, closed=answer.result.get("error") in _CLOSED)
    text = _CUT.sub("", str(read.get("text") or ""))
    address, title = str(read.get("url") or url), str(read.get("title") or url)
    return Page(url, address, title, text, why="" if text else "There is no text on it")
