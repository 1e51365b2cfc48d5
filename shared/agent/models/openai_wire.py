"""A question as the body of `/chat/completions`. It sends nothing."""

import json

from shared.agent.model import Message, Question
from shared.agent.models.history import settled
from shared.models.base import JsonDict

OPTIONAL = ("reasoning_effort", "stream_options", "response_format")
"""Fields that not every server takes; without them the same question is asked less precisely."""


def body(model: str, question: Question) -> JsonDict:
    """The whole request; reasoning is asked for only where the question wants it."""
    made: JsonDict = {
        "model": model,
        "messages": [
            {"role": "system", "content": question.instruction},
            *(line for message in settled(question.messages) for line in _lines(message)),
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if question.tools:
        made["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in question.tools
        ]
    if question.think:
        made["reasoning_effort"] = "medium"
    if question.schema is not None:
        made["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": question.schema},
        }
    return made


def plainer(made: JsonDict, refused: frozenset[str]) -> JsonDict:
    """The request without what the server refused; a schema becomes the wish for any JSON object."""
    kept: JsonDict = {name: value for name, value in made.items() if name not in refused}
    if "response_format" in made and "response_format" in refused:
        kept["response_format"] = {"type": "json_object"}
    return kept


def _lines(message: Message) -> list[JsonDict]:
    match message.role:
        case "tool":
            return [
                {
                    "role": "tool",
                    "tool_call_id": answer.call_id,
                    "content": json.dumps(answer.result, ensure_ascii=False),
                }
                for answer in message.answers
            ]
        case "user":
            return [{"role": "user", "content": message.text}]
        case "model":
            line: JsonDict = {"role": "assistant", "content": message.text}
            if message.calls:
                line["tool_calls"] = [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {
                            "name": call.tool,
                            "arguments": json.dumps(call.arguments, ensure_ascii=False),
                        },
                    }
                    for call in message.calls
                ]
            return [line]
