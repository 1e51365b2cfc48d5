"""The YAML block at the top of a file: where it ends, and the title and tags it gives. It changes nothing."""

import re
from dataclasses import dataclass

import yaml

from infra.local.command.vault.text import BOM

_OPEN = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
LONGEST = 200_000
"""Characters of a block that are read at all; what is longer is a text between two rules."""
_SEPARATORS = re.compile(r"[,\s]+")
Value = str | list["Value"] | dict[str, "Value"]
Fields = dict[str, Value]


class Malformed(ValueError):
    """There is a block, and it can't be read as YAML with names and values."""


@dataclass(frozen=True, slots=True)
class Split:
    """A text in its pieces: `opening + inside + closing + body` is the text."""

    opening: str
    """A byte order mark and the first fence line, as far as there."""
    inside: str
    closing: str
    body: str
    fields: Fields | None
    """What the block says; None where there is no block."""

    @property
    def head(self) -> str:
        """Everything before the body, verbatim."""
        return self.opening + self.inside + self.closing


def split(text: str) -> Split:
    """The pieces of a text; Malformed where it has a block that can't be read."""
    start = len(BOM) if text.startswith(BOM) else 0
    if not (opened := _OPEN.match(text, start)) or not (closed := _CLOSE.search(text, opened.end())):
        return whole(text)
    inside = text[opened.end() : closed.start()]
    return Split(text[: opened.end()], inside, closed[0], text[closed.end() :], parse(inside))


def whole(text: str) -> Split:
    """A text without a block."""
    start = len(BOM) if text.startswith(BOM) else 0
    return Split(text[:start], "", "", text[start:], None)


def parse(inside: str) -> Fields:
    """The block's names and values, every scalar as the text that stands there."""
    if len(inside) > LONGEST:
        raise Malformed(f"it has more than {LONGEST:,} characters")
    try:
        # The base loader guesses no types: a title 2024-01-01 and a tag `yes` stay what they are.
        found = yaml.load(inside, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise Malformed(_reason(error)) from None
    except (RecursionError, ValueError, TypeError):
        raise Malformed("it is nested too deeply or names something impossible") from None
    if found is None or found == "":
        return {}
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise Malformed("it does not consist of names and values")
    return found


def _reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem:
        where = f"line {error.problem_mark.line + 2}: " if error.problem_mark else ""
        return f"{where}{error.problem}"
    return "a character in it is not allowed in YAML"


def key_of(fields: Fields, *names: str) -> str | None:
    """The key as it is spelled in the block."""
    return next((key for name in names for key in fields if key.strip().casefold() == name), None)


def title(fields: Fields) -> str:
    """The title, in one line; empty where the block gives none."""
    key = key_of(fields, "title")
    value = fields[key] if key else ""
    return " ".join(value.split()) if isinstance(value, str) else ""


def tag_keys(fields: Fields) -> list[str]:
    """The keys that hold tags."""
    return [key for name in ("tags", "tag") if (key := key_of(fields, name)) and isinstance(fields[key], str | list)]


def tags(fields: Fields) -> list[str]:
    """The tags as spelled: list items, or the pieces of a text at commas and spaces."""
    return [tag for key in tag_keys(fields) for tag in spelled(fields[key])]


def spelled(value: Value) -> list[str]:
    """The tags in one value."""
    if isinstance(value, str):
        return [part for part in _SEPARATORS.split(value) if part]
    found: list[str] = []
    for item in value if isinstance(value, list) else []:
        if isinstance(item, str):
            found += [part for piece in item.split(",") if (part := piece.strip())]
        elif isinstance(item, list):
            found += spelled(item)
    return found
