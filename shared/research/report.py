"""What is made of a finished run: the report's text, its citations and claims, and the trace. It invents nothing."""

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from shared.events.trace import cut
from shared.models.base import JsonDict, Model
from shared.models.note import Citation
from shared.models.operation import Usage
from shared.research.citing import Claim, marked_claims, spanned_claims, summary_of
from shared.research.interaction import Interaction, Step, text_of
from shared.research.sources import citations_of_annotations, citations_of_list, listed_sources, those_read

MAX_CLAIMS = 40_000
"""Bytes of claims in an output: it is stored in the operation and in its last event, which may have 64 kB each."""
MAX_FLAGS = 50
CITED = "[cite:"
"""How a mark of citation begins."""
MAX_CITATIONS = 200
"""Sources of one report; each is part of the note's document, which must stay small."""


class OutputSource(Model):
    """A source as claims refer to it."""

    id: str
    title: str
    url: str


class Output(Model):
    """The structured result of an operation; the fields that a report can't fill stay empty."""

    schema_id: Literal["memex.research-report"] = "memex.research-report"
    schema_version: Literal[1] = 1
    summary: str
    claims: list[Claim]
    sources: list[OutputSource]
    risks: list[str] = []
    companies: list[str] = []
    themes: list[str] = []
    portfolioImpact: list[str] = []
    confidence: int | None = None
    flags: list[str] = []
    """What a reader should distrust: markers without a source, sources without a usable address."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that is made of a finished run."""

    markdown: str
    summary: str
    citations: list[Citation]
    claims: list[Claim]
    trace: list[JsonDict]
    """Trace events without `seq` and `at`, which the store gives."""
    usage: Usage
    flags: list[str]

    def output(self) -> JsonDict:
        """The structured result, schema id and version inside; as many claims as fit, and a flag where some don't."""
        sources = [OutputSource(id=str(one.number), title=one.title, url=one.url) for one in self.citations]
        kept = _fitting(self.claims, MAX_CLAIMS)
        left = len(self.claims) - len(kept)
        flags = [*self.flags, f"{left} more claims are in the report's text"] if left else self.flags
        made = Output(summary=self.summary, claims=kept, sources=sources, flags=flags[:MAX_FLAGS])
        return made.model_dump(mode="json")


def _fitting(claims: list[Claim], limit: int) -> list[Claim]:
    kept: list[Claim] = []
    for claim in claims:
        limit -= len(claim.model_dump_json().encode())
        if limit < 0:
            break
        kept.append(claim)
    return kept


def assemble(interaction: Interaction) -> Report:
    """The report of a finished (or half-finished) run."""
    markdown = interaction.text
    prose, listed, flags = listed_sources(_answer(markdown))
    notes = [
        (note, part)
        for step in interaction.steps
        if step.type == "model_output"
        for part in step.parts
        for note in part.annotations
    ]
    annotations = [note for note, _ in notes]
    listed, unread = those_read(listed, annotations)
    flags += unread
    citations = citations_of_list(listed, annotations) or citations_of_annotations(annotations)
    if len(citations) > MAX_CITATIONS:
        flags.append(f"{len(citations) - MAX_CITATIONS} more sources are only in the report's text")
        citations = citations[:MAX_CITATIONS]
    known = {citation.number: citation for citation in citations}
    if listed or not citations:
        claims, more = marked_claims(prose, known, bare=bool(listed) and CITED not in prose)
        flags += more
    else:
        claims = spanned_claims(notes, {citation.url: citation for citation in citations})
    usage = _usage(interaction.usage)
    return Report(
        markdown=markdown,
        summary=summary_of(prose),
        citations=citations,
        claims=claims,
        trace=_trace(interaction, citations, usage),
        usage=usage,
        flags=list(dict.fromkeys(flags)),
    )


def _answer(markdown: str) -> str:
    """The text without a quotation at its top: that speaks of the report itself, is no answer, and needs no source."""
    lines = markdown.splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith(">")), len(lines))
    above, answer = "".join(lines[:first]), "".join(lines[first:])
    return markdown if CITED in above or not answer.strip() else answer


# -- trace -----------------------------------------------------------------------------------------------------

_TOOL = re.compile(r"^(.+)_(call|result)$")
_NOISE = ("search_suggestions", "signature", "data")
_MAX_FIELD = 4000


def _trace(interaction: Interaction, citations: list[Citation], usage: Usage) -> list[JsonDict]:
    events: list[JsonDict] = []
    tools: dict[str, str] = {}
    for step in interaction.steps:
        if step.type == "thought":
            if text := "".join(part.text for part in step.parts).strip():
                events.append({"type": "thinking", "text": cut(text)})
        elif tool := _TOOL.match(step.type):
            events.append(_tool_event(step, tool[1], tool[2] == "call", tools))
        if step.error:
            events.append({"type": "error", "code": step.error.code or "error", "message": step.error.message})
    if citations:
        events.append({"type": "citations", "citations": [one.model_dump(mode="json") for one in citations]})
    if interaction.usage is not None:
        events.append({"type": "usage", "tokens": usage.tokens, "cost_usd": usage.cost_usd})
    return events


def _tool_event(step: Step, tool: str, call: bool, tools: dict[str, str]) -> JsonDict:
    name = text_of(step.fields.get("name")) or tool
    if call:
        call_id = text_of(step.fields.get("id"))
        tools[call_id] = name
        arguments = step.fields.get("arguments")
        shown = _shorter(arguments) if isinstance(arguments, dict) else {}
        return {"type": "tool_call", "tool": name, "arguments": shown, "call_id": call_id}
    call_id = text_of(step.fields.get("call_id"))
    return {
        "type": "tool_result",
        "tool": tools.get(call_id, name),
        "ok": step.fields.get("is_error") is not True,
        "result": {"result": _shorter(step.fields.get("result"))},
        "call_id": call_id,
    }


def _shorter(value: JsonValue) -> JsonValue:
    """The value with long texts cut and without what only a browser or the service itself could use."""
    if isinstance(value, str):
        return cut(value, _MAX_FIELD)
    if isinstance(value, list):
        return [_shorter(item) for item in value[:100]]
    if isinstance(value, dict):
        return {name: _shorter(item) for name, item in value.items() if name not in _NOISE}
    return value


def _usage(usage: JsonDict | None) -> Usage:
    if usage is None:
        return Usage()
    total = usage.get("total_tokens")
    if isinstance(total, int) and total >= 0:
        return Usage(tokens=total)
    parts = (usage.get(f"total_{name}_tokens") for name in ("input", "output", "thought", "tool_use"))
    return Usage(tokens=sum(part for part in parts if isinstance(part, int) and part > 0))
