"""`memex serve` with a model that answers at once: a call of one tool, then words."""

from collections.abc import AsyncIterator

from infra.local.command.serve import serve
from infra.local.services import LocalServices
from shared.agent.model import Answer, Delta, Model, Question, ToolCall

PIECES = ("It is late, ", "and the pears are ripe.")


class Scripted:
    name = "scripted"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        if question.messages[-1].role == "tool":
            for piece in PIECES:
                yield Delta("text", piece)
            yield Answer("".join(PIECES))
        else:
            yield Answer(calls=(ToolCall("call", "current_time", {}),))


def model(self: LocalServices, name: str) -> Model:
    return Scripted()


if __name__ == "__main__":
    LocalServices.model = model  # type: ignore[method-assign]  # all else as it is served to people
    serve()
