"""What a tool is, and what it is given for one call. Tools hold no rule about who may call them: the gateway does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from shared.doors import Doors
from shared.errors import MemexError
from shared.events.trace import Undo
from shared.models.base import JsonDict, Model
from shared.models.note import Citation
from shared.store import answers

A = TypeVar("A", bound=Model)


@dataclass(frozen=True, slots=True)
class Errand:
    """One call: for whom, through which doors, and the key under which its effect is stored, in the same commit.

    A second run with the same key changes nothing more. `addresses` are those that the person typed or a search
    returned in this conversation; `allowed_hosts` is empty while the outside is closed.
    """

    doors: Doors
    tenant: str
    subject: str
    session_id: str
    run_id: str
    effect: answers.Key
    allowed_hosts: tuple[str, ...] = ()
    addresses: frozenset[str] = frozenset()
    beyond_budget: bool = False
    """The person said yes to this call although it goes beyond the day's budget."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool did: the answer for the model, what a change needs to be undone, and the sources it read."""

    result: JsonDict
    undo: Undo | None = None
    sources: tuple[Citation, ...] = ()
    addresses: tuple[str, ...] = ()
    """Addresses that a search returned; from now on they may be fetched."""


class Quoted(MemexError):
    """A tool failed, and why stands partly in others' words: `message` is ours, `words` reach the model as data."""

    def __init__(self, message: str, *, code: str, next: str, words: JsonDict) -> None:
        super().__init__(message, code=code, next=next)
        self.words = words


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """A tool.

    `outside` says that its answer holds text that others may have written (notes, pages): it reaches the model as
    marked data, and from then on external tools ask. `price` estimates a call in USD before it runs.
    """

    name: str
    description: str
    arguments: type[A]
    run: Callable[[Errand, A], Awaitable[Outcome]]
    seconds: float = 30.0
    outside: bool = False
    price: Callable[[Errand, A], Awaitable[float]] | None = None
    answer: type[Model] | None = None
    """Shape of the result, where it is fixed; checked after the call."""
    schema: JsonDict | None = None
    """JSON Schema of the arguments where it is not the model's (MCP)."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """What an outside server says of the tool: shown to the model as data, never as the description."""
