"""Where a run stands, told by its events alone: what was read, called, said, and what comes next. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from shared.agent.addresses import addresses
from shared.events.trace import Text, ToolCall, ToolResult, TraceEvent, Usage, User
from shared.models.base import REPORT, JsonDict
from shared.models.result import Source
from shared.tools import artifact, ask

GATHER = "gather"
"""Call id of the event that holds what was read before the model was asked; no model called it."""
FORM = "form"
"""Call id of the event that holds the model's filled-in form."""
OURS = frozenset({GATHER, FORM})
_PROSE = frozenset({"excerpt", "body", "text", "snippet", "content"})
"""Fields of a tool's answer that hold what somebody wrote."""


@dataclass(frozen=True, slots=True)
class Read:
    """A source, and all text of it that was seen."""

    source: Source
    text: str
    prose: str = ""
    """Of it what its writer wrote, without title, tags and the rest; this may be quoted."""
    report: bool = False
    """Whether it is a note that research wrote."""


@dataclass(slots=True)
class Standing:
    """What a run knows and has still to do."""

    question: str = ""
    gathered: bool = False
    open: list[ToolCall] = field(default_factory=list)
    """Calls without an answer, in order."""
    answers: int = 0
    """Answers of the model in this run; those of a run that it goes on from were paid for there."""
    worked: bool = False
    """A model has answered, in this run or in the one that it goes on from."""
    draft: str | None = None
    """The model's last word, once it called nothing more."""
    form: JsonDict | None = None
    partial: str | None = None
    """Why the form was filled in early."""
    sources: dict[str, Read] = field(default_factory=dict)
    """By address, in the order in which they were read."""
    outside: bool = False
    """Text was read that others may have written."""
    addresses: set[str] = field(default_factory=set)
    """Pages that may be fetched: those that the person named, or that were read."""
    artifacts: list[JsonDict] = field(default_factory=list)


def standing(events: Sequence[TraceEvent], run_id: str) -> Standing:
    """Where the run with these events stands."""
    stand = Standing()
    said: str | None = None
    spoke = False
    for event in events:
        match event:
            case User():
                stand.question = event.text
                stand.addresses |= addresses(event.text)
            case Text():
                said, spoke = event.text, True
            case ToolCall():
                said, spoke = None, True
                stand.open.append(event)
            case ToolResult():
                _answered(stand, event)
            case Usage() if spoke:
                # Ends one answer of the model; a form's stands alone.
                stand.worked = True
                stand.answers += event.turn == run_id
                stand.draft, said, spoke = said, None, False
            case _:
                pass
    return stand


def _answered(stand: Standing, event: ToolResult) -> None:
    stand.open = [call for call in stand.open if call.call_id != event.call_id]
    stand.outside |= "mark" in event.result
    if event.call_id == FORM:
        form, partial = event.result.get("form"), event.result.get("partial")
        stand.form = form if isinstance(form, dict) else None
        stand.partial = partial if isinstance(partial, str) else None
        return
    data = event.result.get("data", event.result)
    if event.call_id == GATHER:
        stand.gathered = True
        stand.addresses |= set(_named(data))
    if not event.ok:
        return
    _learn(stand, event, data)
    if event.tool == artifact.NAME and isinstance(made := event.result.get("artifact"), dict):
        stand.artifacts.append(made)
    if event.tool == ask.NAME and isinstance(answer := event.result.get("answer"), str):
        # The person's own words.
        stand.addresses |= addresses(answer)


def _learn(stand: Standing, event: ToolResult, data: JsonValue) -> None:
    texts, proses = dict(_texts(data)), dict(_texts(data, _PROSE))
    kinds, tags = dict(_texts(data, frozenset({"kind"}))), dict(_texts(data, frozenset({"tags"})))
    for one in event.sources:
        known = stand.sources.get(one.url)
        text = "\n".join(filter(None, (known.text if known else "", texts.get(one.url, ""), one.quote or "")))
        # Paragraphs of their own: what was read twice must not run together.
        prose = "\n\n".join(filter(None, (known.prose if known else "", proses.get(one.url, ""))))
        source = known.source if known else _source(len(stand.sources) + 1, one.title, one.url, one.note_id)
        report = kinds.get(one.url) == "research" or REPORT in tags.get(one.url, "").split()
        report = report or bool(known and known.report)
        stand.sources[one.url] = Read(source, text, prose, report)
        if one.source_kind == "web":
            stand.addresses.add(one.url)


def _source(number: int, title: str, url: str, note_id: str | None) -> Source:
    return Source(id=f"S{number}", title=title, url=url, note_id=note_id)


def _named(data: JsonValue) -> Iterator[str]:
    """The pages of the notes that a person picked."""
    picked = data.get("picked") if isinstance(data, dict) else None
    for note in picked if isinstance(picked, list) else []:
        if isinstance(note, dict) and isinstance(url := note.get("url"), str):
            yield url


def _texts(value: JsonValue, only: frozenset[str] | None = None) -> Iterator[tuple[str, str]]:
    """All text that stands beside an address, by that address; with `only`, in fields of these names."""
    if isinstance(value, list):
        for one in value:
            yield from _texts(one, only)
    elif isinstance(value, dict):
        address = value.get("link") or value.get("url")
        if isinstance(address, str):
            kept = [one for name, one in value.items() if only is None or name in only]
            yield address, "\n\n".join("\n".join(_words(one)) for one in kept)
        else:
            for one in value.values():
                yield from _texts(one, only)


def _words(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _words(one)
        case dict():
            for one in value.values():
                yield from _words(one)
        case bool() | None:
            return
        case _:
            yield str(value)
