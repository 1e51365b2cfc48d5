"""What an MCP server says, read and cleaned. It believes nothing: no secret of ours, no odd value gets past it."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from pydantic import JsonValue

from shared.errors import Upstream
from shared.models.base import JsonDict
from shared.models.mcp import McpAccess, McpOffer
from shared.net.address import HIDDEN, secrets_in

DEPTH = 60
"""How deeply an answer may be nested."""
_LEAST_SECRET = 7
"""Characters of what is hidden: shorter ones are everywhere."""
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Said:
    """What a tool answered, as text; `failed` where it says so itself, `left_out` names what was no text."""

    text: str
    failed: bool = False
    left_out: tuple[str, ...] = ()


class Refused(Upstream):
    """A JSON-RPC error. Its message is ours; `words` are the server's."""

    code = "mcp_refused"

    def __init__(self, message: str, words: str) -> None:
        super().__init__(message, next="Check what the server says about how it is used.")
        self.words = words


def secrets_of(access: McpAccess) -> tuple[str, ...]:
    """What must not come back: values of headers, their parts (`Bearer x`), and what is secret in the address."""
    values = [*access.headers.values(), *secrets_in(access.url)]
    parts = [part for value in values for part in (value, unquote(value), *value.split()) if len(part) >= _LEAST_SECRET]
    return tuple(sorted(set(parts), key=len, reverse=True))


class Ear:
    """Reads the answers of one server; `secrets` are hidden in all of them, whatever the server sends back."""

    def __init__(self, host: str, secrets: tuple[str, ...]) -> None:
        self._host = host
        self._secrets = secrets

    def unreadable(self, what: str) -> Upstream:
        """The error that says what the server did."""
        return Upstream(
            f"The MCP server at {self._host} {what}",
            code="mcp_unreadable",
            next="Check that the address is that of an MCP server with streamable HTTP.",
        )

    def refused(self, method: str, error: JsonDict) -> Refused:
        """The server's error as ours."""
        words, code = error.get("message"), error.get("code")
        return Refused(
            f"The MCP server at {self._host} refused {method}" + (f" (code {code})" if isinstance(code, int) else ""),
            words if isinstance(words, str) else "",
        )

    def answer(self, raw: bytes, id: int) -> JsonDict | None:
        """The message that answers request `id`; None where it is another."""
        try:
            parsed: JsonValue = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise self.unreadable("sent something that is no JSON") from error
        # Servers of 2025-03-26 may put several messages into one answer.
        for message in parsed if isinstance(parsed, list) else [parsed]:
            if isinstance(message, dict) and message.get("id") == id and ("result" in message or "error" in message):
                return {self._text(key): self._clean(value, 0) for key, value in message.items()}
        return None

    def _clean(self, value: JsonValue, depth: int) -> JsonValue:
        """JSON that every store takes."""
        if depth > DEPTH:
            raise self.unreadable("nests its answer too deeply")
        match value:
            case str():
                return self._text(value)
            case dict():
                return {self._text(key): self._clean(one, depth + 1) for key, one in value.items()}
            case list():
                return [self._clean(one, depth + 1) for one in value]
            case float() if not math.isfinite(value):
                raise self.unreadable("sent a number that is none")
            case int() if abs(value) >= _LARGEST:
                return str(value)
            case _:
                return value

    def _text(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text.encode(errors="replace").decode()  # half a character, which no store takes

    def offers(self, result: JsonDict) -> Iterator[McpOffer]:
        """The tools on one page of the list."""
        listed = result.get("tools")
        if not isinstance(listed, list):
            raise self.unreadable("gave no list of tools")
        for entry in listed:
            name = entry.get("name") if isinstance(entry, dict) else None
            if not isinstance(entry, dict) or not isinstance(name, str) or not name:
                raise self.unreadable("lists a tool without a name")
            description, schema = entry.get("description"), entry.get("inputSchema")
            yield McpOffer(
                name=name,
                description=description if isinstance(description, str) else "",
                input_schema=schema if isinstance(schema, dict) else {},
            )

    def said(self, result: JsonDict) -> Said:
        """What a tool answered."""
        content, structured = result.get("content"), result.get("structuredContent")
        if not isinstance(content, list) and structured is None:
            raise self.unreadable("answered a call without content")
        texts: list[str] = []
        left_out: list[str] = []
        for part in content if isinstance(content, list) else []:
            text = _text_of(part)
            if text is not None:
                texts.append(text)
            else:
                kind = part.get("type") if isinstance(part, dict) else None
                left_out.append(str(kind) if kind in ("image", "audio", "resource") else "something unknown")
        if not texts and structured is not None:
            texts.append(json.dumps(structured, ensure_ascii=False))
        return Said("\n\n".join(texts), failed=result.get("isError") is True, left_out=tuple(left_out))


def _text_of(part: JsonValue) -> str | None:
    """The text of one part of an answer; None where it has none."""
    if not isinstance(part, dict):
        return None
    text = part.get("text")
    if part.get("type") == "resource":
        resource = part.get("resource")
        text = resource.get("text") if isinstance(resource, dict) else None
    elif part.get("type") == "resource_link":
        text = part.get("uri")
    return text if isinstance(text, str) else None
