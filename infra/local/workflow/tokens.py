"""The words of an expression. It knows no grammar."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "string", "name", "operator", "end"]


class ExpressionError(Exception):
    """An expression that can't be read."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, and where it begins."""

    kind: Kind
    text: str
    at: int


_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<operator>//|==|!=|<=|>=|[-+*/%<>()\[\].,])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", '"': '"', "'": "'", "/": "/"}


def tokenize(text: str) -> list[Token]:
    """Cut an expression into its words; the last one is of kind `end`."""
    tokens: list[Token] = []
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(_complaint(text[position:].lstrip()))
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # the groups are named after the kinds
        tokens.append(Token(kind, match[kind], match.start(kind)))
        position = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens


def unquote(text: str) -> str:
    """Read a string literal; halves of a character become one, or the replacement character."""
    plain = _ESCAPE.sub(_unescape, text[1:-1])
    return plain if plain.isascii() else plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    if code not in _ESCAPES:
        raise ExpressionError(f"unknown escape \\{code}")
    return _ESCAPES[code]


def _complaint(rest: str) -> str:
    if rest[0] in "\"'":
        return f"the string that begins with {rest[:12]} never ends"
    if rest[0] in "{}":
        return "map literals are not allowed in expressions"
    return f"unexpected {rest[0]!r}"
