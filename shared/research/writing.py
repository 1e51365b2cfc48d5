"""Our own agents' reports, with marks, sources and quotes as every report has them: from a draft, or by rule. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from shared.agent_task.standing import Read
from shared.models.evidence import Passage
from shared.models.note import Citation
from shared.models.result import Source
from shared.research.interaction import Annotation, Part
from shared.research.listing import unlisted
from shared.research.marks import Marks
from shared.research.sources import citations_of_annotations

if TYPE_CHECKING:
    from shared.research.extract.source import Source as Extracted

MOST = 45_000
"""Bytes of a report by rule: it is kept in one event."""


class Written(NamedTuple):
    """A report as a part of a run's output, and its sources as it numbers them."""

    part: Part
    citations: Sequence[Citation]


def written(
    draft: str, citations: Sequence[Citation], passages: Sequence[Passage], unread: Sequence[str] = ()
) -> Written | None:
    """The report that a draft makes, with what is to be told of unread pages; None where it leans on nothing read."""
    if not citations:
        return None
    from shared.research.extract.inert import label

    body, entries = unlisted(draft)
    marks = Marks({one.url: one for one in citations}, {one.url: one.text for one in passages})
    body = marks.put(body, entries).strip()
    marked = marks.cited()
    if not marked:
        return None
    lines = [f"{one.number}. [{label(one.title) or one.url}]({one.url})" for one in marked]
    text = "\n\n".join([body, *unread, "**Sources:**\n" + "\n".join(lines) + "\n"])
    found = _quotes(body, passages)
    notes = (Annotation(one.url, one.title, found.get(one.url, "")) for one in marked)
    return Written(Part("text", text, tuple(notes)), marked)


def by_rule(question: str, sources: "Sequence[Extracted]", unread: Sequence[str] = ()) -> Written | None:
    """The report in the sources' own sentences, as the local research service writes it; None where none answers."""
    from shared.research.extract.asked import focus
    from shared.research.extract.report import write

    parts = write(focus(question), sources, unread, most=MOST).parts
    if not parts:
        return None
    notes = tuple(note for part in parts for note in part.annotations)
    return Written(Part("text", "".join(part.text for part in parts), notes), citations_of_annotations(list(notes)))


def _quotes(draft: str, passages: Sequence[Passage]) -> dict[str, str]:
    """The sentence of each source that has most in common with what was written."""
    from shared.agent_task.quotes import quotes

    found: dict[str, str] = {}
    for read in _reads(passages):
        for one in quotes([read], draft):
            # Without its marks a sentence may stand nowhere any more; then it is no quote.
            if one.text in read.text:
                found.setdefault(one.source.url, one.text)
    return found


def _reads(passages: Sequence[Passage]) -> list[Read]:
    return [
        Read(Source(id=f"S{n}", title=one.title, url=one.url, note_id=one.note_id), one.text, one.text)
        for n, one in enumerate(passages, 1)
    ]
