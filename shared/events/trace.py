"""The trace: what was said, thought, called and found, one event each, in order. Product data, never a log line."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from shared.models.base import LATER, JsonDict, Model, Time
from shared.models.evidence import Passage, SourceKind
from shared.models.ids import Id
from shared.models.note import Citation

MAX_TEXT = 60_000
"""Bytes (UTF-8) of text in one event; longer ones are cut with a mark."""


def cut(text: str, limit: int = MAX_TEXT) -> str:
    """The text, or its first `limit` bytes (UTF-8) with a mark that says how much is missing."""
    if len(text) * 4 <= limit or len(raw := text.encode()) <= limit:
        return text
    kept = raw[:limit].decode(errors="ignore")
    return f"{kept}\n[cut: {len(text) - len(kept)} more characters]"


class _Event(Model):
    seq: int = Field(ge=1)
    at: Time
    turn: str = ""
    """The chat turn that it belongs to; empty in a note's trace."""


class NoteChanged(Model):
    """A note was edited, made, or moved to the bin; `seq` is the change's first event in the note's trace."""

    type: Literal["note_changed", "note_created", "note_deleted"]
    note_id: Id
    seq: int = 0


class TasksCreated(Model):
    """Tasks were added."""

    type: Literal["tasks_created"] = "tasks_created"
    task_ids: list[Id]


class TaskChanged(Model):
    """A task was changed; `before` and `after` hold the old and the new values of the fields that changed."""

    type: Literal["task_changed"] = "task_changed"
    task_id: Id
    before: JsonDict
    after: JsonDict = {}
    """Empty in what was stored before this was kept: then a later change goes unnoticed."""


Undo = Annotated[NoteChanged | TasksCreated | TaskChanged, Field(discriminator="type")]


class User(_Event):
    """A person wrote or changed something; `changes` maps a field to its value before and after."""

    type: Literal["user"] = "user"
    text: str
    changes: JsonDict = {}


class Text(_Event):
    """Model text; `links` are the addresses in it that lead to something read, made, or typed by the person.

    Only these may be drawn as links, in whatever form the text names them.
    """

    type: Literal["text"] = "text"
    text: str
    links: list[str] = []


class Thinking(_Event):
    """A thought summary."""

    type: Literal["thinking"] = "thinking"
    text: str
    agent: str = ""


class ToolCall(_Event):
    """A tool was asked."""

    type: Literal["tool_call"] = "tool_call"
    tool: str
    arguments: JsonDict
    call_id: str = ""
    signature: str = ""
    """The model's own mark on the call, which it wants back when a suspended turn goes on."""
    agent: str = ""
    """The judge that asked, where it was not the one that answers."""


class ToolResult(_Event):
    """What the tool answered."""

    type: Literal["tool_result"] = "tool_result"
    tool: str
    ok: bool
    result: JsonDict
    call_id: str = ""
    undo: Undo | None = None
    """How the change is taken back in one step, where it was one."""
    sources: list[Citation] = []
    """What was read, where the tool reads."""
    agent: str = ""


class Citations(_Event):
    """The sources of what was written."""

    type: Literal["citations"] = "citations"
    citations: list[Citation]


class Context(_Event):
    """What the model was given beside the request: so far, the request as it is understood on its own."""

    type: Literal["context"] = "context"
    text: str


class Recall(_Event):
    """What of earlier conversations the model was given, and what was kept out and why. It holds no fact."""

    type: Literal["recall"] = "recall"
    text: str
    used: list[str]
    """References of the memories; the receipt has the same ones."""
    withheld: dict[str, str]
    """Reference -> the case that kept it out."""
    receipt_id: Id


class Plan(_Event):
    """What several agents set out to do; `attempt` counts from 1."""

    type: Literal["plan"] = "plan"
    steps: list[str]
    sources: list[SourceKind] = []
    """Where is looked first."""
    attempt: int = 1


class Evidence(_Event):
    """What the sources found together before the answer was written; `text` says it in a sentence, misses included."""

    type: Literal["evidence"] = "evidence"
    text: str
    passages: list[Passage]
    nothing: list[SourceKind] = []
    failed: list[SourceKind] = []


class Critique(_Event):
    """What the critic said of a draft; it changes nothing in it. `checked`: it had looked facts up for itself."""

    type: Literal["critique"] = "critique"
    verdict: Literal["ok", "revise", "replan"]
    text: str
    checked: bool = False
    attempt: int = 1


class Verification(_Event):
    """What the verifier said of a draft."""

    type: Literal["verification"] = "verification"
    verdict: Literal["pass", "needs_revision", "fail"]
    reasons: list[str]
    checked: bool = False
    attempt: int = 1


class ApprovalRequest(_Event):
    """The turn waits for a person's word: on a tool call, on a host, on the answer. Secrets in arguments are masked."""

    type: Literal["approval_request"] = "approval_request"
    run_id: str
    reason: Literal["approve_tool", "egress_approval", "approve_answer"]
    tool: str = ""
    call_id: str = ""
    arguments: JsonDict = {}
    why: str = ""
    blocked_host: str = ""
    """Of an egress_approval: the host that the call would reach."""
    answer: str = ""
    """Of an approve_answer: what is to be approved, and what the critic said of it."""
    links: list[str] = []
    """All that may be drawn as a link in the answer, as with a text."""
    critique: str = ""
    expires_at: Time


class Usage(_Event):
    """What it used."""

    type: Literal["usage"] = "usage"
    tokens: int
    cost_usd: float = 0.0


class Error(_Event):
    """What went wrong on the way."""

    type: Literal["error"] = "error"
    code: str
    message: str


TraceEvent = Annotated[
    User
    | Text
    | Thinking
    | ToolCall
    | ToolResult
    | Context
    | Recall
    | Plan
    | Evidence
    | Critique
    | Verification
    | Citations
    | Usage
    | ApprovalRequest
    | Error,
    Field(discriminator="type"),
]
TRACE_EVENT: TypeAdapter[TraceEvent] = TypeAdapter(TraceEvent, config=LATER)
