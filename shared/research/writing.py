"""Our own agents' reports, with marks, sources and quotes as every report has them: from a draft, or by rule. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shared.agent_task.quotes import quotes
from shared.agent_task.standing import Read
from shared.models.evidence import Passage
from shared.models.note import Citation
from shared.models.result import Source
from shared.research.citing import code_apart
from shared.research.interaction import Annotation, Part
from shared.research.sources import citations_of_annotations

if TYPE_CHECKING:
    from shared.research.extract.source import Source as Extracted

MOST = 45_000
"""Bytes of a report by rule: it is kept in one event."""
# A draft is a model's: every repetition is bounded.
_LINK = re.compile(
    r"\[(?P<words>[^\[\]\n]{0,400})\]\(<?(?P<url>[^()\s<>]{1,2000})>?\)|(?P<bare>(?:https?://|#/notes/)[^\s<>()\[\]]{1,2000})"
)
_MARK = re.compile(r"\s?\[cite:[^\]\n]{0,100}\]")
_TITLE = re.compile(r"[\[\]\s]+")


class Written(NamedTuple):
    """A report as a part of a run's output, and its sources as it numbers them."""

    part: Part
    citations: Sequence[Citation]


def written(
    draft: str, citations: Sequence[Citation], passages: Sequence[Passage], unread: Sequence[str] = ()
) -> Written | None:
    """The report that a draft makes, with what is to be told of unread pages; None where it leans on nothing read."""
    numbers = {one.url: number for number, one in enumerate(citations, 1)}
    if not numbers or not draft.strip():
        return None
    body = "".join(piece if code else _marked(_MARK.sub("", piece), numbers) for piece, code in code_apart(draft))
    lines = [f"{number}. [{_title(one)}]({one.url})" for number, one in enumerate(citations, 1)]
    text = "\n\n".join([body.strip(), *unread, "**Sources:**\n" + "\n".join(lines) + "\n"])
    found = _quotes(draft, passages)
    notes = (Annotation(one.url, one.title, found.get(one.url, "")) for one in citations)
    return Written(Part("text", text, tuple(notes)), citations)


def by_rule(question: str, sources: "Sequence[Extracted]", unread: Sequence[str] = ()) -> Written | None:
    """The report in the sources' own sentences, as the local research service writes it; None where none answers."""
    from shared.research.extract.asked import focus
    from shared.research.extract.report import write

    parts = write(focus(question), sources, unread, most=MOST).parts
    if not parts:
        return None
    notes = tuple(note for part in parts for note in part.annotations)
    return Written(Part("text", "".join(part.text for part in parts), notes), citations_of_annotations(list(notes)))


def _marked(text: str, numbers: Mapping[str, int]) -> str:
    def mark(match: re.Match[str]) -> str:
        url = match["url"] or match["bare"].rstrip(".,;:!?")
        if url not in numbers:
            return match[0]
        said = match["words"] if match["url"] else ""
        rest = match["bare"][len(url) :] if match["bare"] else ""
        return f"{said} [cite: {numbers[url]}]{rest}".lstrip(" ") if said else f"[cite: {numbers[url]}]{rest}"

    return _LINK.sub(mark, text)


def _title(one: Citation) -> str:
    return _TITLE.sub(" ", one.title).strip() or one.url


def _quotes(draft: str, passages: Sequence[Passage]) -> dict[str, str]:
    """The sentence of each source that has most in common with what was written."""
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
