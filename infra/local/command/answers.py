"""What the API answers, as far as the commands need it: read tolerantly, so that a newer Memex stays readable."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

Json = Mapping[str, object]
_EMPTY: Json = {}


def text(body: Json, name: str) -> str:
    """A text, or none."""
    value = body.get(name)
    return value if isinstance(value, str) else ""


def whole(body: Json, name: str) -> int:
    """A whole number, or zero."""
    value = body.get(name)
    return value if isinstance(value, int) else 0


def child(body: Json, name: str) -> Json:
    """An object, or an empty one."""
    value = body.get(name)
    return value if isinstance(value, dict) else _EMPTY


def children(body: Json, name: str) -> list[Json]:
    """A list's objects."""
    value = body.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(body: Json, name: str) -> list[str]:
    """A list's texts."""
    value = body.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def moment(body: Json, name: str) -> datetime | None:
    """A time, if there is one."""
    try:
        return datetime.fromisoformat(text(body, name)).astimezone(UTC)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a note was imported from."""

    path: str
    front_matter: str
    content_sha256: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of a report."""

    number: int
    title: str
    url: str
    quote: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note."""

    id: str
    kind: str
    title: str
    body: str
    tags: list[str]
    guessed_tags: frozenset[str]
    """Those that enrichment added."""
    url: str
    source: str
    source_note_id: str
    created_at: datetime | None
    deleted: bool
    revision: int
    operation_id: str
    research_error: str
    citations: list[Citation]
    origin: Origin | None

    @property
    def own_tags(self) -> frozenset[str]:
        """The tags that are a person's word."""
        return frozenset(self.tags) - self.guessed_tags


def note(body: Json) -> Note:
    """A note from its answer."""
    enrichment, research, origin = child(body, "enrichment"), child(body, "research"), child(body, "origin")
    return Note(
        id=text(body, "id"),
        kind=text(body, "kind"),
        title=text(body, "title"),
        body=text(body, "body"),
        tags=texts(body, "tags"),
        guessed_tags=frozenset(texts(enrichment, "tags")),
        url=text(body, "url"),
        source=text(body, "source"),
        source_note_id=text(body, "source_note_id"),
        created_at=moment(body, "created_at"),
        deleted=body.get("deleted_at") is not None,
        revision=whole(body, "revision"),
        operation_id=text(research, "operation_id"),
        research_error=text(research, "error"),
        citations=[
            Citation(whole(one, "number"), text(one, "title"), text(one, "url"), text(one, "quote"))
            for one in children(body, "citations")
        ],
        origin=Origin(text(origin, "path"), text(origin, "front_matter"), text(origin, "content_sha256"))
        if origin
        else None,
    )


def edited(trace: list[Json]) -> frozenset[str]:
    """The fields of a note that a person changed, as its trace tells."""
    return frozenset(field for event in trace if event.get("type") == "user" for field in child(event, "changes"))


@dataclass(frozen=True, slots=True)
class Operation:
    """Long work."""

    id: str
    kind: str
    status: str
    question: str
    routine: str
    """Which routine ran; empty for other kinds."""
    percent: int
    message: str
    next_look_at: datetime | None
    events: int
    cost_usd: float
    tokens: int
    source_note_id: str
    result_note_id: str
    created_at: datetime | None
    updated_at: datetime | None
    partial: str
    output: Json
    """The result that it holds itself; empty where it has none."""
    error: str
    advice: str

    @property
    def ended(self) -> bool:
        """Whether it will not change any more."""
        return self.status in ("completed", "failed", "cancelled")


def operation(body: Json) -> Operation:
    """An operation from its answer."""
    asked, progress, usage = child(body, "input"), child(body, "progress"), child(body, "usage")
    error = child(body, "error")
    cost = usage.get("cost_usd")
    return Operation(
        id=text(body, "id"),
        kind=text(body, "kind"),
        status=text(body, "status"),
        question=text(asked, "question"),
        routine=text(asked, "routine"),
        percent=whole(progress, "percent"),
        message=text(progress, "message"),
        next_look_at=moment(progress, "next_look_at"),
        events=whole(body, "events"),
        cost_usd=float(cost) if isinstance(cost, int | float) else 0.0,
        tokens=whole(usage, "tokens"),
        source_note_id=text(body, "source_note_id"),
        result_note_id=text(body, "result_note_id"),
        created_at=moment(body, "created_at"),
        updated_at=moment(body, "updated_at"),
        partial=text(body, "partial"),
        output=child(body, "output"),
        error=text(error, "message"),
        advice=text(error, "next"),
    )
