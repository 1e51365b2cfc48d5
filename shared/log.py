"""Logging: one JSON line for each notable thing, on standard error. Ids only, never content."""

import json
import logging
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

_ROOT = Path(__file__).parents[1]
_HOUSES = tuple(str(_ROOT / house) for house in ("infra", "functions", "shared"))

log = logging.getLogger("memex")


def described(error: BaseException) -> str:
    """An error as a log may have it: its type and where it was raised. Its text may quote a note."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__} at {_place(error.__traceback__)}"


def _place(trace: TracebackType | None) -> str:
    """The innermost line of ours, or of anyone where none is."""
    place, ours = "an unknown place", False
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_HOUSES) or not ours:
            ours = file.startswith(_HOUSES)
            place = f"{file.removeprefix(f'{_ROOT}/')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


class Line(logging.Formatter):
    """One line; a traceback is cut down to type and place."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        # Below its first line asyncio shows its objects, with the exceptions and arguments that they hold; where a
        # callback failed, it does so in that line too.
        message = record.getMessage().partition("\n")[0]
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "severity": record.levelname,
            "logger": record.name,
            "message": message if record.name != "asyncio" else "an unforeseen error in the event loop",
        }
        if record.exc_info and record.exc_info[1]:
            line["error"] = described(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def set_up(level: int = logging.WARNING) -> None:
    """Log this level and worse, and what would otherwise end as a traceback on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Line())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # It logs each address that is asked, and an address may hold a name, a scope, or what somebody looks for.
    logging.getLogger("httpx").setLevel(max(level, logging.WARNING))
    # gRPC's C core writes past all of this, and only of itself: what fails there reaches us as an exception too.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    sys.excepthook = lambda _type, error, _trace: log.critical("stopped by an unforeseen error", exc_info=error)
    sys.unraisablehook = lambda found: log.error("an error that nobody could catch", exc_info=found.exc_value)
    threading.excepthook = lambda found: log.error("a thread was stopped", exc_info=found.exc_value)
