"""A review or a digest written by a model, and what of it may stay: bullets that cite what was really read."""

import asyncio
import re
from functools import cache
from pathlib import Path

from shared.agent.citing import cited
from shared.agent.model import Answer, Message, Model, ModelFailed, Question
from shared.agent.prompt import as_data
from shared.errors import UpstreamTimeout
from shared.routines.material import Material

SECONDS = 120.0
"""How long the model may take."""
LONGEST = 20_000
"""Characters of an answer that are kept."""
_ASKED = {
    "daily_review": "Write the morning's review: what was captured, which research came in, which tasks are open.",
    "nightly_digest": "Write the evening's digest: what the notes of the day say, grouped by theme.",
}
_NOTE_LINK = re.compile(r"\]\(#/notes/[0-9a-z]{26}\)")


def question(material: Material) -> Question:
    """What the model is asked."""
    return Question(_prompt(), (as_data(material.plain()), Message("user", _ASKED[material.routine])))


async def ask(model: Model, material: Material) -> str:
    """Have it written: with nothing left in it that could not be cited; empty where nothing is left.

    Raises what models raise, and UpstreamTimeout where it takes too long.
    """
    answer: Answer | None = None
    try:
        async with asyncio.timeout(SECONDS):
            async for piece in model.stream(question(material)):
                if isinstance(piece, Answer):
                    answer = piece
    except TimeoutError:
        raise UpstreamTimeout(f"The model took longer than {SECONDS:.0f} seconds.") from None
    if answer is None or not answer.text.strip():
        raise ModelFailed("The model came to no answer.", code="model_empty", next="It is tried again at the next run.")
    return checked(answer.text[:LONGEST], material)


def checked(text: str, material: Material) -> str:
    """The headings and bullets whose citations hold; without a single cited bullet, nothing."""
    kept: list[str] = []
    cites = False
    tasks = {task.title.strip() for task in material.tasks}
    for line in cited(text, material.sources).text.splitlines():
        line = line.rstrip()
        if _NOTE_LINK.search(line) and line.lstrip().startswith("- "):
            cites = True
            kept.append(line)
        elif line.startswith("#") or line.lstrip(" -").strip() in tasks:
            kept.append(line)
    return _laid_out(kept) if cites else ""


def _laid_out(lines: list[str]) -> str:
    """The lines as Markdown, without headings that nothing is left of."""
    parts: list[str] = []
    for at, line in enumerate(lines):
        if not line.startswith("#"):
            parts.append(line)
        elif at + 1 < len(lines) and not lines[at + 1].startswith("#"):
            parts += ["", line, ""]
    return "\n".join(parts).strip()


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "prompt.md").read_text()
