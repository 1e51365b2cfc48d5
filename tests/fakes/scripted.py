"""A model that says what the test wrote, and remembers what it was asked."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.models.base import JsonDict

Step = Answer | Exception | Callable[[Question], Awaitable[Answer]]


@dataclass
class ScriptedModel:
    """One step for each question, in order; a step may also look at the question."""

    steps: list[Step] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    name: str = "scripted"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        self.questions.append(question)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        answer = step if isinstance(step, Answer) else await step(question)
        for kind, text in (("thinking", answer.thinking), ("text", answer.text)):
            middle = len(text) // 2
            for piece in filter(None, (text[:middle], text[middle:])):
                yield Delta(kind, piece)  # type: ignore[arg-type]
        yield answer


def calls(*wanted: tuple[str, JsonDict], text: str = "") -> Answer:
    """An answer that calls tools."""
    made = tuple(ToolCall(f"x{n}", tool, arguments) for n, (tool, arguments) in enumerate(wanted))
    return Answer(text=text, calls=made, tokens_in=10, tokens_out=5)


def says(text: str, thinking: str = "") -> Answer:
    """An answer in words."""
    return Answer(text=text, thinking=thinking, tokens_in=10, tokens_out=5)
