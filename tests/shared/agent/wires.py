"""How each service says the same things: what a conformance test is written in, and what goes over the wire."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from shared.agent.model import Model
from shared.net.http import Http

Reason = Literal["stop", "cut", "refused", "none"]


@dataclass(frozen=True)
class Said:
    """A piece of an answer."""

    text: str = ""
    thinking: str = ""
    call: tuple[str, str, Any] | None = None
    """Id, tool, arguments (text where they are no object)."""
    signature: str = ""


class Wire(Protocol):
    """A service's way to say it."""

    name: str

    def model(self, http: Http, url: str) -> Model: ...

    def events(self, said: Sequence[Said], reason: Reason = "stop") -> list[bytes]: ...

    def whole(self, said: Sequence[Said]) -> bytes: ...

    def calls(self, body: dict[str, Any]) -> list[Any]: ...

    def answers(self, body: dict[str, Any]) -> list[Any]: ...


def event(data: object) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


class OpenAIWire:
    """`/chat/completions`."""

    name = "openai"

    def model(self, http: Http, url: str) -> Model:
        from shared.agent.models.openai import OpenAI

        return OpenAI(http, url=f"{url}/v1", model="m-1", key="k3y", seconds=20, silence=20)

    def events(self, said: Sequence[Said], reason: Reason = "stop") -> list[bytes]:
        words = {"stop": "stop", "cut": "length", "refused": "content_filter"}
        pieces = [event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})]
        for number, one in enumerate(said):
            pieces.append(event({"choices": [{"index": 0, "delta": self._delta(one, number)}]}))
        if reason != "none":
            pieces.append(event({"choices": [{"index": 0, "delta": {}, "finish_reason": words[reason]}]}))
            pieces.append(event({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}))
            pieces.append(b"data: [DONE]\n\n")
        return pieces

    def _delta(self, one: Said, number: int) -> dict[str, Any]:
        if one.call:
            id, name, arguments = one.call
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            function = {"name": name, "arguments": text}
            return {"tool_calls": [{"index": number, "id": id, "type": "function", "function": function}]}
        return {"reasoning_content": one.thinking} if one.thinking else {"content": one.text}

    def whole(self, said: Sequence[Said]) -> bytes:
        message = {"role": "assistant", "content": "".join(one.text for one in said)}
        answer = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 11}}
        return json.dumps(answer).encode()

    def calls(self, body: dict[str, Any]) -> list[Any]:
        return [
            (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
            for message in body["messages"]
            for call in message.get("tool_calls", [])
        ]

    def answers(self, body: dict[str, Any]) -> list[Any]:
        return [
            (message["tool_call_id"], json.loads(message["content"]))
            for message in body["messages"]
            if message["role"] == "tool"
        ]


class GeminiWire:
    """`:streamGenerateContent`."""

    name = "gemini"

    def model(self, http: Http, url: str) -> Model:
        from shared.agent.models.gemini import Gemini

        return Gemini(model="gemini-2.5-flash", key="k3y", base_url=url, seconds=20, silence=20)

    def events(self, said: Sequence[Said], reason: Reason = "stop") -> list[bytes]:
        words = {"stop": "STOP", "cut": "MAX_TOKENS", "refused": "SAFETY"}
        pieces = [event(self._candidate([self._part(one)])) for one in said]
        if reason != "none":
            usage = {"promptTokenCount": 11, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 18}
            pieces.append(event(self._candidate([], finishReason=words[reason]) | {"usageMetadata": usage}))
        return pieces

    def _candidate(self, parts: list[Any], **more: str) -> dict[str, Any]:
        content = {"content": {"role": "model", "parts": parts}} if parts else {}
        return {"candidates": [{"index": 0, **content, **more}]}

    def _part(self, one: Said) -> dict[str, Any]:
        signed = {"thoughtSignature": one.signature} if one.signature else {}
        if one.call:
            id, name, arguments = one.call
            return {"functionCall": {"id": id, "name": name, "args": arguments}, **signed}
        return {"text": one.thinking, "thought": True, **signed} if one.thinking else {"text": one.text, **signed}

    def whole(self, said: Sequence[Said]) -> bytes:
        candidate = self._candidate([self._part(one) for one in said], finishReason="STOP")
        return json.dumps(candidate | {"usageMetadata": {"promptTokenCount": 11}}).encode()

    def calls(self, body: dict[str, Any]) -> list[Any]:
        parts = [
            part["functionCall"] for content in body["contents"] for part in content["parts"] if "functionCall" in part
        ]
        return [(part["id"], part["name"], part["args"]) for part in parts]

    def answers(self, body: dict[str, Any]) -> list[Any]:
        parts = [content["parts"] for content in body["contents"]]
        found = [part["functionResponse"] for some in parts for part in some if "functionResponse" in part]
        return [(one["id"], one["response"]) for one in found]


WIRES: tuple[Wire, ...] = (OpenAIWire(), GeminiWire())
