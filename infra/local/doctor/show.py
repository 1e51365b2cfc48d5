"""The findings on the terminal, a line each and below it what to run; or as JSON for programs."""

import os
import textwrap
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import click

from infra.local.command import screen
from infra.local.doctor.finding import Level, Result

LEVELS: tuple[Level, ...] = ("ok", "warning", "problem", "unknown")
_COLOURS: dict[Level, str] = {"ok": "green", "warning": "yellow", "problem": "red", "unknown": "cyan"}
_MARGIN = "  "
_WIDE = max(map(len, LEVELS)) + 2
_MOST = 110
_SHELL = ("gcloud ", "memex ", "make ", "chmod ", "terraform ", ".venv/", "git ", "MEMEX_")


def healthy(results: Sequence[Result]) -> bool:
    """Whether nothing is a problem."""
    return all(result.finding.level != "problem" for result in results)


def as_json(target: str, results: Sequence[Result]) -> dict[str, object]:
    """Everything that was found."""
    counts = Counter(result.finding.level for result in results)
    return {
        "target": target,
        "healthy": healthy(results),
        "counts": {level: counts[level] for level in LEVELS},
        "findings": [
            {
                "section": result.section,
                "check": result.check,
                "level": result.finding.level,
                "what": result.finding.what,
                "mend": result.finding.mend,
            }
            for result in results
        ],
    }


def show(target: str, results: Sequence[Result]) -> None:
    """The report for a person."""
    _print(target)
    said = ""
    column = max((len(result.check) for result in results), default=0) + 2
    for title, group in groupby(results, key=lambda result: result.section):
        _print()
        _print(title, bold=True)
        for result in _merged(list(group)):
            finding = result.finding
            _line(finding.level, result.check, column, finding.what)
            if finding.mend:
                _mend("(the same as above)" if finding.mend == said else finding.mend, column)
                said = finding.mend
    _print()
    _print(summary(results))
    if any("terraform " in result.finding.mend for result in results):
        _print("Terraform shows its plan before it asks; set the TF_VAR_ variables that you deployed with first.")


def summary(results: Sequence[Result]) -> str:
    """How many of each, and what that means."""
    counts = Counter(result.finding.level for result in results)
    told = ", ".join(f"{counts[level]} {_counted(level, counts[level])}" for level in LEVELS if counts[level])
    if counts["problem"]:
        return f"{told}. Run what stands beside the arrows, then `memex doctor` again."
    if counts["unknown"]:
        return f"{told}. No problem was found, but not everything could be looked at."
    if counts["warning"]:
        return f"{told}. Nothing is broken; the arrows say what to look at."
    return f"{told}. Nothing needs mending."


def _counted(level: Level, count: int) -> str:
    return f"{level}s" if level in ("warning", "problem") and count > 1 else level


def _merged(results: list[Result]) -> list[Result]:
    """What is amiss in one and the same way, in one line where the first of it stands."""
    shown: list[Result] = []
    for result in results:
        alike = [other for other in results if other.finding == result.finding]
        if result.finding.level == "ok" or len(alike) == 1:
            shown.append(result)
        elif alike[0] is result:
            shown.append(Result(result.section, ", ".join(other.check for other in alike), result.finding))
    return shown


def _line(level: Level, check: str, column: int, what: str) -> None:
    what = screen.plain(" ".join(what.split()))
    # Several checks in one line need its whole width.
    indent, text = (column, what) if len(check) < column else (0, f"{check}: {what}")
    lines = textwrap.wrap(text, _room(_WIDE + indent), break_long_words=False, break_on_hyphens=False)
    label = click.style(level, fg=_COLOURS[level], bold=level == "problem") + " " * (_WIDE - len(level))
    for at, line in enumerate(lines):
        head = label + (check.ljust(column) if indent else "") if at == 0 else " " * (_WIDE + indent)
        _echo(_MARGIN + head + line)


def _mend(mend: str, column: int) -> None:
    """Commands stay whole, so that they can be copied; prose is wrapped."""
    indent = _MARGIN + " " * (_WIDE + column)
    mend = screen.plain(mend)
    commands = mend.startswith(_SHELL)
    for at, line in enumerate(mend.splitlines() if commands else textwrap.wrap(mend, _room(len(indent)))):
        _echo(indent + (click.style("→ ", dim=True) if at == 0 or commands else "  ") + line)


def _room(taken: int) -> int:
    return max(40, min(screen.width(), _MOST) - taken - len(_MARGIN))


def _print(text: str = "", *, bold: bool = False) -> None:
    plain = screen.plain(text)
    _echo(click.style(plain, bold=True) if bold else plain)


def _echo(text: str) -> None:
    # click leaves colours out where the output is no terminal; https://no-color.org asks for the rest.
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)
