"""What a model is told of the conversation so far: the last exchanges word for word, those before in a line each."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.agent.model import Message
from shared.events.trace import Text, TraceEvent, User

SPOKEN = 40
"""Things said that are read when a turn begins; what is older is in the summary."""
SEEDED = 16
"""Of these, how many a model gets word for word, at most."""
SUMMARY = 6000
"""Characters of the summary; the oldest lines go first."""
_LINE = 200


@dataclass(frozen=True, slots=True)
class Window:
    """The seed of a turn: `messages` word for word, `summary` of what came before, up to event `summarised`."""

    messages: tuple[Message, ...]
    summary: str
    summarised: int
    first_seq: int
    """Number of the oldest event that is seeded word for word; 0 where none is."""


def window(spoken: Sequence[TraceEvent], summary: str, summarised: int, characters: int) -> Window:
    """The window over what was said last (oldest first), within `characters`; the rest goes into the summary."""
    said = [event for event in spoken if isinstance(event, User | Text) and event.text.strip()]
    kept: list[User | Text] = []
    left = characters
    for event in reversed(said[-SEEDED:]):
        left -= len(event.text)
        if left < 0 and kept:
            break
        kept.insert(0, event)
    # An answer whose question is no longer there would be read as an answer to nothing.
    while kept and isinstance(kept[0], Text):
        kept.pop(0)
    first = kept[0].seq if kept else 0
    gone = [event for event in said if event.seq > summarised and event.seq < first]
    lines = [*summary.splitlines(), *map(_line, gone)]
    while sum(map(len, lines)) + len(lines) > SUMMARY:
        lines.pop(0)
    return Window(
        messages=tuple(_message(event, characters) for event in kept),
        summary="\n".join(lines),
        summarised=gone[-1].seq if gone else summarised,
        first_seq=first,
    )


def _message(event: User | Text, characters: int) -> Message:
    text = event.text if len(event.text) <= characters else f"{event.text[:characters]} [...]"
    return Message("user" if isinstance(event, User) else "model", text)


def _line(event: User | Text) -> str:
    who = "asked" if isinstance(event, User) else "answered"
    text = " ".join(event.text.split())
    return f"{who}: {text if len(text) <= _LINE else text[: _LINE - 1] + '…'}"
