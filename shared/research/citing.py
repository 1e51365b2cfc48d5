"""Sentences of a report that name their sources, and those that should and don't."""

import re
from collections.abc import Iterator

from shared.events.trace import cut
from shared.models.base import Model
from shared.models.note import Citation
from shared.research.interaction import Annotation, Part


class Claim(Model):
    """A sentence of the report that names its sources."""

    claim: str
    confidence: int | None = None
    """Always None: the service gives no measure of it, and we make none up."""
    evidence: list[str] = []
    """Passages of the sources, word for word, where the service gave them."""
    sources: list[str] = []
    """Ids of entries in the output's `sources`."""


_CITE = r"\[cite:\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]"
_BARE = r"\[\d{1,4}(?:\s*,\s*\d{1,4})*\](?![(\[:\w])"
_MARKER = re.compile(rf"\s?(?:{_CITE}|{_BARE})")
_CITE_ONLY = re.compile(rf"\s?{_CITE}")
_NUMBERS = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_SENTENCE = re.compile(
    r".+?(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bDr)[.!?…。！？][\"'”’)\]*_]*(?:\s?\x02[^\x03]*\x03)*(?=\s+[^a-z\s]|\s*$)|$)",
    re.S,
)
_ENDS = (".", "!", "…", "。", "！")
"""A line without one of these is a label or a list's heading, and claims nothing."""
_STASHED = re.compile("\x02([^\x03]*)\x03")
_BLOCK_MARK = re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+|\|)+")
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+?)\1")
_MAX_RANGE = 50


def marked_claims(prose: str, known: dict[int, Citation], *, bare: bool) -> tuple[list[Claim], list[str]]:
    """Sentences with markers. A bare `[1]` counts only where the report cites like that: else it is just brackets."""
    marker = _MARKER if bare else _CITE_ONLY
    claims: list[Claim] = []
    flags: list[str] = []
    counted, bare_claims = 0, 0
    for block in _blocks(prose):
        stashed = marker.sub(lambda match: f"\x02{match[0].strip()}\x03", block.translate({2: None, 3: None}))
        for sentence in _SENTENCE.findall(stashed):
            numbers = [number for one in _STASHED.findall(sentence) for number in _numbers(one)]
            flags += [f"[cite: {number}] points to no source" for number in numbers if number not in known]
            cited = [known[number] for number in dict.fromkeys(numbers) if number in known]
            text = _plain(_STASHED.sub("", sentence))
            counted += bool(text)
            if cited and text:
                claims.append(_claim(text, cited))
            elif text.endswith(_ENDS):
                bare_claims += 1
    if known and bare_claims:
        flags.append(f"{bare_claims} of {counted} sentences name no source")
    return claims, flags


def spanned_claims(notes: list[tuple[Annotation, Part]], known: dict[str, Citation]) -> list[Claim]:
    """Claims by annotations: the text that each one spans, with every source that spans it."""
    claims: dict[str, list[Citation]] = {}
    for note, part in notes:
        text = _plain(part.text.encode()[max(0, note.start) : max(0, note.end)].decode("utf-8", "ignore"))
        if text and note.url in known:
            cited = claims.setdefault(text, [])
            if known[note.url] not in cited:
                cited.append(known[note.url])
    return [_claim(text, cited) for text, cited in claims.items()]


def _claim(text: str, cited: list[Citation]) -> Claim:
    evidence = [citation.quote for citation in cited if citation.quote]
    return Claim(claim=text, evidence=evidence, sources=[str(citation.number) for citation in cited])


def _numbers(marker: str) -> Iterator[int]:
    for first, last in _NUMBERS.findall(marker):
        low, high = int(first), int(last or first)
        yield from range(low, min(high, low + _MAX_RANGE) + 1)


def _blocks(prose: str) -> Iterator[str]:
    """Paragraphs and list items as one line of text each; headings and code are no claims."""
    block: list[str] = []
    fenced = False
    for line in [*prose.splitlines(), ""]:
        fence = line.lstrip().startswith(("```", "~~~"))
        starts = bool(_BLOCK_MARK.match(line)) or not line.strip() or line.lstrip().startswith("#")
        if block and (starts or fence):
            yield " ".join(block)
            block = []
        if fence:
            fenced = not fenced
        elif not fenced and line.strip() and not line.lstrip().startswith("#"):
            block.append(_BLOCK_MARK.sub("", line).strip())


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", _EMPHASIS.sub(r"\2", text)).strip(" |")


def summary_of(prose: str) -> str:
    """The first paragraph, without markers."""
    first = next(_blocks(_MARKER.sub("", prose)), "")
    return cut(_plain(first), 2000)
