"""The heading with which a text begins. One that comes later names a part of the text, so it is none."""

import re

from shared.enrichment.text import inline

_HEADING = re.compile(r" {0,3}#(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
# What begins so is a list, a quote, a fence, a table or code, and no heading whatever the next line is.
_NO_HEADING = re.compile(r"[ ]{4}|\t|\s*(?:[-*+>|#`~=]|\d{1,9}[.)]\s|<)")
LONGEST = 2_000
"""Characters of a line that is looked at."""


def first_heading(body: str) -> str:
    """The words of the first-level heading that is a text's first content, without their marks; empty otherwise."""
    # `splitlines` would take other characters for the end of a line than Markdown does.
    lines = (line.rstrip("\r")[:LONGEST] for line in body.split("\n"))
    first = next((line for line in lines if line.strip()), "")
    if heading := _HEADING.fullmatch(first):
        return _plain(heading["text"] or "")
    if first and not _NO_HEADING.match(first) and _UNDERLINE.fullmatch(next(lines, "")):
        return _plain(first)
    return ""


def _plain(text: str) -> str:
    return " ".join(inline(text)[0].split())
