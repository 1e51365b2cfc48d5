"""What the commands print: results on stdout, everything else on stderr, never a control character of a note."""

import json
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Sequence
from datetime import datetime

import click

# Text of notes and reports may come from anywhere; an escape sequence in it would drive the terminal, a mark of
# direction turn a line around, a line separator make two of one, and a tag say what nobody sees.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\U000e0000-\U000e0fff]")
_LABEL = "memex: "


def plain(text: str) -> str:
    """The text without what would steer the terminal."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n"))
    return text.encode("utf-8", "backslashreplace").decode()


def out(text: str = "") -> None:
    """A result."""
    click.echo(plain(text))


def out_json(value: object) -> None:
    """A result for programs; what would steer the terminal is escaped, and a name that is no valid Unicode, too."""
    told = _CONTROL.sub(lambda found: json.dumps(found[0])[1:-1], json.dumps(value, ensure_ascii=False, indent=2))
    click.echo(told.encode("utf-8", "backslashreplace").decode())


def say(text: str = "") -> None:
    """Something for the person who waits."""
    click.echo(plain(text), err=True)


def complain(message: str, next: str = "") -> None:
    """What happened, and below it what to do."""
    click.secho(_LABEL, fg="red", bold=True, nl=False, err=True)
    indent = " " * len(_LABEL)
    say(f"\n{indent}".join(line for part in (message, next) if part for line in plain(part).splitlines()))


def width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((100, 24)).columns


def columns(text: str) -> int:
    """Columns that a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def fit(text: str, limit: int) -> str:
    """The text in one line of at most `limit` columns."""
    text = " ".join(plain(text).split())
    if columns(text) <= limit:
        return text
    while text and columns(text) > limit - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, limit: int, most: int) -> list[str]:
    """At least one and at most `most` lines of `limit` columns, broken between words; what is left out is marked."""
    lines = [""]
    for word in plain(text).split():
        longer = f"{lines[-1]} {word}".lstrip()
        if columns(longer) <= limit:
            lines[-1] = longer
        elif not lines[-1]:
            lines[-1] = fit(word, limit)
        elif len(lines) < most:
            lines.append(fit(word, limit))
        else:
            while lines[-1] and columns(lines[-1]) > limit - 1:
                lines[-1] = lines[-1].rpartition(" ")[0] or fit(lines[-1], limit - 1).rstrip("…")
            lines[-1] = lines[-1].rstrip(" ,;:.") + "…"
            break
    return lines


def rows(text: str, limit: int) -> list[str]:
    """The text in rows of at most `limit` columns, so that no row of a terminal begins with what it chose."""
    found = []
    for line in plain(text).expandtabs(4).split("\n"):
        row, used = "", 0
        for char in line:
            if row and used + columns(char) > limit:
                found.append(row)
                row, used = "", 0
            row, used = row + char, used + columns(char)
        found.append(row)
    return found


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Lines of a table whose last column takes what is left of the terminal."""
    wide = [max(columns(row[at]) for row in (head, *rows)) for at in range(len(head) - 1)]
    left = max(20, width() - sum(wide) - 2 * len(wide))
    lines = []
    for row in (head, *rows):
        cells = [
            " " * (size - columns(cell)) + cell if at in right else cell + " " * (size - columns(cell))
            for at, (cell, size) in enumerate(zip(row, wide, strict=False))
        ]
        lines.append("  ".join([*cells, fit(row[-1], left)]).rstrip())
    return lines


def day(at: str) -> str:
    """The day of a time as the API writes it, where this machine is."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d}"
    except ValueError:
        return "-" * 10


def number(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class Progress:
    """A bar that is redrawn on a terminal, and a line now and then anywhere else."""

    def __init__(self, total: int, verb: str) -> None:
        self.total = total
        self.done = 0
        self._verb = verb
        self._live = sys.stderr.isatty()
        self._began = time.monotonic()
        self._drawn = self._began
        self._told = 0

    def step(self, count: int = 1) -> None:
        """So much more is done."""
        self.done += count
        if self._live:
            self._draw()
        elif (tenth := self.done * 10 // max(self.total, 1)) > self._told and time.monotonic() - self._drawn > 2:
            self._told, self._drawn = tenth, time.monotonic()
            say(f"{self._verb}: {self.done:,} of {self.total:,}")

    def note(self, text: str) -> None:
        """A line of text that stays."""
        self.clear()
        say(text)
        if self._live:
            self._draw(at_once=True)

    def clear(self) -> None:
        """Take the bar away; the next step draws it again."""
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _draw(self, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if not at_once and now - self._drawn < 0.1 and self.done < self.total:
            return
        self._drawn = now
        part = self.done / self.total if self.total else 1.0
        left = (now - self._began) * (1 - part) / part if part > 0.02 else 0.0
        tail = f" {part:4.0%}  {self.done:,} of {self.total:,}" + (f"  {_span(left)} left" if left > 3 else "")
        room = max(10, min(40, width() - len(tail) - len(self._verb) - 4))
        full = int(part * room)
        bar = "█" * full + "░" * (room - full)
        click.echo(f"\r\x1b[K{self._verb} {bar}{tail}", nl=False, err=True)


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def interactive() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()
