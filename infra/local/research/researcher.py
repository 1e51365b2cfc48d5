"""Research in what the user has: reads notes and named pages, and writes a report of their own sentences, each cited.

It never writes a word that is not in a source, apart from fixed headings and labels; where nothing answers, it says so.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from infra.local.research import inert
from infra.local.research.prose import Sentence, clean, length
from infra.local.research.rank import Question, Section, Source, alike, content_words, sections, subject
from shared.errors import MemexError
from shared.models.base import JsonDict
from shared.net.page import Page
from shared.search import words


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
LONGEST = 100_000
"""Characters that are read of one source."""
PAGES = 3
"""Pages that are read for one question."""
NAMED = 10
"""Pages of a question of which a report tells."""
MIN_COVERAGE = 0.5
"""A section that touches less of the question than this answers another one."""
MAX_SECTIONS = 7
MAX_SENTENCES = 5
MAX_ITEMS = 8
MAX_PICKED = 24
"""Sentences and items of one section."""
INTRO_SENTENCES = 3
LONGEST_TITLE = 300

# What is read was written by others, and a regular expression at work stops every thread: no pattern here may cost
# more than the text is long.
_URL = re.compile(r"https?://[^\s<>\"')\]]++")
_ENDED = re.compile(r"[.!?]++(?:\s++|$)")
_HOST = re.compile(r"https?://([\w.-]{1,253}+)(?=[:/?#]|$)", re.I)
_TAG = re.compile(r"(?<!\S)#[\w/-]++")
_LINE_MARKS = re.compile(r"[#>\-*\s]*+")
_PHRASE = re.compile(r"[^.!?]*+[.!?]?")
_LONGEST_LINE = 5_000


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
    sources = [_source(one.title, f"#/notes/{one.note_id}", one.text) for one in passages if one.note_id != own][:NOTES]
    if read_page is not None:
        sources += await _pages(urls, read_page, finding)
    elif urls:
        finding.unread.append(_switched_off(urls))
    finding.read = [source.title for source in sources]
    await asyncio.to_thread(_write, finding, sources)
    return finding


def _asked(text: str) -> tuple[Finding, list[str]]:
    """What to look for, and the pages to read."""
    title, question = focus(text)
    urls = dict.fromkeys(match.rstrip(".,;:!?") for match in _URL.findall(text))
    return Finding(title=title, question=question, queries=[subject(question)]), list(urls)[:NAMED]


def _source(title: str, url: str, text: str) -> Source:
    return Source(" ".join(title[:LONGEST_TITLE].split()), url, text[:LONGEST])


def focus(text: str) -> tuple[str, str]:
    """What a note asks: a title for the answer, and the words to look for (its questions and its first line)."""
    bare = _TAG.sub("", _URL.sub("", text))
    lines = [_LINE_MARKS.sub("", line[:_LONGEST_LINE], count=1).strip() for line in bare.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return "", ""
    phrases = (one.strip() for line in lines for one in _PHRASE.findall(line))
    asked = list(islice((one for one in phrases if one.endswith("?")), 3))
    first = re.split(r"(?<=[.!?])\s", lines[0], maxsplit=1)[0][:300]
    if not asked:
        return first, first
    return asked[0][:300], " ".join(dict.fromkeys((first if len(first) <= 80 else "", *asked)))[:500].strip()


async def _pages(urls: Sequence[str], read_page: ReadPage, finding: Finding) -> list[Source]:
    found: list[Source] = []
    for url in urls[:PAGES]:
        try:
            page = await read_page(url)
        except MemexError as error:
            finding.pages.append({"url": url, "status": "error", "reason": error.message})
            why = inert.sentence(_ENDED.sub("; ", error.message).rstrip("; "))
            # The address may lead on to another host: the error names the one that counts.
            if error.code == "egress_blocked":
                why += "; add it to `MEMEX_ALLOWED_HOSTS` and start Memex again"
            finding.unread.append(f"Could not be read: {inert.sentence(url)} – {why}")
            continue
        finding.pages.append({"url": url, "status": "success"})
        found.append(_source(page.title, inert.address(page.url), page.text))
    if rest := urls[PAGES:]:
        finding.unread.append(
            f"Not read: {', '.join(map(inert.sentence, rest))} – at most {PAGES} pages are read for one question;"
            " ask about these in another note"
        )
    return found


def _switched_off(urls: Sequence[str]) -> str:
    hosts = dict.fromkeys(host[1].lower() for url in urls if (host := _HOST.match(url)))
    named = f" and `MEMEX_ALLOWED_HOSTS={','.join(hosts)}`" if hosts else " and name the hosts in `MEMEX_ALLOWED_HOSTS`"
    return (
        f"Not read: {', '.join(map(inert.sentence, urls))} – reading pages is switched off, so nothing here comes from"
        f" there; set `MEMEX_EGRESS_ENABLED=true`{named}, then start Memex again"
    )


# -- choosing --------------------------------------------------------------------------------------------------


def _chosen(question: Question, ranked: list[Section]) -> list[Section]:
    """The best sections, not too many of one source, so that the report has more than one voice."""
    chosen: list[Section] = []
    rest = [section for section in ranked if section.coverage >= MIN_COVERAGE]
    while rest and len(chosen) < MAX_SECTIONS:
        best = max(rest, key=lambda section: section.score * 0.85 ** _of(section.source, chosen))
        if chosen and best.score < 0.55 * chosen[0].score:
            break
        if _of(best.source, chosen) < (4 if question.coverage(question.bag(best.source.title)) > 0.99 else 2):
            rest.remove(best)
            chosen.append(best)
        else:
            rest = [section for section in rest if section.source.url != best.source.url]
    return chosen


def _of(source: Source, chosen: list[Section]) -> int:
    return sum(section.source.url == source.url for section in chosen)


_DANGLING = re.compile(
    r"\b(?:below|above|shown here|this page|this section|this article|this guide|read this|screenshot|see also)\b"
    r"|^(?:here's|here is|here are|see|refer to|for more|learn more|or|for example,?:?$)\b",
    re.I,
)
_LEANING = re.compile(
    r"^(?:(?:while |if |when |as )?(?:this|these|those|it|its|they|their)|however|but|and|or|additionally|also|then"
    r"|instead|otherwise|yes|no|for example|in (?:this|that) case|to avoid this|similarly|likewise|therefore|thus)\b",
    re.I,
)
"""How a sentence begins that means nothing without the one before it."""


def _stands(sentence: Sentence, following: Sentence | None) -> bool:
    """Whether the sentence says something without what stood around it."""
    if sentence.lead:
        return following is not None and bool(following.marker)
    if not sentence.marker and (sentence.text.endswith(("?", "？")) or length(sentence.text) < 4):
        return False
    return not _DANGLING.search(sentence.text)


def _picked(question: Question, section: Section, taken: list[str]) -> list[Sentence]:
    """The section's best sentences in their own order; a list comes with the sentence that announces it."""
    group = section.sentences
    usable = {
        at
        for at, one in enumerate(group)
        if _stands(one, group[at + 1] if at + 1 < len(group) else None)
        and not any(alike(one.text, other) for other in taken)
    }
    about = section.named > 0.99
    lists = _lists(group)
    wanted = [at for at in usable if about or _touches(question, group[at])]
    picked: set[int] = set()
    prose = 0
    for at in sorted(wanted, key=lambda at: (-_sentence_score(question, group, at), at)):
        if prose >= MAX_SENTENCES or len(picked) >= MAX_PICKED:
            break
        if at not in picked:
            marked = group[at].marker or group[at].lead
            more = _list_of(question, group, at, lists, usable, about) if marked else {at}
            prose += sum(not group[one].marker for one in more - picked)
            picked |= more
    kept: list[int] = []
    for at in sorted(picked):
        # The one before may stand in the introduction already: then it was read.
        before = at - 1 in kept or (at > 0 and group[at - 1].text in taken)
        orphan = group[at].marker and at - 1 in picked and not before
        if not orphan and (group[at].marker or before or not _LEANING.match(group[at].text)):
            kept.append(at)
    return [group[at] for at in kept]


def _lists(group: Sequence[Sentence]) -> dict[int, dict[int, list[int]]]:
    """The lists in a section: block -> item -> where its sentences stand."""
    found: dict[int, dict[int, list[int]]] = {}
    for at, one in enumerate(group):
        if one.marker:
            found.setdefault(one.block, {}).setdefault(one.item, []).append(at)
    return found


def _touches(question: Question, sentence: Sentence) -> bool:
    """Whether it speaks of the question by itself; a whole list has to do so more plainly."""
    coverage = question.coverage(question.bag(sentence.text))
    return coverage > 0.5 if sentence.lead or sentence.marker else coverage > 0.3


def _list_of(
    question: Question,
    group: Sequence[Sentence],
    at: int,
    lists: dict[int, dict[int, list[int]]],
    usable: set[int],
    about: bool,
) -> set[int]:
    """The list that a lead or an item belongs to, from its lead on; without a lead, the item alone."""
    items = lists[group[at].block if group[at].marker else group[at + 1].block]
    first = next(iter(items.values()))[0]
    if first - 1 not in usable or not group[first - 1].lead:
        enough = 0.0 if about else 0.6
        item = usable.intersection(items[group[at].item]) if group[at].marker else set[int]()
        return item if question.coverage(question.bag(group[at].text)) > enough else set()
    shown = [one for item in islice(items.values(), MAX_ITEMS) for one in item]
    return {first - 1} | usable.intersection(shown)


def _sentence_score(question: Question, group: Sequence[Sentence], at: int) -> float:
    own = question.bag(group[at].text)
    return question.score({stem: float(times) for stem, times in own.items()}) + 0.15 / (1 + at)


def _intro(question: Question, chosen: list[Section]) -> list[tuple[Section, Sentence]]:
    """The sentences that answer best, from the first sections, to stand at the top; items where no prose answers."""
    return _opening(question, chosen, items=False) or _opening(question, chosen, items=True)


def _opening(question: Question, chosen: list[Section], *, items: bool) -> list[tuple[Section, Sentence]]:
    scored: list[tuple[float, int, int]] = []
    for rank, section in enumerate(chosen[:4]):
        title = question.coverage(question.bag(section.source.title))
        for at, one in enumerate(section.sentences):
            if bool(one.marker) != items or one.lead or not _stands(one, None) or _LEANING.match(one.text):
                continue
            if items and question.coverage(question.bag(one.text)) < MIN_COVERAGE:
                continue
            if (3 if items else 5) <= length(one.text) <= 45 and question.bag(one.text):
                opening = 0.5 * title if at == 0 and not section.headings else 0.0
                scored.append((_sentence_score(question, section.sentences, at) * section.score + opening, rank, at))
    found: list[tuple[int, int]] = []
    for _, rank, at in sorted(scored, key=lambda item: (-item[0], item[1], item[2])):
        text = chosen[rank].sentences[at].text
        if len(found) < INTRO_SENTENCES and not any(alike(text, chosen[r].sentences[a].text) for r, a in found):
            found.append((rank, at))
    return [(chosen[rank], chosen[rank].sentences[at]) for rank, at in sorted(found)]


# -- writing ---------------------------------------------------------------------------------------------------


class _Writer:
    """Text with its citations; sources are numbered as they are first cited.

    Whatever notes and pages say comes into the report here, and only as `inert` gives it.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sources: list[Source] = []
        self.text = ""
        self.annotations: list[JsonDict] = []

    def heading(self, level: int, text: str) -> None:
        self.text += f"{'#' * level} {inert.heading(text)}\n\n"

    def cite(self, source: Source, sentence: Sentence) -> None:
        number = self.numbers.get(source.url)
        if number is None:
            number = self.numbers[source.url] = len(self.numbers) + 1
            self.sources.append(source)
        start = len(self.text.encode())
        self.text += inert.sentence(sentence.text)
        self.annotations.append(
            {
                "type": "url_citation",
                "url": source.url,
                "title": source.title,
                "start_index": start,
                "end_index": len(self.text.encode()),
                "quote": sentence.quote,
            }
        )
        self.text += f" [cite: {number}]"

    def remark(self, what: str, text: str) -> None:
        self.text += f"{what}: {inert.sentence(text)}\n\n"

    def list_sources(self) -> None:
        self.text += "**Sources:**\n"
        for number, source in enumerate(self.sources, start=1):
            self.text += f"{number}. [{inert.label(source.title) or source.url}]({source.url})\n"

    def part(self) -> JsonDict:
        """What was written since the last part."""
        made: JsonDict = {"type": "text", "text": self.text, "annotations": [*self.annotations]}
        self.text, self.annotations = "", []
        return made


def _write(finding: Finding, sources: Sequence[Source]) -> None:
    question = Question(finding.question, sources)
    chosen = _chosen(question, sections(question, sources))
    intro = _intro(question, chosen)
    if not intro:
        return
    writer = _Writer()
    title = finding.title.rstrip("?. ").strip()
    writer.heading(1, f"{title[:1].upper()}{title[1:]}")
    for section, sentence in intro:
        writer.cite(section.source, sentence)
        writer.text += " "
    writer.text = writer.text.rstrip() + "\n\n"
    # Before the topics: who asks about a page must know first that it did not answer.
    writer.text += "".join(f"{told}\n\n" for told in finding.unread)
    finding.parts.append(writer.part())
    _topics(writer, finding, question, chosen, [sentence.text for _, sentence in intro])
    missing = [stem for stem in question.stems if stem not in question.seen]
    if asked := [word for word in content_words(subject(finding.question)) if _unseen(word, missing)]:
        writer.remark("Not found in any source", ", ".join(asked))
    writer.list_sources()
    finding.parts.append(writer.part())


def _unseen(word: str, missing: list[str]) -> bool:
    return any(stem in missing for stem in words(word))


def _topics(writer: _Writer, finding: Finding, question: Question, chosen: list[Section], taken: list[str]) -> None:
    by_source: dict[str, list[Section]] = {}
    for section in chosen:
        by_source.setdefault(section.source.url, []).append(section)
    for group in by_source.values():
        source = group[0].source
        written = [(section, _picked(question, section, taken)) for section in group]
        written = [(section, picked) for section, picked in written if picked]
        if not written:
            continue
        finding.topics.append(source.title)
        writer.heading(2, source.title)
        # As in the source: a general part before the particular ones.
        for section, picked in sorted(written, key=lambda item: item[1][0].block):
            if section.headings and not _same(section.headings[-1], source.title):
                writer.heading(3, section.headings[-1])
            _paragraphs(writer, source, picked)
            taken += [sentence.text for sentence in picked]
        finding.parts.append(writer.part())


def _same(heading: str, title: str) -> bool:
    """Whether a heading only says the note's title again; a title made of a long first line is its beginning."""
    said, named = (re.sub(r"[\W_]+", " ", clean(text)).strip().casefold() for text in (heading, title))
    return said == named or (len(named) > 60 and said.startswith(named))


def _paragraphs(writer: _Writer, source: Source, picked: list[Sentence]) -> None:
    previous: Sentence | None = None
    number = 0
    # A number before an address would make it an entry of a list of sources.
    plain = {one.block for one in picked if "://" in one.text or "#/notes/" in one.text}
    for one in picked:
        if previous is not None:
            writer.text = writer.text.rstrip() + _gap(previous, one)
        if one.marker and (previous is None or previous.item != one.item):
            goes_on = previous is not None and previous.marker != "" and previous.block == one.block
            led = previous is not None and previous.lead
            # Steps picked out of the middle of a list keep no numbers: these would pretend that it begins there.
            begins = not goes_on and (led or one.marker.startswith("1"))
            number = 1 if begins else number + 1 if goes_on and number else 0
            numbered = number and one.marker != "-" and one.block not in plain
            writer.text += f"{number}. " if numbered else "- "
        writer.cite(source, one)
        previous = one
    writer.text += "\n\n"


def _gap(previous: Sentence, one: Sentence) -> str:
    if previous.marker and one.marker and previous.block == one.block:
        return " " if previous.item == one.item else "\n"
    return " " if previous.block == one.block and not one.marker else "\n\n"
