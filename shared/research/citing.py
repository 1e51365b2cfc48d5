"""Sentences of a report that name their sources, and those that should and don't."""

import re
from collections import Counter
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


# A report is text from outside: no pattern here may cost more than the text is long, so every repetition is bounded,
# possessive, or ends at a character that begins the next attempt.
_CITE = r"\[cite:\s{0,9}\d{1,4}(?:\s{0,9}[,;–-]\s{0,9}\d{1,4}){0,99}\s{0,9}\]"
_BARE = r"\[\d{1,4}(?:\s{0,9},\s{0,9}\d{1,4}){0,99}\](?![(\[:\w])"
_MARKER = re.compile(rf"\s?(?:{_CITE}|{_BARE})")
_CITE_ONLY = re.compile(rf"\s?{_CITE}")
_NUMBERS = re.compile(r"(\d{1,4})(?:\s{0,9}[–-]\s{0,9}(\d{1,4}))?")
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bDr)[.!?…。！？][\"'”’)\]*_]*+(?:\s?\x02[^\x03]*+\x03)*+(?=\s[^a-z\s]|\s?$)"
)
_ENDS = (".", "!", "…", "。", "！")
"""A line without one of these is a label or a list's heading, and claims nothing."""
_STASHED = re.compile("\x02([^\x03]*+)\x03")
_BLOCK_MARK = re.compile(r"(?:>\s*+|[-*+]\s++|\d{1,9}[.)]\s++|\|)++")
_EMPHASIS = re.compile(r"\*\*|__")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TICKS = re.compile(r"\\[\s\S]|`+")
_MAX_RANGE = 50
_MAX_SPAN = 4000
"""Bytes of a claim that an annotation spans; what is longer is no sentence."""


def code_apart(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is a code span, ticks included; as CommonMark reads them."""
    runs: dict[int, list[int]] = {}
    for run in re.finditer(r"`+", text):
        runs.setdefault(len(run[0]), []).append(run.start())
    for starts in runs.values():
        starts.reverse()
    begun = at = 0
    while tick := _TICKS.search(text, at):
        at = tick.end()
        if tick[0][0] == "\\":
            continue
        closers = runs.get(len(tick[0]), [])
        while closers and closers[-1] < at:
            closers.pop()
        if closers:
            if begun < tick.start():
                yield text[begun : tick.start()], False
            begun = at = closers.pop() + len(tick[0])
            yield text[tick.start() : at], True
    if begun < len(text):
        yield text[begun:], False


def marked_claims(prose: str, known: dict[int, Citation], *, bare: bool) -> tuple[list[Claim], list[str]]:
    """Sentences with markers. A bare `[1]` counts only where the report cites like that: else it is just brackets."""
    marker = _MARKER if bare else _CITE_ONLY
    claims: list[Claim] = []
    unknown: dict[int, None] = {}
    counted, bare_claims = 0, 0
    for block in _blocks(prose):
        for sentence in _sentences(block, marker):
            numbers = dict.fromkeys(number for one in _STASHED.findall(sentence) for number in _numbers(one))
            unknown.update({number: None for number in numbers if number not in known})
            cited = [known[number] for number in numbers if number in known]
            text = _plain(_STASHED.sub("", sentence))
            counted += bool(text)
            if cited and text:
                claims.append(_claim(text, cited))
            elif text.endswith(_ENDS):
                bare_claims += 1
    flags = [f"[cite: {number}] points to no source" for number in unknown]
    if known and bare_claims:
        flags.append(f"{bare_claims} of {counted} sentences name no source")
    return claims, flags


def _sentences(block: str, marker: re.Pattern[str]) -> Iterator[str]:
    """The block's sentences, their markers stashed; what stands in code is no marker and ends nothing."""
    text, masked = "", ""
    for piece, code in code_apart(" ".join(block.translate({2: None, 3: None}).split())):
        stashed = piece if code else marker.sub(lambda match: f"\x02{match[0].strip()}\x03", piece)
        text += stashed
        masked += "x" * len(stashed) if code else stashed
    at = 0
    for end in _SENTENCE_END.finditer(masked):
        yield text[at : end.end()]
        at = end.end()
    if at < len(text):
        yield text[at:]


def spanned_claims(notes: list[tuple[Annotation, Part]], known: dict[str, Citation]) -> list[Claim]:
    """Claims by annotations: the text that each one spans, with every source that spans it."""
    claims: dict[str, dict[str, Citation]] = {}
    encoded: dict[int, bytes] = {}
    for note, part in notes:
        if id(part) not in encoded:
            encoded[id(part)] = part.text.encode()
        start = max(0, note.start)
        said = encoded[id(part)][start : min(max(0, note.end), start + _MAX_SPAN)]
        text = _plain(said.decode("utf-8", "ignore"))
        if text and note.url in known:
            claims.setdefault(text, {})[note.url] = known[note.url]
    return [_claim(text, list(cited.values())) for text, cited in claims.items()]


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
    for line in [*map(str.strip, prose.splitlines()), ""]:
        fence = line.startswith(("```", "~~~"))
        mark = _BLOCK_MARK.match(f"{line} ")
        if block and (mark or fence or not line or line.startswith("#")):
            yield " ".join(block)
            block = []
        if fence:
            fenced = not fenced
        elif not fenced and line and not line.startswith("#"):
            block.append(line[mark.end() :] if mark else line)


def _plain(text: str) -> str:
    """The words of a sentence as a reader sees them: no ticks, no emphasis that is closed, no escapes."""
    pieces = list(code_apart(text))
    marks = Counter(mark for piece, code in pieces if not code for mark in _EMPHASIS.findall(piece))
    # Of an odd number the last one closes nothing, and is text.
    odd = {mark: count for mark, count in marks.items() if count % 2}

    def unmarked(match: re.Match[str]) -> str:
        marks[match[0]] -= 1
        return match[0] if match[0] in odd and not marks[match[0]] else ""

    shown = (
        piece.strip("`").strip() if code else _ESCAPED.sub(r"\1", _EMPHASIS.sub(unmarked, piece))
        for piece, code in pieces
    )
    return " ".join("".join(shown).split()).strip(" |")


def summary_of(prose: str) -> str:
    """The first paragraph, without markers."""
    for block in _blocks(prose):
        text = "".join(piece if code else _MARKER.sub("", piece) for piece, code in code_apart(block))
        if said := _plain(text):
            return cut(said, 2000)
    return ""
