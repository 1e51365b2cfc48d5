"""Research in what the user has: it reads notes and named pages, and has a report written of their own sentences."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from shared.errors import MemexError
from shared.models.base import JsonDict
from shared.net.page import Page
from shared.research.extract.source import LONGEST, Source, source
from shared.research.interaction import Part


@dataclass(frozen=True, slots=True)
class Passage:
    """A note, or a part of one, that may answer."""

    note_id: str
    title: str
    text: str


Retrieve = Callable[[Mapping[str, str], str, int], Awaitable[Sequence[Passage]]]
"""(labels of the request, question, limit) -> passages of that tenant's notes, best first."""
ReadPage = Callable[[str], Awaitable[Page]]

NOTES = 12

# A note is text from outside: no pattern here may cost more than the text is long.
_HOST = re.compile(r"https?://([\w.-]{1,253}+)(?=[:/?#]|$)", re.I)


@dataclass(slots=True)
class Finding:
    """What research came to: parts of the report, and what was done on the way."""

    title: str
    question: str
    queries: list[str]
    read: list[str] = field(default_factory=list)
    """Titles of what was read."""
    pages: list[JsonDict] = field(default_factory=list)
    """Pages that were tried: url, status, and the reason where one could not be read."""
    unread: list[str] = field(default_factory=list)
    """What to tell of pages that the question names and that were not read; no sentences, which would need a source."""
    topics: list[str] = field(default_factory=list)
    parts: list[JsonDict] = field(default_factory=list)
    """Text parts of the report, as content on the wire; none where nothing was found."""


async def research(
    text: str, labels: Mapping[str, str], retrieve: Retrieve, read_page: ReadPage | None = None
) -> Finding:
    """Answer the note `text` from the other notes of its owner, and from the pages that it names."""
    # Reading long notes takes a while, and others live on this event loop.
    finding, urls = await asyncio.to_thread(_asked, text[:LONGEST])
    own = labels.get("note", "")
    passages = await retrieve(labels, finding.queries[0], NOTES + 1)
    sources = [source(one.title, f"#/notes/{one.note_id}", one.text) for one in passages if one.note_id != own][:NOTES]
    if read_page is not None:
        sources += await _pages(urls, read_page, finding)
    elif urls:
        finding.unread.append(_switched_off(urls))
    finding.read = [one.title for one in sources]
    await asyncio.to_thread(_write, finding, sources)
    return finding


# The writer is loaded by the first question: whoever asks none does without it.


def _asked(text: str) -> tuple[Finding, list[str]]:
    """What to look for, and the pages to read."""
    from shared.research.extract.asked import addresses, focus, subject
    from shared.research.extract.unread import NAMED

    title, question = focus(text)
    return Finding(title=title, question=question, queries=[subject(question)]), addresses(text)[:NAMED]


async def _pages(urls: Sequence[str], read_page: ReadPage, finding: Finding) -> list[Source]:
    from shared.research.extract import inert, unread

    found: list[Source] = []
    for url in urls[: unread.PAGES]:
        try:
            page = await read_page(url)
        except MemexError as error:
            finding.pages.append({"url": url, "status": "error", "reason": error.message})
            # The address may lead on to another host: the error names the one that counts.
            closed = error.code == "egress_blocked"
            remedy = "add it to `MEMEX_ALLOWED_HOSTS` and start Memex again" if closed else ""
            finding.unread.append(unread.failed(url, error.message, remedy))
            continue
        finding.pages.append({"url": url, "status": "success"})
        found.append(source(page.title, inert.address(page.url), page.text))
    if rest := urls[unread.PAGES :]:
        finding.unread.append(unread.beyond(rest))
    return found


def _switched_off(urls: Sequence[str]) -> str:
    from shared.research.extract.unread import switched_off

    hosts = dict.fromkeys(host[1].lower() for url in urls if (host := _HOST.match(url)))
    named = f" and `MEMEX_ALLOWED_HOSTS={','.join(hosts)}`" if hosts else " and name the hosts in `MEMEX_ALLOWED_HOSTS`"
    return switched_off(urls, f"set `MEMEX_EGRESS_ENABLED=true`{named}, then start Memex again")


def _write(finding: Finding, sources: Sequence[Source]) -> None:
    from shared.research.extract.asked import Asked
    from shared.research.extract.report import write

    report = write(Asked(finding.title, finding.question), sources, finding.unread)
    finding.topics, finding.parts = report.topics, [_on_the_wire(part) for part in report.parts]


def _on_the_wire(part: Part) -> JsonDict:
    return {
        "type": part.type,
        "text": part.text,
        "annotations": [
            {
                "type": "url_citation",
                "url": one.url,
                "title": one.title,
                "start_index": one.start,
                "end_index": one.end,
                "quote": one.quote,
            }
            for one in part.annotations
        ],
    }
