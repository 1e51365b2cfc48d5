"""A question as a request to Gemini, and Gemini's parts as ours. It loads google-genai: import it late."""

from base64 import b64decode, b64encode
from collections.abc import Iterable

from google.adk.models.llm_request import LlmRequest
from google.adk.utils.content_utils import SKIP_THOUGHT_SIGNATURE_VALIDATOR
from google.genai import types
from pydantic import TypeAdapter

from shared.agent.model import Message, Question, ToolCall
from shared.agent.models.history import settled
from shared.models.base import JsonDict

OWN_ID = "adk-"
"""What ADK's own ids begin with, for calls that the service sent without one; it doesn't know them."""
_ARGUMENTS: TypeAdapter[JsonDict] = TypeAdapter(JsonDict)


def request(model: str, question: Question, *, seconds: float) -> LlmRequest:
    """The whole request; thoughts are asked for only where the question wants them."""
    config = types.GenerateContentConfig(
        system_instruction=question.instruction or None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        http_options=types.HttpOptions(timeout=int(seconds * 1000)),
    )
    if question.tools:
        functions = [
            types.FunctionDeclaration(name=tool.name, description=tool.description, parameters_json_schema=tool.schema)
            for tool in question.tools
        ]
        config.tools = [types.Tool(function_declarations=functions)]
    if question.think:
        config.thinking_config = types.ThinkingConfig(include_thoughts=True)
    if question.schema is not None:
        config.response_mime_type = "application/json"
        config.response_json_schema = question.schema
    contents = [_content(message, signed=_wants_signatures(model)) for message in settled(question.messages)]
    return LlmRequest(model=model, contents=contents, config=config)


def _wants_signatures(model: str) -> bool:
    return model.rpartition("/")[2].startswith("gemini-3")


def _content(message: Message, *, signed: bool) -> types.Content:
    if message.role == "tool":
        answers = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=_known(answer.call_id), name=answer.tool, response=dict(answer.result)
                )
            )
            for answer in message.answers
        ]
        return types.Content(role="user", parts=answers)
    parts = [types.Part(text=message.text)] if message.text else []
    for at, call in enumerate(message.calls):
        part = types.Part(
            function_call=types.FunctionCall(id=_known(call.id), name=call.tool, args=dict(call.arguments))
        )
        if call.signature:
            part.thought_signature = b64decode(call.signature)
        elif signed and at == 0:
            # The call is another model's, chosen earlier in this conversation; without a mark it would be refused.
            part.thought_signature = SKIP_THOUGHT_SIGNATURE_VALIDATOR
        parts.append(part)
    return types.Content(role=message.role, parts=parts)


def _known(id: str) -> str | None:
    return None if id.startswith(OWN_ID) else id


def calls(parts: Iterable[types.Part]) -> tuple[ToolCall, ...]:
    """The calls among the parts of an answer, with the service's marks."""
    return tuple(
        ToolCall(
            called.id or "",
            called.name or "",
            _ARGUMENTS.validate_python(called.args or {}),
            signature=_signature(part),
        )
        for part in parts
        if (called := part.function_call) is not None
    )


def signatures(parts: Iterable[types.Part]) -> tuple[str, ...]:
    """The service's marks on what is no call."""
    return tuple(mark for part in parts if part.function_call is None and (mark := _signature(part)))


def _signature(part: types.Part) -> str:
    return b64encode(part.thought_signature).decode() if part.thought_signature else ""
