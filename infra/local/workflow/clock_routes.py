"""Local-only routes that move time: under their own prefix, so that no product code comes to rely on them.

The routes authorise nobody: the host wraps them, with the key.
"""

import math
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from infra.local.workflow.engine import Engine
from infra.local.workflow.errors import InvalidArgument
from infra.local.workflow.rest import answer, read_json
from infra.local.workflow.timestamps import rfc3339

PREFIX = "/local/clock"
MAX_ADVANCE = 366 * 24 * 3600.0


def routes(engine: Engine) -> Sequence[Route]:
    """List the routes."""

    async def advance(request: Request) -> dict[str, Any]:
        seconds = (await read_json(request)).get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not math.isfinite(seconds):
            raise InvalidArgument("seconds must be a number")
        if not 0 <= seconds <= MAX_ADVANCE:
            raise InvalidArgument(f"seconds must be from 0 to {MAX_ADVANCE:.0f}")
        engine.clock.advance(seconds)
        return _moved(seconds)

    async def skip(request: Request) -> dict[str, Any]:
        execution = (await read_json(request)).get("execution")
        if not isinstance(execution, str):
            raise InvalidArgument("execution must be an execution's id or name")
        return _moved(engine.skip_sleep(execution.rpartition("/")[2]))

    def _moved(seconds: float) -> dict[str, Any]:
        return {"now": rfc3339(engine.clock.now()), "advancedSeconds": seconds}

    return [
        Route(f"{PREFIX}/advance", answer(advance), methods=["POST"]),
        Route(f"{PREFIX}/skip", answer(skip), methods=["POST"]),
    ]
