"""From a draft whose links were checked to a report with marks, sources and quotes, as every report has them. Pure."""

import re
from collections.abc import Mapping, Sequence

from shared.agent_task.quotes import quotes
from shared.agent_task.standing import Read
from shared.models.evidence import Passage
from shared.models.note import Citation
from shared.models.result import Source
from shared.research.citing import code_apart
from shared.research.interaction import Annotation, Part

# A draft is a model's: every repetition is bounded.
_LINK = re.compile(
    r"\[(?P<words>[^\[\]\n]{0,400})\]\(<?(?P<url>[^()\s<>]{1,2000})>?\)|(?P<bare>(?:https?://|#/notes/)[^\s<>()\[\]]{1,2000})"
)
_MARK = re.compile(r"\s?\[cite:[^\]\n]{0,100}\]")
_TITLE = re.compile(r"[\[\]\s]+")


def written(draft: str, citations: Sequence[Citation], passages: Sequence[Passage]) -> Part | None:
    """The report as a part of a run's output; None where it leans on nothing that was read."""
    numbers = {one.url: number for number, one in enumerate(citations, 1)}
    if not numbers or not draft.strip():
        return None
    body = "".join(piece if code else _marked(_MARK.sub("", piece), numbers) for piece, code in code_apart(draft))
    lines = [f"{number}. [{_title(one)}]({one.url})" for number, one in enumerate(citations, 1)]
    text = f"{body.strip()}\n\n**Sources:**\n" + "\n".join(lines) + "\n"
    found = _quotes(draft, passages)
    notes = (Annotation(one.url, one.title, found.get(one.url, "")) for one in citations)
    return Part("text", text, tuple(notes))


def by_rule(question: str, passages: Sequence[Passage]) -> str:
    """Sentences of the passages that answer the question, each with its link; empty where none does."""
    return "\n\n".join(
        f"{one.text} [{_TITLE.sub(' ', one.source.title).strip() or 'source'}]({one.source.url})"
        for one in quotes(_reads(passages), question)
    )


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
