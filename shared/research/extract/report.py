"""A report in the sources' own sentences: an answer first, then by topic, and what it leans on.

It never writes a word that is not in a source, apart from fixed headings and labels.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.research.extract.asked import Asked, content_words, subject
from shared.research.extract.choice import chosen, closest, opening
from shared.research.extract.picking import picked
from shared.research.extract.question import Question
from shared.research.extract.section import Section, sections
from shared.research.extract.sentence import Sentence
from shared.research.extract.source import Source
from shared.research.extract.visible import clean
from shared.research.extract.writer import Writer
from shared.research.interaction import Part
from shared.search import words

NO_ANSWER = "Nothing that was read answers this directly; these passages come closest:"
"""No sentence, which would need a source."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written, in parts; none where nothing answers."""

    parts: list[Part] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    """Titles of the sources that have a part of their own."""

    @property
    def size(self) -> int:
        """Bytes (UTF-8) of the whole text."""
        return sum(len(part.text.encode()) for part in self.parts)


def write(asked: Asked, sources: Sequence[Source], unread: Sequence[str] = (), *, most: int | None = None) -> Report:
    """The report on what is asked. `unread` is told in it as it stands: lines of shared/research/extract/unread.py.

    Where it has more than `most` bytes, the sections that answer least are left out.
    """
    question = Question(asked.words, sources)
    ranked = sections(question, sources)
    best = chosen(question, ranked)
    report = _written(asked, question, best, unread)
    if not report.parts:
        return _near(asked, question, closest(question, ranked), unread)
    while most is not None and report.size > most and len(best) > 1:
        best = best[:-1]
        report = _written(asked, question, best, unread)
    return report


def _written(asked: Asked, question: Question, best: list[Section], unread: Sequence[str]) -> Report:
    report = Report()
    first = opening(question, best)
    if not first:
        return report
    writer = _titled(asked)
    listed = len(first) > 1 and all(sentence.marker for _, sentence in first)
    for section, sentence in first:
        writer.text += "- " if listed else ""
        writer.cite(section.source, sentence)
        writer.text += "\n" if listed else " "
    writer.text = writer.text.rstrip() + "\n\n"
    # Before the topics: who asks about a page must know first that it did not answer.
    writer.text += "".join(f"{told}\n\n" for told in unread)
    report.parts.append(writer.part())
    _topics(writer, report, question, best, [sentence.text for _, sentence in first])
    _close(writer, report, asked, question)
    return report


def _near(asked: Asked, question: Question, found: list[tuple[Section, Sentence]], unread: Sequence[str]) -> Report:
    """A short report where nothing answers: that it is so, and what comes closest; none where nothing does."""
    report = Report()
    if not found:
        return report
    writer = _titled(asked)
    writer.text += "".join(f"{told}\n\n" for told in (NO_ANSWER, *unread))
    for section, sentence in found:
        writer.text += "- "
        writer.cite(section.source, sentence)
        writer.text += "\n"
    writer.text += "\n"
    _close(writer, report, asked, question)
    return report


def _titled(asked: Asked) -> Writer:
    writer = Writer()
    title = asked.title.rstrip("?. ").strip()
    writer.heading(1, f"{title[:1].upper()}{title[1:]}")
    return writer


def _close(writer: Writer, report: Report, asked: Asked, question: Question) -> None:
    if missing := _missing(asked, question):
        writer.remark("Not found in any source", ", ".join(missing))
    writer.list_sources()
    report.parts.append(writer.part())


def _missing(asked: Asked, question: Question) -> list[str]:
    """Words of the question that name something, and stand in no source."""
    missing = {stem for stem in question.stems if stem not in question.seen}
    return [word for word in content_words(subject(asked.words)) if not missing.isdisjoint(words(word))]


def _topics(writer: Writer, report: Report, question: Question, best: list[Section], taken: list[str]) -> None:
    by_source: dict[str, list[Section]] = {}
    for section in best:
        by_source.setdefault(section.source.url, []).append(section)
    for group in by_source.values():
        source = group[0].source
        written = [(section, picked(question, section, taken)) for section in group]
        written = [(section, sentences) for section, sentences in written if sentences]
        if not written:
            continue
        report.topics.append(source.title)
        writer.heading(2, source.title)
        # As in the source: a general part before the particular ones.
        for section, sentences in sorted(written, key=lambda item: item[1][0].block):
            if section.headings and not _same(section.headings[-1], source.title):
                writer.heading(3, section.headings[-1])
            _paragraphs(writer, source, sentences)
            taken += [sentence.text for sentence in sentences]
        report.parts.append(writer.part())


def _same(heading: str, title: str) -> bool:
    """Whether a heading only says the note's title again; a title made of a long first line is its beginning."""
    said, named = (re.sub(r"[\W_]+", " ", clean(text)).strip().casefold() for text in (heading, title))
    return said == named or (len(named) > 60 and said.startswith(named))


def _paragraphs(writer: Writer, source: Source, sentences: list[Sentence]) -> None:
    previous: Sentence | None = None
    number = 0
    # A number before an address would make it an entry of a list of sources.
    plain = {one.block for one in sentences if "://" in one.text or "#/notes/" in one.text}
    for one in sentences:
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
