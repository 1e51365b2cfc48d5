"""Logging of the local product: one JSON line for each notable thing, on standard error. Ids only, never content."""

import json
import logging
import sys


class _Line(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback is cut down to its type, because an exception's text may quote a note."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "severity": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def set_up(level: int = logging.WARNING) -> None:
    """Log warnings and worse."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Line())
    logging.basicConfig(level=level, handlers=[handler], force=True)
