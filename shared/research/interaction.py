"""A research run as the service shows it, read tolerantly: what is unknown is skipped, what is missing is empty."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from pydantic import JsonValue

from shared.models.base import JsonDict


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
        id=text_of(body.get("id")),
        status=text_of(body.get("status")),
        steps=tuple(_step(item) for item in dicts_of(body.get("steps") or body.get("outputs"))),
        errors=tuple(problem for problem in problems if problem),
        usage=usage if isinstance(usage, dict) else None,
    )


def _step(item: JsonDict) -> Step:
    kind = text_of(item.get("type"))
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
    for item in dicts_of(value):
        kind = text_of(item.get("type"))
        if kind == "text":
            notes = tuple(_annotation(one) for one in dicts_of(item.get("annotations")))
            yield Part(kind, text_of(item.get("text")), tuple(one for one in notes if one.url))
        else:
            yield Part(kind)


def _annotation(item: JsonDict) -> Annotation:
    start, end = item.get("start_index"), item.get("end_index")
    return Annotation(
        url=text_of(item.get("url")),
        title=text_of(item.get("title")),
        quote=text_of(item.get("quote")),
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
    named = text_of(value.get("status")) if code is None else str(code)
    return Problem(named, text_of(value.get("message")))


def text_of(value: JsonValue) -> str:
    """The value where it is text, else nothing."""
    return value if isinstance(value, str) else ""


def dicts_of(value: JsonValue) -> list[JsonDict]:
    """The objects in a list (or the one object); whatever else stands there is skipped."""
    items = [value] if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


_SHORT = 200
"""Characters of an error's message that are shown."""


def short(message: str, secret: str = "") -> str:
    """The service's message, short, and never with the user's text in it: errors reach logs."""
    # No more is looked through than could be shown, and a secret that begins there.
    words = " ".join(message[: 4 * _SHORT].split())[: _SHORT + 32]
    flat = " ".join(secret.split())
    if not words or (flat and any(flat[at : at + 24] in words for at in range(0, max(1, len(flat) - 23), 8))):
        return ""
    return f": {words if len(words) <= _SHORT else words[: _SHORT - 1] + '…'}"
