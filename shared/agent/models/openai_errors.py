"""What an error of an OpenAI-compatible server means for the person. Its own text is read for hints, never repeated."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from shared.agent.model import ModelBusy, ModelDown
from shared.agent.models.failures import rejected
from shared.errors import MemexError

_TOO_LONG = re.compile(r"context[ _]?(?:length|window|size)|maximum context|too many tokens|too long", re.I)
_NO_TOOLS = re.compile(r"not support (?:tools|function)|tools? (?:is|are) not supported|tool[ _-]?choice", re.I)
_BUSY = ("rate_limit", "insufficient_quota", "overloaded", "429")
_REFUSED = ("invalid_request", "context_length", "authentication", "permission", "not_found", "model_not_found")
_STATUS = {"authentication": 401, "permission": 403, "not_found": 404, "model_not_found": 404}


def failed(status: int, headers: Mapping[str, str], body: JsonValue) -> MemexError:
    """The error for an answer with this status."""
    if status == 429:
        return ModelBusy(seconds(headers.get("retry-after", "")))
    if status >= 500 or status in (408, 425):
        return ModelDown(status)
    return rejected(status, _advice(status, said(body)))


def inside(error: JsonValue, headers: Mapping[str, str]) -> MemexError:
    """The error for an error object that came in an answer which began well."""
    words = [error] if isinstance(error, str) else []
    if isinstance(error, dict):
        code = error.get("code")
        if isinstance(code, int) and 400 <= code < 600:
            return failed(code, headers, {"error": error})
        words = [str(error.get(name) or "").lower() for name in ("code", "type")]
    if any(word.startswith(_BUSY) for word in words):
        return failed(429, headers, None)
    for word in words:
        if word.startswith(_REFUSED):
            status = next((number for name, number in _STATUS.items() if word.startswith(name)), 400)
            return failed(status, headers, {"error": error})
    return ModelDown(502)


def said(body: JsonValue) -> str:
    """The server's own words, for looking for hints in them."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        error = " ".join(str(error.get(name) or "") for name in ("code", "type", "param", "message"))
    return str(error or "")[:4000]


def seconds(retry_after: str) -> float | None:
    """The seconds of a Retry-After; a date there is left to the caller's own patience."""
    text = retry_after.strip()
    return float(text) if re.fullmatch(r"\d{1,6}(\.\d+)?", text) else None


def _advice(status: int, words: str) -> str:
    if status in (401, 403):
        return "Check MEMEX_OPENAI_API_KEY."
    if status == 413 or _TOO_LONG.search(words):
        return "The conversation is too long for this model: start a new one, or choose a model with a larger context."
    if _NO_TOOLS.search(words):
        return "This model takes no tools: choose another model, or switch tools off in the settings."
    if status == 404 or status < 400:
        return "Check MEMEX_OPENAI_URL (most servers want /v1 at its end) and MEMEX_CHAT_MODEL, a model it has."
    return "Check MEMEX_CHAT_MODEL: the server takes no such request for it."
