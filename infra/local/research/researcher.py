"""Research in what the user has: reads notes and named pages, and writes a report of their own sentences, each cited.

It never writes a word that is not in a source, apart from fixed headings and labels; where nothing answers, it says so.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from infra.local.research.prose import Sentence, length
from infra.local.research.rank import Question, Section, Source, alike, sections, subject
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
MIN_COVERAGE = 0.5
"""A section that touches less of the question than this answers another one."""
MAX_SECTIONS = 7
MAX_SENTENCES = 5
MAX_ITEMS = 8
INTRO_SENTENCES = 3

_URL = re.compile(r"https?://[^\s<>\"')\]]+")


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
    topics: list[str] = field(default_factory=list)
    parts: list[JsonDict] = field(default_factory=list)
    """Text parts of the report, as content on the wire; none where nothing was found."""


async def research(
    text: str, labels: Mapping[str, str], retrieve: Retrieve, read_page: ReadPage | None = None
) -> Finding:
    """Answer the note `text` from the other notes of its owner, and from the pages that it names."""
    title, question = focus(text)
    query = subject(question)
    finding = Finding(title=title, question=question, queries=[query])
    own = labels.get("note", "")
    passages = await retrieve(labels, query, NOTES + 1)
    sources = [
        Source(one.title, f"#/notes/{one.note_id}", one.text[:LONGEST]) for one in passages if one.note_id != own
    ][:NOTES]
    if read_page is not None:
        sources += await _pages(text, read_page, finding)
    finding.read = [source.title for source in sources]
    # Counting words of long notes takes a while, and others live on this event loop.
    await asyncio.to_thread(_write, finding, sources)
    return finding


def focus(text: str) -> tuple[str, str]:
    """What a note asks: a title for the answer, and the words to look for (its questions and its first line)."""
    bare = re.sub(r"(?<!\S)#[\w/-]+", "", _URL.sub("", text))
    lines = [re.sub(r"^[#>\-*\s]+", "", line).strip() for line in bare.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return "", ""
    asked = [one.strip() for line in lines for one in re.findall(r"[^.!?]*\?", line)][:3]
    first = re.split(r"(?<=[.!?])\s", lines[0])[0][:300]
    if not asked:
        return first, first
    return asked[0][:300], " ".join(dict.fromkeys((first if len(first) <= 80 else "", *asked)))[:500].strip()


async def _pages(text: str, read_page: ReadPage, finding: Finding) -> list[Source]:
    found: list[Source] = []
    for url in list(dict.fromkeys(match.rstrip(".,;:") for match in _URL.findall(text)))[:PAGES]:
        try:
            page = await read_page(url)
        except MemexError as error:
            finding.pages.append({"url": url, "status": "error", "reason": error.message})
            continue
        finding.pages.append({"url": url, "status": "success"})
        found.append(Source(page.title, page.url, page.text[:LONGEST]))
    return found


# -- choosing --------------------------------------------------------------------------------------------------


def _chosen(question: Question, ranked: list[Section]) -> list[Section]:
    """The best sections, not too many of one source, so that the report has more than one voice."""
    chosen: list[Section] = []
    rest = [section for section in ranked if section.coverage >= MIN_COVERAGE]
    while rest and len(chosen) < MAX_SECTIONS:
        best = max(rest, key=lambda section: section.score * 0.85 ** _of(section.source, chosen))
        rest.remove(best)
        if chosen and best.score < 0.55 * chosen[0].score:
            break
        if _of(best.source, chosen) < (4 if question.coverage(question.bag(best.source.title)) > 0.99 else 2):
            chosen.append(best)
    return chosen


def _of(source: Source, chosen: list[Section]) -> int:
    return sum(section.source == source for section in chosen)


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
    wanted = [at for at in usable if about or _touches(question, group[at])]
    picked: set[int] = set()
    for at in sorted(wanted, key=lambda at: (-_sentence_score(question, group, at), at)):
        if sum(not group[one].marker for one in picked) >= MAX_SENTENCES:
            break
        picked |= _list_of(question, group, at, usable, about) if group[at].marker or group[at].lead else {at}
    kept: list[int] = []
    for at in sorted(picked):
        # The one before may stand in the introduction already: then it was read.
        before = at - 1 in kept or (at > 0 and group[at - 1].text in taken)
        orphan = group[at].marker and at - 1 in picked and not before
        if not orphan and (group[at].marker or before or not _LEANING.match(group[at].text)):
            kept.append(at)
    return [group[at] for at in kept]


def _touches(question: Question, sentence: Sentence) -> bool:
    """Whether it speaks of the question by itself; a whole list has to do so more plainly."""
    coverage = question.coverage(question.bag(sentence.text))
    return coverage > 0.5 if sentence.lead or sentence.marker else coverage > 0.3


def _list_of(question: Question, group: Sequence[Sentence], at: int, usable: set[int], about: bool) -> set[int]:
    """The list that a lead or an item belongs to, from its lead on; without a lead, the item alone."""
    block = group[at].block if group[at].marker else group[at + 1].block
    first = next(index for index, one in enumerate(group) if one.block == block and one.marker)
    if first - 1 not in usable or not group[first - 1].lead:
        enough = 0.0 if about else 0.6
        item = {other for other in usable if group[other].marker and group[other].item == group[at].item}
        return item if question.coverage(question.bag(group[at].text)) > enough else set()
    items = list(dict.fromkeys(one.item for one in group if one.block == block and one.marker))[:MAX_ITEMS]
    return {first - 1} | {other for other in usable if group[other].marker and group[other].item in items}


def _sentence_score(question: Question, group: Sequence[Sentence], at: int) -> float:
    own = question.bag(group[at].text)
    return question.score({stem: float(times) for stem, times in own.items()}) + 0.15 / (1 + at)


def _intro(question: Question, chosen: list[Section]) -> list[tuple[Section, Sentence]]:
    """The sentences that answer best, from the first sections, to stand at the top."""
    scored: list[tuple[float, int, int]] = []
    for rank, section in enumerate(chosen[:4]):
        title = question.coverage(question.bag(section.source.title))
        for at, one in enumerate(section.sentences):
            if one.marker or one.lead or not _stands(one, None) or _LEANING.match(one.text):
                continue
            if 5 <= length(one.text) <= 45 and question.bag(one.text):
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
    """Text with its citations; sources are numbered as they are first cited."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sources: list[Source] = []
        self.text = ""
        self.annotations: list[JsonDict] = []

    def cite(self, source: Source, sentence: Sentence) -> None:
        number = self.numbers.get(source.url)
        if number is None:
            number = self.numbers[source.url] = len(self.numbers) + 1
            self.sources.append(source)
        start = len(self.text.encode())
        self.text += sentence.text
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
    writer.text = f"# {title[:1].upper()}{title[1:]}\n\n"
    for section, sentence in intro:
        writer.cite(section.source, sentence)
        writer.text += " "
    writer.text = writer.text.rstrip() + "\n\n"
    finding.parts.append(writer.part())
    _topics(writer, finding, question, chosen, [sentence.text for _, sentence in intro])
    missing = [stem for stem in question.stems if stem not in question.seen]
    for page in finding.pages:
        if page["status"] != "success":
            writer.text += f"Could not be read: {page['url']}\n\n"
    if missing:
        asked = [word for word in re.findall(r"[\w-]+", subject(finding.question)) if _unseen(word, missing)]
        if asked:
            writer.text += f"Not found in any source: {', '.join(dict.fromkeys(asked))}\n\n"
    writer.text += "**Sources:**\n"
    for number, source in enumerate(writer.sources, start=1):
        label = re.sub(r"([\[\]\\])", r"\\\1", " ".join(source.title.split()) or source.url)
        writer.text += f"{number}. [{label}]({source.url})\n"
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
        writer.text += f"## {source.title}\n\n"
        # As in the source: a general part before the particular ones.
        for section, picked in sorted(written, key=lambda item: item[1][0].block):
            if section.headings and section.headings[-1] != source.title:
                writer.text += f"### {section.headings[-1]}\n\n"
            _paragraphs(writer, source, picked)
            taken += [sentence.text for sentence in picked]
        finding.parts.append(writer.part())


def _paragraphs(writer: _Writer, source: Source, picked: list[Sentence]) -> None:
    previous: Sentence | None = None
    number = 0
    for one in picked:
        if previous is not None:
            writer.text = writer.text.rstrip() + _gap(previous, one)
        if one.marker and (previous is None or previous.item != one.item):
            goes_on = previous is not None and previous.marker != "" and previous.block == one.block
            led = previous is not None and previous.lead
            # Steps picked out of the middle of a list keep no numbers: these would pretend that it begins there.
            begins = not goes_on and (led or one.marker.startswith("1"))
            number = 1 if begins else number + 1 if goes_on and number else 0
            writer.text += f"{number}. " if number and one.marker != "-" else "- "
        writer.cite(source, one)
        previous = one
    writer.text += "\n\n"


def _gap(previous: Sentence, one: Sentence) -> str:
    if previous.marker and one.marker and previous.block == one.block:
        return " " if previous.item == one.item else "\n"
    return " " if previous.block == one.block and not one.marker else "\n\n"
