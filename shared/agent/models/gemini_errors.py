"""What google-genai's exceptions mean for the person. Their texts hold what was sent, so none is passed on."""

from shared.agent.model import ModelBusy, ModelDown
from shared.agent.models import failures
from shared.errors import MemexError, Unreachable, UpstreamTimeout

_UNREACHED = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "ClientConnectorError"})
_LATE = frozenset({"TimeoutException", "TimeoutError", "ServerTimeoutError"})
_BROKEN = frozenset({"TransportError", "NetworkError", "RemoteProtocolError", "ClientError", "ClientPayloadError"})
_KEYLESS = frozenset({"GoogleAuthError"})


def translated(error: Exception, *, vertex: bool) -> MemexError:
    """Our word for it. Which HTTP library google-genai uses is its choice, so its errors are known by their names."""
    code = getattr(error, "code", None)
    if isinstance(code, int):
        return _answered(code, error, vertex=vertex)
    names = {one.__name__ for one in type(error).__mro__}
    if names & _KEYLESS and "TransportError" not in names:
        return failures.rejected(401, _credentials(vertex))
    if names & (_UNREACHED | _KEYLESS):  # without a token nothing was asked yet
        return Unreachable("The model's service could not be reached.", next="Check the connection, then ask again.")
    if names & _LATE:
        return UpstreamTimeout("The model's service did not answer in time.", next="Ask again.")
    if names & _BROKEN:
        return UpstreamTimeout(
            "The connection broke before the model's answer was whole.", code="connection_lost", next="Ask again."
        )
    return failures.malformed("its shape is unknown")


def _answered(status: int, error: Exception, *, vertex: bool) -> MemexError:
    if status == 429:
        return ModelBusy(_seconds(getattr(error, "details", None)))
    if status >= 500 or status in (408, 499):
        return ModelDown(status)
    # The Gemini API answers a bad key with 400.
    if status in (401, 403) or "API_KEY_INVALID" in str(error):
        return failures.rejected(status, _credentials(vertex))
    if status == 404:
        return failures.rejected(status, "Check MEMEX_CHAT_MODEL: the service has no such model.")
    return failures.rejected(
        status, "Start a new conversation; if it stays so, check MEMEX_CHAT_MODEL: the model takes no such request."
    )


def _credentials(vertex: bool) -> str:
    if vertex:
        return "Check MEMEX_VERTEX_PROJECT and that the application default credentials may use its Agent Platform."
    return "Check MEMEX_GEMINI_API_KEY."


def _seconds(details: object) -> float | None:
    """The wait that the service names in `RetryInfo`, written `17s`."""
    error = details.get("error", details) if isinstance(details, dict) else None
    entries = error.get("details") if isinstance(error, dict) else None
    for entry in entries if isinstance(entries, list) else []:
        delay = entry.get("retryDelay") if isinstance(entry, dict) else None
        if isinstance(delay, str) and delay.endswith("s"):
            try:
                return max(0.0, float(delay[:-1]))
            except ValueError:
                return None
    return None
