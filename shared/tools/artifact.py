"""The tool that lays something out for the person: a table, a timeline, a list, a comparison. It stores nothing.

What it answers is on the run's record, and becomes part of the run's result.
"""

from typing import Any

from shared.errors import Unprocessable
from shared.gateway.size import size
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.artifact import Artifact
from shared.models.base import Model
from shared.tools.shapes import plain

MAX_BYTES = 8_000
"""Bytes of one artifact; a result holds several."""
NAME = "generate_artifact"


class GenerateArtifact(Model):
    """What to show."""

    artifact: Artifact


class Shown(Model):
    """The artifact as it is kept."""

    artifact: Artifact
    message: str = "It is part of the result. Don't repeat it in words."


async def _generate(_errand: Errand, asked: GenerateArtifact) -> Outcome:
    shown = plain(Shown(artifact=asked.artifact))
    if size(shown) > MAX_BYTES:
        raise Unprocessable(
            f"artifact: it has more than {MAX_BYTES} bytes",
            code="artifact_too_large",
            next="Leave out what matters least, or make two of it.",
        )
    return Outcome(shown)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        NAME,
        "Show something as a table, timeline, list or comparison in the result. Plain words only, no markup.",
        GenerateArtifact,
        _generate,
        answer=Shown,
    ),
)
