"""The service's wire format: which create requests it takes, and its error envelopes. It runs nothing."""

import base64
import secrets

from pydantic import JsonValue
from starlette.responses import HTMLResponse, JSONResponse, Response

from infra.local.research.modes import Fault
from shared.models.base import JsonDict

AGENTS = (
    "deep-research-preview-04-2026",
    "deep-research-max-preview-04-2026",
    "deep-research-pro-preview-12-2025",
)
_OTHER_AGENTS = ("antigravity-preview-05-2026", "antigravity-preview-09-2026")
_KEYS = frozenset(
    "agent agent_config background continuation_token environment input labels model previous_interaction_id "
    "response_format response_mime_type response_modalities safety_settings service_tier store stream "
    "system_instruction tools webhook_config cached_content generation_config".split()
)
_CONFIG: dict[str, tuple[JsonValue, ...]] = {
    "type": ("deep-research",),
    "thinking_summaries": ("auto", "none"),
    "visualization": ("auto", "off"),
    "collaborative_planning": (True, False),
    "enable_bigquery_tool": (True, False),
}
_WORDS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}


class Refusal(Exception):
    """A request that the service does not take."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def new_id() -> str:
    """An opaque id as the Gemini API makes them: long, and with characters that a path must escape."""
    return "v1_" + base64.b64encode(secrets.token_bytes(64)).decode()


def word_error(status: int, code: str, message: str) -> Response:
    """`{"error": {"message", "code": word}}`, the envelope of the Interactions API itself."""
    return JSONResponse({"error": {"message": message, "code": code}}, status)


def standard_error(status: int, message: str, *, word: str = "", headers: dict[str, str] | None = None) -> Response:
    """`{"error": {"code": number, "message", "status"}}`, the envelope of what stands before it."""
    return JSONResponse(_standard(status, message, word or _WORDS.get(status, "INTERNAL")), status, headers=headers)


def _standard(status: int, message: str, word: str) -> JsonDict:
    return {"error": {"code": status, "message": message, "status": word}}


def faulty(fault: Fault) -> Response:
    """A bad answer in the envelope that it comes in."""
    message = "The service is currently unavailable."
    match fault.envelope:
        case "word":
            return word_error(fault.status, fault.code, "The caller does not have permission")
        case "standard":
            headers = {"Retry-After": "1"} if fault.status == 429 else None
            return standard_error(fault.status, message, word=fault.code, headers=headers)
        case "array":
            return JSONResponse([_standard(fault.status, message, fault.code)], fault.status)
        case "html":
            return HTMLResponse("<html><title>502</title><h1>Bad Gateway</h1></html>", fault.status)
        case "inside_200":
            return JSONResponse(_standard(fault.status, message, fault.code))


def check_create(body: JsonValue) -> JsonDict:
    """The request if the service would take it; Refusal says why not, as the service words it."""
    if not isinstance(body, dict):
        raise Refusal(400, "The request body is not a JSON object")
    if unknown := sorted(body.keys() - _KEYS):
        raise Refusal(400, f"Unknown parameter '{unknown[0]}'")
    _check_agent(body)
    if body.get("background") is not True:
        raise Refusal(400, "Agent interactions require background=true")
    if body.get("store", True) is not True:
        raise Refusal(400, "store=true is required when background=true")
    if body.get("system_instruction") is not None:
        raise Refusal(400, "system_instruction is not supported for this agent; put it in the input")
    if body.get("previous_interaction_id") is not None:
        raise Refusal(400, "previous_interaction_id is not supported for this agent")
    if body.get("response_format") is not None:
        raise Refusal(400, "response_format is not supported for this agent")
    _check_config(body.get("agent_config"))
    _check_tools(body.get("tools"))
    labels = body.get("labels", {})
    if not isinstance(labels, dict) or not all(isinstance(value, str) for value in labels.values()):
        raise Refusal(400, "labels must map strings to strings")
    if not input_text(body.get("input")).strip():
        raise Refusal(400, "input is required")
    return body


def _check_agent(body: JsonDict) -> None:
    agent, model = body.get("agent"), body.get("model")
    if isinstance(model, str) and model in AGENTS + _OTHER_AGENTS:
        raise Refusal(400, f"'{model}' is an agent, not a model; use the 'agent' parameter")
    if model is not None:
        raise Refusal(400, "Only agent interactions are supported")
    if not isinstance(agent, str) or not agent:
        raise Refusal(400, "agent is required")
    if agent in _OTHER_AGENTS:
        raise Refusal(400, f"{agent} does not support background=true")
    if agent not in AGENTS:
        raise Refusal(404, f"Agent '{agent}' not found")


def _check_config(config: JsonValue) -> None:
    if config is None:
        return
    if not isinstance(config, dict) or config.get("type") != "deep-research":
        raise Refusal(400, "agent_config.type must be 'deep-research'")
    for key, value in config.items():
        if key not in _CONFIG:
            raise Refusal(400, f"Unknown parameter 'agent_config.{key}'")
        if value not in _CONFIG[key]:
            raise Refusal(400, f"Invalid value for 'agent_config.{key}'")


def _check_tools(tools: JsonValue) -> None:
    if tools is None:
        return
    kinds = (
        [tool.get("type") if isinstance(tool, dict) else None for tool in tools] if isinstance(tools, list) else [None]
    )
    if "function" in kinds:
        raise Refusal(400, "Custom function tools are not supported for this agent")
    if None in kinds:
        raise Refusal(400, "Each tool needs a type")


def input_text(value: JsonValue) -> str:
    """The text of an input in any of its forms: text, content, a list of content, a list of steps."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if "role" in value:
            raise Refusal(400, "Role and content turns are no longer supported: use step_list input")
        if value.get("type") == "text":
            text = value.get("text")
            return text if isinstance(text, str) else ""
        return input_text(value.get("content"))
    if isinstance(value, list):
        return "\n".join(input_text(item) for item in value)
    return ""
