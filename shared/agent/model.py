"""The model port: one question with tools in, pieces and one whole answer out. It knows no service and no tool."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from shared.errors import TooMany, Upstream
from shared.models.base import JsonDict


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants run. `broken` says why its arguments can't be read; then they are empty.

    `signature` is the service's own mark (base64), which it wants back with the call.
    """

    id: str
    tool: str
    arguments: JsonDict
    broken: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool answered to the call with this id."""

    call_id: str
    tool: str
    result: JsonDict


@dataclass(frozen=True, slots=True)
class Message:
    """One part of the conversation: a person's text, a model's text and calls, or tools' answers."""

    role: Literal["user", "model", "tool"]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    answers: tuple[ToolAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: JsonDict


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a model is given. `schema`, where there is one, is that of the whole answer."""

    instruction: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    think: bool = False
    schema: JsonDict | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer as it arrives."""

    kind: Literal["text", "thinking"]
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer: text, or calls, or both; never neither. Tokens as the service counted them, 0 if it did not."""

    text: str = ""
    thinking: str = ""
    calls: tuple[ToolCall, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    signatures: tuple[str, ...] = field(default=())


OFFLINE = "offline"
"""Name of the model that is none: rules, for when no language model is configured."""


class Model(Protocol):
    """Who answers."""

    @property
    def name(self) -> str:
        """The model, as the person knows it."""
        ...

    def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        """Deltas, then exactly one Answer. Raises ModelBusy, ModelDown, Unreachable, UpstreamTimeout or ModelFailed."""
        ...


class ModelBusy(TooMany):
    """The model's service is at its limit; `retry_after` is what it asked for, in seconds."""

    code = "model_busy"

    def __init__(self, retry_after: float | None = None) -> None:
        super().__init__("The model's service is at its limit.", next="Try again in a moment.")
        self.retry_after = retry_after


class ModelDown(Upstream):
    """The model's service failed."""

    code = "model_down"
    retryable = True

    def __init__(self, status: int) -> None:
        super().__init__(
            f"The model's service failed (HTTP {status}).", next="Try again in a moment.", upstream_status=status
        )


class ModelFailed(Upstream):
    """The model answered, but with nothing of use.

    Codes: `model_empty`, `model_refused`, `model_malformed`, `model_cut` (its limit of tokens came first) and
    `model_rejected` (it does not take our request).
    """

    code = "model_malformed"
