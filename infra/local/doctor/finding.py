"""One check, one finding: how it stands, and the command that mends it. What could not be looked at is never ok."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.errors import MemexError

Level = Literal["ok", "warning", "problem", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing stands."""

    level: Level
    what: str
    """What was found; for `unknown`, why nothing could be."""
    mend: str = ""
    """What to run, a command a line; or where no command can do it, what to do."""


def ok(what: str) -> Finding:
    """As it should be."""
    return Finding("ok", what)


def warning(what: str, mend: str = "") -> Finding:
    """It works, and deserves a look."""
    return Finding("warning", what, mend)


def problem(what: str, mend: str) -> Finding:
    """It does not work."""
    return Finding("problem", what, mend)


def unknown(why: str, mend: str = "") -> Finding:
    """It could not be looked at."""
    return Finding("unknown", why, mend)


class Unanswered(Exception):
    """What a check needs to know can't be asked now; its finding is `unknown`."""

    def __init__(self, why: str, mend: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Check:
    """Something that can be looked at."""

    name: str
    look: Callable[[], Finding | Awaitable[Finding]]


@dataclass(frozen=True, slots=True)
class Section:
    """Checks that belong together."""

    title: str
    checks: Sequence[Check]


@dataclass(frozen=True, slots=True)
class Result:
    """What one check found."""

    section: str
    check: str
    finding: Finding


async def examine(sections: Sequence[Section]) -> list[Result]:
    """Look at everything, all at once; the results are in the order of the checks."""

    async def one(section: Section, check: Check) -> Result:
        return Result(section.title, check.name, await _look(check))

    return await asyncio.gather(*(one(section, check) for section in sections for check in section.checks))


async def _look(check: Check) -> Finding:
    try:
        found = check.look()
        return await found if inspect.isawaitable(found) else found
    except Unanswered as error:
        return unknown(error.why, error.mend)
    except MemexError as error:
        return problem(error.message, error.next)
    except Exception as error:
        # One check that stumbles over what nobody foresaw must not keep the others from being shown.
        return unknown(f"the check itself failed ({type(error).__name__})")
