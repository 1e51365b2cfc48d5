"""A source of a report: something that was read, a note or a page."""

from dataclasses import dataclass

LONGEST = 100_000
"""Characters that are read of one source, and of a question."""
LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class Source:
    """What a report may quote; `url` is a page's address or `#/notes/<id>`, and ends no link before its time."""

    title: str
    url: str
    text: str


def source(title: str, url: str, text: str) -> Source:
    """As much of it as is read, its title on one line."""
    return Source(" ".join(title[:LONGEST_TITLE].split()), url, text[:LONGEST])
