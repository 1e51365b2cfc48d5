"""What an Interaction says: its parts read tolerantly, its report, sources and trace. It invents nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal
from urllib.parse import urlsplit

from pydantic import JsonValue, TypeAdapter, ValidationError

from shared.events.trace import cut
from shared.models.base import JsonDict, Model
from shared.models.ids import Id
from shared.models.note import Citation
from shared.models.operation import Usage

# -- the resource ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Annotation:
    """A url_citation. Its span counts bytes of the part's UTF-8 text, the end exclusive."""

    url: str
    title: str = ""
    quote: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of content; every type but `text` is only known by its name."""

    type: str
    text: str = ""
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as the service names it; the code is text, whatever it was on the wire."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `fields` holds what only tool steps carry."""

    type: str
    parts: tuple[Part, ...] = ()
    error: Problem | None = None
    fields: JsonDict = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interaction:
    """A research run as the service shows it. The id may differ from the one that was asked for."""

    id: str
    status: str
    steps: tuple[Step, ...] = ()
    errors: tuple[Problem, ...] = ()
    usage: JsonDict | None = None

    @property
    def text(self) -> str:
        """Every text part of every model_output step, in order, with nothing between: a single step is a fragment."""
        return "".join(part.text for step in self.steps if step.type == "model_output" for part in step.parts)

    @property
    def problem(self) -> Problem | None:
        """The first error it names, wherever it stands."""
        of_steps = (step.error for step in reversed(self.steps) if step.error)
        return next(chain(self.errors, of_steps), None)

    @property
    def thoughts(self) -> list[str]:
        """Thought summaries, oldest first."""
        texts = ("".join(part.text for part in step.parts) for step in self.steps if step.type == "thought")
        return [text.strip() for text in texts if text.strip()]


def parse_interaction(body: JsonDict) -> Interaction:
    """The resource from its JSON. Unknown things are skipped, missing ones are empty; nothing raises."""
    errors = body.get("errors")
    problems = [_problem(item) for item in (errors if isinstance(errors, list) else [errors, body.get("error")])]
    usage = body.get("usage")
    return Interaction(
        id=_text(body.get("id")),
        status=_text(body.get("status")),
        steps=tuple(_step(item) for item in _dicts(body.get("steps") or body.get("outputs"))),
        errors=tuple(problem for problem in problems if problem),
        usage=usage if isinstance(usage, dict) else None,
    )


def _step(item: JsonDict) -> Step:
    kind = _text(item.get("type"))
    known = ("type", "content", "summary", "error", "signature")
    return Step(
        type=kind,
        parts=tuple(_parts(item.get("summary") if kind == "thought" else item.get("content"))),
        error=_problem(item.get("error")),
        fields={name: value for name, value in item.items() if name not in known},
    )


def _parts(value: JsonValue) -> Iterator[Part]:
    if isinstance(value, str):
        yield Part("text", value)
    for item in _dicts(value):
        kind = _text(item.get("type"))
        if kind == "text":
            notes = tuple(_annotation(one) for one in _dicts(item.get("annotations")))
            yield Part(kind, _text(item.get("text")), tuple(one for one in notes if one.url))
        else:
            yield Part(kind)


def _annotation(item: JsonDict) -> Annotation:
    start, end = item.get("start_index"), item.get("end_index")
    return Annotation(
        url=_text(item.get("url")),
        title=_text(item.get("title")),
        quote=_text(item.get("quote")),
        start=start if isinstance(start, int) else 0,
        end=end if isinstance(end, int) else 0,
    )


def _problem(value: JsonValue) -> Problem | None:
    if isinstance(value, str) and value:
        return Problem("", value)
    if not isinstance(value, dict):
        return None
    inner = value.get("error")
    if isinstance(inner, dict):
        value = inner
    code = value.get("code")
    named = _text(value.get("status")) if code is None else str(code)
    return Problem(named, _text(value.get("message")))


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _dicts(value: JsonValue) -> list[JsonDict]:
    items = [value] if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


# -- the report ------------------------------------------------------------------------------------------------


class Claim(Model):
    """A sentence of the report that names its sources."""

    claim: str
    confidence: int | None = None
    """Always None: the service gives no measure of it, and we make none up."""
    evidence: list[str] = []
    """Passages of the sources, word for word, where the service gave them."""
    sources: list[str] = []
    """Ids of entries in the output's `sources`."""


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
        """The structured result, schema id and version inside."""
        sources = [OutputSource(id=str(one.number), title=one.title, url=one.url) for one in self.citations]
        made = Output(summary=self.summary, claims=self.claims, sources=sources, flags=self.flags)
        return made.model_dump(mode="json")


def assemble(interaction: Interaction) -> Report:
    """The report of a finished (or half-finished) run."""
    markdown = interaction.text
    prose, listed, flags = _sources(markdown)
    notes = [
        (note, part)
        for step in interaction.steps
        if step.type == "model_output"
        for part in step.parts
        for note in part.annotations
    ]
    citations = _from_list(listed, [note for note, _ in notes]) or _from_annotations([note for note, _ in notes])
    known = {citation.number: citation for citation in citations}
    if listed or not citations:
        claims, more = _marked_claims(prose, known, bare=bool(listed) and "[cite:" not in prose)
        flags += more
    else:
        claims = _spanned_claims(notes, {citation.url: citation for citation in citations})
    usage = _usage(interaction.usage)
    return Report(
        markdown=markdown,
        summary=_summary(prose),
        citations=citations,
        claims=claims,
        trace=_trace(interaction, citations, usage),
        usage=usage,
        flags=list(dict.fromkeys(flags)),
    )


# -- sources ---------------------------------------------------------------------------------------------------

_HEADING = re.compile(
    r"^(?:#{1,6}\s+|\*\*|__)?(?:sources|references|works cited|bibliography|citations)\s*:?\s*(?:\*\*|__)?\s*:?\s*$",
    re.I,
)
_ENTRY = re.compile(r"^\s*(?:[-*]\s+)?(?:\[(\d{1,4})\]:?|(\d{1,4})[.)])\s+(.*\S)\s*$")
_LINK = re.compile(
    r"\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]"
    r"\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_ADDRESS = re.compile(r"(?:https?://|#/notes/)[^\s<>\"\])]+")
_NOTE = "#/notes/"
_ID: TypeAdapter[str] = TypeAdapter(Id)


@dataclass(frozen=True, slots=True)
class _Listed:
    number: int
    title: str
    url: str


def _sources(markdown: str) -> tuple[str, list[_Listed], list[str]]:
    """The text without its source lists; their entries; what was wrong with them."""
    prose: list[str] = []
    found: dict[int, _Listed] = {}
    flags: list[str] = []
    inside = False
    for line in markdown.splitlines():
        if _HEADING.match(line.strip()):
            inside = True
        elif inside and (entry := _ENTRY.match(line)):
            number = int(entry[1] or entry[2])
            title, url = _linked(entry[3])
            if not _usable(url):
                flags.append(f"Source {number} has no address that can be opened")
            else:
                found.setdefault(number, _Listed(number, title, url))
        elif not (inside and not line.strip()):
            inside = False
            prose.append(line)
    return "\n".join(prose), list(found.values()), flags


def _linked(entry: str) -> tuple[str, str]:
    if link := _LINK.search(entry):
        return re.sub(r"\\(.)", r"\1", link[1]).strip() or link[2], link[2]
    if address := _ADDRESS.search(entry):
        url = address[0].rstrip(".,;:")
        return entry.replace(address[0], "").strip(" -–—:.,()[]<>") or url, url
    return entry, ""


def _usable(url: str) -> bool:
    if url.startswith(_NOTE):
        return _note_id(url) is not None
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _note_id(url: str) -> str | None:
    if not url.startswith(_NOTE):
        return None
    try:
        return _ID.validate_python(url.removeprefix(_NOTE))
    except ValidationError:
        return None


def _citation(number: int, title: str, url: str, quote: str) -> Citation:
    note = _note_id(url)
    kind: Literal["note", "web"] = "note" if note else "web"
    return Citation(number=number, title=title or url, url=url, source_kind=kind, note_id=note, quote=quote or None)


def _from_list(listed: list[_Listed], notes: list[Annotation]) -> list[Citation]:
    quotes: dict[str, str] = {}
    for note in notes:
        if note.quote:
            quotes.setdefault(note.url, note.quote)
    return [_citation(one.number, one.title, one.url, quotes.get(one.url, "")) for one in listed]


def _from_annotations(notes: list[Annotation]) -> list[Citation]:
    """Without a list in the text, the annotations number the sources, in order of appearance."""
    first: dict[str, Annotation] = {}
    for note in notes:
        if _usable(note.url):
            first.setdefault(note.url, note)
    return [_citation(number, note.title, url, note.quote) for number, (url, note) in enumerate(first.items(), start=1)]


# -- claims ----------------------------------------------------------------------------------------------------

_CITE = r"\[cite:\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]"
_BARE = r"\[\d{1,4}(?:\s*,\s*\d{1,4})*\](?![(\[:\w])"
_MARKER = re.compile(rf"\s?(?:{_CITE}|{_BARE})")
_CITE_ONLY = re.compile(rf"\s?{_CITE}")
_NUMBERS = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_SENTENCE = re.compile(
    r".+?(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bDr)[.!?…。！？][\"'”’)\]*_]*(?:\s?\x02[^\x03]*\x03)*(?=\s+[^a-z\s]|\s*$)|$)",
    re.S,
)
_ENDS = (".", "!", "…", "。", "！")
"""A line without one of these is a label or a list's heading, and claims nothing."""
_STASHED = re.compile("\x02([^\x03]*)\x03")
_BLOCK_MARK = re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+|\|)+")
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+?)\1")
_MAX_RANGE = 50


def _marked_claims(prose: str, known: dict[int, Citation], *, bare: bool) -> tuple[list[Claim], list[str]]:
    """Sentences with markers. A bare `[1]` counts only where the report cites like that: else it is just brackets."""
    marker = _MARKER if bare else _CITE_ONLY
    claims: list[Claim] = []
    flags: list[str] = []
    counted, bare_claims = 0, 0
    for block in _blocks(prose):
        stashed = marker.sub(lambda match: f"\x02{match[0].strip()}\x03", block.translate({2: None, 3: None}))
        for sentence in _SENTENCE.findall(stashed):
            numbers = [number for one in _STASHED.findall(sentence) for number in _numbers(one)]
            flags += [f"[cite: {number}] points to no source" for number in numbers if number not in known]
            cited = [known[number] for number in dict.fromkeys(numbers) if number in known]
            text = _plain(_STASHED.sub("", sentence))
            counted += bool(text)
            if cited and text:
                claims.append(_claim(text, cited))
            elif text.endswith(_ENDS):
                bare_claims += 1
    if known and bare_claims:
        flags.append(f"{bare_claims} of {counted} sentences name no source")
    return claims, flags


def _spanned_claims(notes: list[tuple[Annotation, Part]], known: dict[str, Citation]) -> list[Claim]:
    claims: dict[str, list[Citation]] = {}
    for note, part in notes:
        text = _plain(part.text.encode()[max(0, note.start) : max(0, note.end)].decode("utf-8", "ignore"))
        if text and note.url in known:
            cited = claims.setdefault(text, [])
            if known[note.url] not in cited:
                cited.append(known[note.url])
    return [_claim(text, cited) for text, cited in claims.items()]


def _claim(text: str, cited: list[Citation]) -> Claim:
    evidence = [citation.quote for citation in cited if citation.quote]
    return Claim(claim=text, evidence=evidence, sources=[str(citation.number) for citation in cited])


def _numbers(marker: str) -> Iterator[int]:
    for first, last in _NUMBERS.findall(marker):
        low, high = int(first), int(last or first)
        yield from range(low, min(high, low + _MAX_RANGE) + 1)


def _blocks(prose: str) -> Iterator[str]:
    """Paragraphs and list items as one line of text each; headings and code are no claims."""
    block: list[str] = []
    fenced = False
    for line in [*prose.splitlines(), ""]:
        fence = line.lstrip().startswith(("```", "~~~"))
        starts = bool(_BLOCK_MARK.match(line)) or not line.strip() or line.lstrip().startswith("#")
        if block and (starts or fence):
            yield " ".join(block)
            block = []
        if fence:
            fenced = not fenced
        elif not fenced and line.strip() and not line.lstrip().startswith("#"):
            block.append(_BLOCK_MARK.sub("", line).strip())


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", _EMPHASIS.sub(r"\2", text)).strip(" |")


def _summary(prose: str) -> str:
    first = next(_blocks(_MARKER.sub("", prose)), "")
    return cut(_plain(first), 2000)


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
    name = _text(step.fields.get("name")) or tool
    if call:
        call_id = _text(step.fields.get("id"))
        tools[call_id] = name
        arguments = step.fields.get("arguments")
        shown = _shorter(arguments) if isinstance(arguments, dict) else {}
        return {"type": "tool_call", "tool": name, "arguments": shown, "call_id": call_id}
    call_id = _text(step.fields.get("call_id"))
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
