"""The links of a Markdown text, whatever their form: inline, by reference, with images and brackets in their words.

It finds them and nothing else; code is left alone. What may be shown as a link is decided by whoever knows.
"""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

_SPECIAL = re.compile(r"[\\`\[!]")
_BRACKET = re.compile(r"\\.|`[^`\n]{1,500}`|[\[\]]|\n[ \t]*\n", re.DOTALL)
_TITLE = r"(?:\"(?:[^\"\\]|\\.){0,500}\"|'(?:[^'\\]|\\.){0,500}'|\((?:[^()\\]|\\.){0,500}\))"
# Every repetition is bounded, and no two branches begin alike: the text is a model's.
_TARGET = re.compile(
    r"\(\s{0,20}(?P<url><[^<>\n]{0,2000}>|"
    r"(?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]{0,200}\)){0,500}\)){0,2000})"
    rf"(?:\s{{1,20}}{_TITLE})?\s{{0,20}}\)",
    re.DOTALL,
)
_DEFINITION = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|`[^`\n]{1,500}`)"
    r"|^[ \t>*+\-\d.)]{0,20}\[(?!\^)(?P<label>(?:[^\[\]\\]|\\.){1,300})\]:[ \t]{0,20}(?:\n[ \t>]{0,20})?"
    r"(?P<url><[^<>\n]{0,2000}>|[^\s<]\S{0,2000})"
    rf"(?:[ \t]{{0,20}}(?:\n[ \t>]{{0,20}})?(?<=\s){_TITLE})?[ \t]{{0,20}}$\n?",
    re.DOTALL | re.MULTILINE,
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_PORTS = {"http": ":80", "https": ":443"}
_WORDS, _WAITS = 500, 2_000
"""Characters that a link's words may have, and those for which the end of one is waited."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written: `[words]` or `![words]`, what follows the brackets, and where it leads."""

    words: str
    tail: str
    url: str
    image: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as words and links. `rest` may become a link with what follows; `fence` opened the code that goes on.

    To read on, both are put before what follows.
    """

    parts: list[str | Link]
    rest: str = ""
    fence: str = ""


def meant(url: str) -> str:
    """An address in one spelling, so that two that a browser takes for the same place are the same."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.lower().removesuffix(_PORTS.get(parts.scheme, "\0"))
    except ValueError:
        return url
    if parts.scheme not in _PORTS:
        return url
    whole = parts._replace(netloc=host, path=parts.path or "/").geturl()
    return quote(whole, safe="%!#$&'()*+,/:;=?@[]~")


def without_definitions(text: str, may: Callable[[str], bool]) -> tuple[str, dict[str, str]]:
    """The text without the definitions of links that may not be drawn, and where each label leads."""
    defined: dict[str, str] = {}

    def define(found: re.Match[str]) -> str:
        if found["code"] is not None:
            return found[0]
        url = _unescaped(found["url"])
        # Of two with one label, the first counts.
        defined.setdefault(_label(found["label"]), url)
        return found[0] if may(url) else ""

    return _DEFINITION.sub(define, text), defined


def parsed(text: str, defined: Mapping[str, str] | None = None, *, growing: bool = False) -> Parsed:
    """Read a text; of one that grows, up to what may still become a link."""
    parts: list[str | Link] = []
    pairs = _pairs(text)
    done = at = 0
    while found := _SPECIAL.search(text, at):
        here = found.start()
        if found[0] == "\\":
            end = here + 2 if here + 1 < len(text) or growing else here + 1
        elif found[0] == "`":
            run = len(text) - here - len(text[here:].lstrip("`"))
            closed = _closed(text, here, run)
            if growing and run >= 3 and closed in (0, len(text)) and here + run < len(text):
                # Code goes on for long: what is there of it is shown, line by line.
                line = max(text.rfind("\n") + 1, here + run)
                fence = text[here : here + run] + ("\n" if line > here + run else "")
                return Parsed([*parts, text[done:line]], text[line:], fence)
            end = closed or (len(text) if run >= 3 else here + run)
            if growing and (here + run == len(text) or closed == len(text) or (not closed and _short(text, here))):
                end = len(text) + 1
        else:
            image = found[0] == "!"
            link, end = _link(text, here + image, pairs, defined or {}, image, growing=growing)
            if link:
                parts += [text[done:here], link]
                done = end
        if growing and end > len(text):
            return Parsed([*parts, text[done:here]], text[here:])
        at = end
    return Parsed([*parts, text[done:]])


def _link(
    text: str, here: int, pairs: Mapping[int, int], defined: Mapping[str, str], image: bool, *, growing: bool
) -> tuple[Link | None, int]:
    """The link whose brackets open here, and where it ends; beyond the text where that is yet to be seen."""
    beyond = len(text) + 1
    if here >= len(text):
        return None, beyond if growing else here
    if text[here] != "[":
        return None, here
    close = pairs.get(here)
    if close is None:
        return None, beyond if growing and _short(text, here) else here + 1
    after, words = close + 1, text[here + 1 : close]
    if len(words) > _WORDS:
        return None, here + 1
    if after == len(text) and growing:
        return None, beyond
    if target := _TARGET.match(text, after):
        return Link(words, target[0], _unescaped(target["url"]), image), target.end()
    if growing:
        waits = text.startswith("(", after) and "\n\n" not in text[after:] and len(text) - after < _WAITS
        return None, beyond if waits else here + 1
    label, end = words, after
    if (other := pairs.get(after)) is not None:
        label, end = text[after + 1 : other] or words, other + 1
    url = defined.get(_label(label))
    # A definition that was kept is none of the links that it serves.
    if url is None or text.startswith(":", end):
        return None, here + 1
    return Link(words, text[after:end], url, image), end


def _pairs(text: str) -> dict[int, int]:
    """Each opening bracket's closing one; a paragraph's end leaves those that are open unpaired."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in _BRACKET.finditer(text):
        if found[0] == "[":
            opened.append(found.start())
        elif found[0] == "]":
            if opened:
                pairs[opened.pop()] = found.start()
        elif found[0][0] == "\n":
            opened.clear()
    return pairs


def _closed(text: str, here: int, run: int) -> int:
    """Where the code that opens here ends, or zero."""
    end = len(text)
    if run < 3 and (paragraph := text.find("\n\n", here)) >= 0:
        end = paragraph
    found = re.compile(rf"(?<!`)`{{{run}}}(?!`)").search(text, here + run, end)
    return found.end() if found else 0


def _short(text: str, here: int) -> bool:
    """Whether what begins here may still end as a link or as code."""
    return len(text) - here <= _WORDS and "\n\n" not in text[here:]


def _label(words: str) -> str:
    return " ".join(words.casefold().split())


def _unescaped(url: str) -> str:
    inside = url[1:-1] if url.startswith("<") else url
    return html.unescape(_ESCAPED.sub(r"\1", inside))
