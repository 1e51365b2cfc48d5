"""The tool that asks the person something. It only says what to ask: who runs it waits, and gives the answer."""

from typing import Annotated, Any

from pydantic import Field

from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model
from shared.tools.shapes import plain

NAME = "ask_user"
Choice = Annotated[str, Field(min_length=1, max_length=200)]


class AskUser(Model):
    """A question to the person."""

    question: str = Field(min_length=1, max_length=1_000, pattern=r"\S")
    options: list[Choice] = Field(default=[], max_length=8, description="Answers to choose from, where there are some.")


class Asking(Model):
    """What is asked, and once it is there, what the person said."""

    question: str
    options: list[str]
    answer: str | None = None


async def _ask(_errand: Errand, asked: AskUser) -> Outcome:
    return Outcome(plain(Asking(question=asked.question, options=asked.options)))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        NAME,
        "Ask the person something that only they can know. The work stops until they answer, so ask rarely.",
        AskUser,
        _ask,
        answer=Asking,
    ),
)
