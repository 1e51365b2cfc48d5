"""An MCP server that a person added, and the tools of it that they approved. What is secret of it lies apart."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from shared.models.base import JsonDict, Model, Record, Time
from shared.models.note import web_address

MOST_SERVERS = 10
MOST_TOOLS = 100
"""Tools of one server."""
TOOL_NAME = re.compile(r"[A-Za-z0-9_./-]{1,64}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?")
_CONNECTION = frozenset({"host", "connection", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive"})
_OURS = ("accept", "content-", "mcp-", "proxy-")

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]{0,23}$")]
"""A server's name. It holds no underscore, so that `mcp_<server>_<tool>` can be read in one way only."""


def _headers(given: object) -> object:
    # Checked as a whole: an error of one entry would be told with its name, and people mistake the two.
    if not isinstance(given, dict) or len(given) > 10:
        raise ValueError("at most ten headers, each a name with its value")
    for name, value in given.items():
        if not (
            isinstance(name, str) and _HEADER.fullmatch(name) and isinstance(value, str) and _VALUE.fullmatch(value)
        ):
            raise ValueError("a header has a name and a value in plain ASCII, without line breaks")
        if name.lower() in _CONNECTION or name.lower().startswith(_OURS):
            raise ValueError("headers of the connection itself can't be set")
    return given


def _endpoint(url: str) -> str:
    url = web_address(url)
    if "#" in url:
        raise ValueError("the address of a server has no fragment")
    return url


class NewMcpServer(Model):
    """An MCP server to add; `headers` go with each request to it and are never shown again."""

    name: Slug
    url: Annotated[str, AfterValidator(_endpoint)]
    headers: Annotated[dict[str, str], BeforeValidator(_headers)] = Field(default={}, repr=False)

    @model_validator(mode="after")
    def _encrypted(self) -> Self:
        if self.headers and not self.url.lower().startswith("https:"):
            raise ValueError("headers hold secrets and are sent over https only")
        return self


class ApprovedTools(Model):
    """The tools that may be used from now on; all others may not."""

    tools: list[str] = Field(max_length=MOST_TOOLS)


class McpOffer(Model):
    """A tool as its server offers it now. All of it is the server's word."""

    name: str
    description: str
    input_schema: JsonDict


class McpTool(Model):
    """A tool as it was seen when the server was last asked by a person; the hashes say what they approved."""

    name: str
    description: str
    schema_text: str
    """The JSON Schema of its arguments, in canonical JSON: a document could not hold every schema as it is."""
    description_sha256: str
    schema_sha256: str
    approved: bool = False
    changed: bool = False
    """It was approved, and then its description or its schema changed; it is not used until it is approved again."""
    unusable: str = ""
    """Why it can't be approved, where it can't."""


class McpFailure(Model):
    """Why a server could not be asked. None of it is the server's word."""

    code: str
    message: str
    next: str


class McpServer(Record):
    """A server, as it may be shown."""

    name: Slug
    url: str
    """Its address, with what looks like a secret in it hidden."""
    headers: list[str]
    """Names of the headers that are sent to it."""
    status: Literal["ready", "unreachable"]
    error: McpFailure | None = None
    checked_at: Time
    tools: list[McpTool] = []


class McpAccess(Model):
    """How a server is reached: where, and with which secrets. Only its client ever sees it."""

    url: str = Field(repr=False)
    headers: dict[str, str] = Field(repr=False)
