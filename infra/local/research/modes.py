"""The ways in which the real service was seen to fail, to be asked for by name. Nothing here happens by accident."""

import re
from dataclasses import dataclass
from typing import Literal

Envelope = Literal["word", "standard", "array", "html", "inside_200"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One bad answer to a GET."""

    status: int
    code: str
    envelope: Envelope = "standard"


@dataclass(frozen=True, slots=True)
class Mode:
    """How one run behaves, where it differs from a good one."""

    create: Literal["stream", "hold", "silent", "noise", "cut", "busy"] = "stream"
    looks: tuple[Fault, ...] = ()
    """Answers to the first GETs."""
    running: str = "in_progress"
    ends: str = "completed"
    """The final status; empty for a run that never ends."""
    fails_at: float = 1.0
    """Share of its time after which a failing run fails."""
    code: int | str = 13
    message: str = "Internal error encountered."
    text: Literal["report", "half", "none", "multibyte"] = "report"
    thoughts: int = 0
    """Thoughts to show instead of the research's own."""
    bare: bool = False
    """No steps while it runs."""
    drift: bool = False
    """Types of its answer are not what the documentation says."""
    image_bytes: int = 0
    usage_after: int = 0
    """GETs of the finished run that lack its usage."""
    cancel: Literal["ok", "error", "precondition"] = "ok"
    expires: bool = False
    """Gone as soon as it has ended."""
    renamed: bool = False
    """Ends under another id."""


MODES: dict[str, Mode] = {
    "OK": Mode(),
    "S": Mode(ends="failed", fails_at=0.0, bare=True),
    "H0": Mode(create="hold"),
    "H1": Mode(create="silent"),
    "H2": Mode(create="noise"),
    "B": Mode(create="cut"),
    "D0": Mode(ends="failed", fails_at=0.1),
    "D1": Mode(ends="failed", thoughts=18, image_bytes=100_000, text="none"),
    "Z": Mode(ends="", bare=True),
    "Z2": Mode(text="none"),
    "E": Mode(usage_after=1),
    "F": Mode(looks=(Fault(403, "permission_denied", "word"),) * 3),
    "J": Mode(looks=(Fault(404, "NOT_FOUND"),) * 2),
    "K": Mode(cancel="error"),
    "K2": Mode(cancel="precondition"),
    "L": Mode(expires=True),
    "M": Mode(create="busy", looks=(Fault(429, "RESOURCE_EXHAUSTED"),)),
    "N": Mode(looks=(Fault(500, "INTERNAL"), Fault(502, "", "html"), Fault(503, "UNAVAILABLE"))),
    "P": Mode(looks=(Fault(503, "UNAVAILABLE", "array"),) * 2),
    "Q": Mode(ends="incomplete", text="half"),
    "R": Mode(running="paused"),
    "T": Mode(drift=True),
    "T2": Mode(ends="failed", drift=True, code="https://errors.example.test/internal"),
    "U": Mode(image_bytes=12_000_000),
    "W": Mode(text="multibyte"),
    "X": Mode(),
    "E200": Mode(looks=(Fault(503, "UNAVAILABLE", "inside_200"),) * 2),
    "QUEUED": Mode(running="queued", bare=True),
    "ACTION": Mode(ends="requires_action", text="none"),
    "CONTINUE": Mode(ends="requires_continuation", text="none"),
    "BUDGET": Mode(ends="budget_exceeded", text="half"),
    "STOPPED": Mode(ends="incomplete", text="none"),
    "NEWID": Mode(renamed=True),
    "CANCELLED": Mode(ends="cancelled", text="none"),
}
"""By the letters of the failure list (google-apis.md, A11); the words are oddities that users of others reported."""

_TOKEN = re.compile(r"\[mode:\s*+([A-Z0-9]++)\s*+\]")


def mode_in(text: str) -> str | None:
    """The mode that a text asks for, if it names one there is."""
    token = _TOKEN.search(text)
    return token[1] if token and token[1] in MODES else None


def without_mode(text: str) -> str:
    """The text without the token, so that research doesn't look for it."""
    return _TOKEN.sub("", text).strip()
