"""The deterministic way: title, summary, tags and tasks in the note's own words. It adds no word."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shared.enrichment import address
from shared.enrichment.actions import normalised, tasks
from shared.enrichment.furniture import is_furniture, unlabelled
from shared.enrichment.proposal import SUMMARY, TITLE, Proposal, cut, one_line, plain
from shared.enrichment.sentences import END, ENDED, split
from shared.enrichment.terms import Terms
from shared.enrichment.text import LIMIT, Block, Page, read
from shared.enrichment.words import COMMON, ENGLISH, GERMAN, stop_words

COLUMNS = 80
"""How wide a title should be; a wide character takes two columns."""
_SMALL = frozenset().union(*(stop_words(name) for name in ("en", "de", "fr", "es", "it", "pt", "nl")))
SENTENCES = 60
"""Sentences that are weighed for the summary."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]")
_CLAUSE = re.compile(r"[,;:]\s|\s[–—-]\s|\s\(|[，、；：]")
_GREETING = re.compile(
    r"^(?:hi|hey|hello|dear|hallo|liebe[rs]?|moin|guten tag|bonjour|salut|hola|ciao)\b.{0,25}$", re.I
)
_GENERIC = frozenset(
    "notes note notizen notiz idea ideas idee ideen thoughts thought gedanken introduction einleitung "
    "einführung overview prerequisites überblick summary abstract "
    "contents todo misc sonstiges untitled draft entwurf inbox".split()
)
_SAYING_LITTLE = _GENERIC | COMMON | ENGLISH | GERMAN
_LEANING = re.compile(
    r"^(?:this|these|that|those|it|they|he|she|however|but|and|so|also|then|for example|for instance|in this|see|"
    r"if you|once|otherwise|additionally|finally|next|here|such|both|either|"
    r"(?:fig(?:ure)?\.?|table|tabelle|abb\w*\.?) \d|"
    r"dies\w*|das|es|aber|und|auch|dann|zum beispiel|außerdem|hier|siehe|"
    r"cela|cette|ces|mais|et|esto|esta|estos|pero|y)\b",
    re.I,
)
_DEPENDENT = re.compile(
    r"^(?:if|when|while|although|though|because|since|in|on|at|by|for|with|after|before|once|as|to|wenn|falls|weil|da|obwohl"
    r"|nachdem|bevor|bei|mit|für|si|quand|lorsque|cuando|aunque|para|pour)\b",
    re.I,
)
_COMMENT = re.compile(r"^\s*(?:#(?!!)|//+|--|/?\*+|\"\"\"|''')\s*([^\W\d_].*?)\s*(?:\*/|\"\"\"|''')?\s*$")


@dataclass(slots=True)
class _Sentence:
    text: str
    block: Block
    first: bool
    """Begins its block."""
    ended: bool
    """Has a full stop or the like."""


def extract(
    title: str | None, body: str, url: str | None = None, tags: Sequence[str] = (), kind: str = "capture"
) -> Proposal:
    """A proposal made of words of the note. Empty where the note holds nothing to propose; never raises."""
    page = read(body)
    to_do = tasks(page, kind)
    page = _furnished_no_more(page)
    given = plain(title or "")[:LIMIT]
    sentences = list(_sentences(page))
    named, source = (given, None) if given else _title(page, sentences, url)
    terms = Terms(_worded(page, given, url), given or page.title, kind)
    summary = _summary(sentences, named, source, terms, to_do)
    return Proposal(
        title=None if given else named or None,
        summary=summary or None,
        tags=terms.tags(tags),
        tasks=to_do,
    )


def _furnished_no_more(page: Page) -> Page:
    """The page without what it says of itself, unless it says nothing else."""
    blocks = [block if block.kind == "code" else _unfurnished(block) for block in page.blocks]
    kept = [block for block in blocks if block.text or block.words]
    return replace(page, blocks=kept) if any(_has_letters(block.text) for block in kept) else page


def _unfurnished(block: Block) -> Block:
    said = split(block.text)
    if not any(map(is_furniture, said)):
        return block
    text = " ".join(one for one in said if not is_furniture(one))
    words = " ".join(one for one in split(block.words) if not is_furniture(one))
    return replace(block, text=text, words=words)


def _worded(page: Page, title: str, url: str | None) -> Page:
    """The page, or the words of its address where it has no others."""
    if title or page.title or any(_has_letters(block.words) or block.kind == "code" for block in page.blocks):
        return page
    said = " ".join(address.words(url or page.url))
    return Page([Block("prose", said, said, standalone=_hashtags(page))]) if said else page


def _hashtags(page: Page) -> tuple[str, ...]:
    return tuple(name for block in page.blocks for name in block.standalone if name.startswith("#"))


def _sentences(page: Page) -> Iterator[_Sentence]:
    count = 0
    for block in page.blocks:
        if block.kind not in ("prose", "item") or not block.text:
            continue
        for at, text in enumerate(split(block.text)):
            yield _Sentence(text, block, at == 0, bool(END.search(text[-3:] + " ")))
            count += 1
            if count == SENTENCES:
                return


def _title(page: Page, sentences: list[_Sentence], url: str | None) -> tuple[str, str | None]:
    """A title, and the sentence that it says in full or in part."""
    for text in (page.title, _heading(page)):
        if text and (line := _fitted(text)):
            return line, None
    if listed := _listed(page):
        return listed, None
    spoken = _spoken(sentences)
    if spoken is not None:
        return _fitted(_without_addresses(spoken)), spoken.text
    for block in page.blocks:
        if block.kind == "row" and (line := _fitted(block.text)):
            return line, None
    if line := _from_code(page):
        return line, None
    link = url or page.url
    if any(map(str.isalnum, named := address.name(link))):
        return named, None
    if line := next((line for block in page.blocks if (line := _fitted(block.text))), ""):
        return line, None
    return (_fitted(sentences[0].text), sentences[0].text) if sentences else ("", None)


def _heading(page: Page) -> str:
    """The heading that names the page: at its beginning, or of the first level soon after."""
    before = 0
    levels = Counter(block.level for block in page.blocks if block.kind == "heading")
    for block in page.blocks:
        if block.kind == "heading":
            words = [word.casefold() for word in _WORD.findall(block.text)]
            above = sum(count for level, count in levels.items() if level <= block.level)
            names = block.level == 1 or (before == 0 and above == 1)
            if words and names and not (len(words) == 1 and words[0] in _GENERIC):
                return block.text
        elif block.kind != "row" and block.text:
            before += 1
        if before > 3:
            break
    return ""


def _spoken(sentences: list[_Sentence]) -> _Sentence | None:
    """The first sentence that says something; the first with any word where none does."""
    if len(sentences) > 1 and _is_headline(sentences[0]):
        return sentences[0]
    fallback: _Sentence | None = None
    for sentence in sentences:
        words = [word.lower() for word in _WORD.findall(sentence.block.words and sentence.text)]
        letters = [word for word in words if not word.isdigit()]
        if not letters or not _has_letters(sentence.block.words):
            continue
        fallback = fallback or sentence
        if _GREETING.match(sentence.text) or (len(words) == 1 and words[0] in _GENERIC):
            continue
        telling = any(word not in _SAYING_LITTLE for word in letters)
        if (telling or len(words) > 4) and (len(words) > 1 or _WIDE.search(sentence.text)):
            return sentence
    return fallback


def _is_headline(sentence: _Sentence) -> bool:
    """Whether a first line stands alone as a headline does."""
    text, words = sentence.text, _WORD.findall(sentence.text)
    alone = sentence.block.kind == "prose" and text == sentence.block.text and len(text) <= 60
    closed = sentence.ended or text.endswith((":", ",", ";", "-"))
    letters = _has_letters(sentence.block.words)
    if not alone or not letters or closed or _GREETING.match(text):
        return False
    return 2 <= len(words) <= 9 or (len(words) == 1 and len(text) > 3 and words[0].lower() not in _SAYING_LITTLE)


def _listed(page: Page) -> str:
    """A list without a heading is named after its label and its first entries."""
    blocks = [block for block in page.blocks if block.text]
    label = ""
    if blocks and blocks[0].kind == "prose" and blocks[0].text.endswith(":") and len(blocks[0].text) <= 40:
        label, blocks = blocks[0].text, blocks[1:]
    short = all(len(_WORD.findall(block.text)) <= 3 and len(block.text) <= 30 for block in blocks)
    items = all(block.kind == "item" for block in blocks)
    bare = len(blocks) > 2 and all(block.kind == "prose" for block in blocks)
    if len(blocks) < 2 or not (items or (bare and short)):
        return ""
    if not short:
        return "" if not label else _fitted(label)
    texts = [one_line(block.text, TITLE) for block in blocks]
    shown: list[str] = []
    for text in filter(_has_letters, texts):
        if shown and _columns(label) + sum(map(_columns, shown)) + 2 * len(shown) + _columns(text) > 60:
            break
        shown.append(text)
    if not shown:
        return ""
    line = f"{one_line(label, TITLE)} {', '.join(shown)}".strip()
    return cut(line + ("…" if len(shown) < len(texts) else ""), TITLE)


def _from_code(page: Page) -> str:
    codes = [block.text for block in page.blocks if block.kind == "code"]
    for code in codes:
        for raw in code.split("\n")[:40]:
            if (comment := _COMMENT.match(raw[:300])) and len(_WORD.findall(comment[1])) > 1:
                return _fitted(comment[1])
    for code in codes:
        for raw in code.split("\n")[:40]:
            if _has_letters(raw) and (line := _fitted(raw[:300])):
                return line
    return ""


def _without_addresses(sentence: _Sentence) -> str:
    """The sentence without addresses at its ends; one inside is shown as its host."""
    block = sentence.block
    if "\n" not in block.words or sentence.text != block.text:
        return sentence.text
    words = block.words.strip(" \n\t-–—:|>")
    if (
        "\n" in words
        or "`" in words
        or (block.words.rstrip(" .").endswith("\n") and words.rsplit(" ", 1)[-1].lower() in _SMALL)
    ):
        return sentence.text
    return words


def _fitted(text: str) -> str:
    """A text as a title: one line, no full stop, cut at a clause or a word."""
    line = one_line(text[:2000], 4 * TITLE)
    line = re.sub(r"(?<=[^\s.])[.:,;，、。；：]+$", "", line)
    if not _has_letters(line):
        return ""
    if _columns(line) <= COLUMNS:
        return cut(line, TITLE)
    room, at = COLUMNS, 0
    while at < len(line) and room > 0:
        room -= 2 if _WIDE.match(line[at]) else 1
        at += 1
    clause = [found.start() for found in _CLAUSE.finditer(line, 0, at) if found.start() >= at // 2]
    if clause and not _DEPENDENT.match(line) and line.count("(", 0, clause[-1]) == line.count(")", 0, clause[-1]):
        return line[: clause[-1]].rstrip() + "…"
    return _ended(cut(line, min(at, TITLE)))


def _ended(line: str) -> str:
    """A cut title without the small words that hang at its end."""
    words = line.removesuffix("…").split(" ")
    while len(words) > 6 and words[-1].lower() in _SMALL:
        words.pop()
    return " ".join(words).rstrip(" ,;:–—-(") + "…" if line.endswith("…") else line


def _summary(sentences: list[_Sentence], title: str, source: str | None, terms: Terms, to_do: list[str]) -> str:
    candidates: list[tuple[float, int, str]] = []
    said = source is not None and not title.endswith("…")
    own = {_bare(title)} | ({_bare(source)} if source and said else set())
    # A long note's summary must stand alone; a short one's says what the title does not.
    seen = set(own) if len(sentences) < 5 else set()
    asked = [normalised(task) for task in to_do]
    leading, paragraph = True, None
    for at, sentence in enumerate(sentences):
        text = one_line(unlabelled(_without_addresses(sentence)), 4 * SUMMARY)
        words = _WORD.findall(text)
        wide = len(_WIDE.findall(text))
        if (len(words) < 4 and wide < 8) or text.endswith((":", "：")) or _bare(text) in seen:
            continue
        if sentence.block.kind == "item" and (sentence.block.box or (len(text) < 40 and wide < 15)):
            continue
        seen.add(_bare(text))
        if any(task in normalised(text) for task in asked):
            continue
        score = terms.weigh(text) / (4 + len(words) + wide / 2) ** 0.6
        opens = leading and (sentence.ended or len(words) > 7)
        score *= 2.2 if opens else 1.4 if sentence.block is paragraph else 1.15 if sentence.first else 1.0
        score *= _form(sentence, text, len(words) + wide / 2)
        if leading:
            leading, paragraph = False, sentence.block
        candidates.append((score, at, text))
    summary = _chosen(candidates, said=said)
    if _bare(summary) in own:
        summary = _chosen([one for one in candidates if _bare(one[2]) not in own], said=said)
    return summary


def _form(sentence: _Sentence, text: str, length: float) -> float:
    """How well a sentence stands alone."""
    factor = 0.65 if _LEANING.match(text) else 1.0
    if text.endswith("?"):
        factor *= 0.7
    if sentence.block.kind == "item":
        factor *= 0.7
    if not sentence.ended:
        factor *= 0.8
    if sum(text.count(char) for char in "(){}[]|=<>\\/_+") * 20 > len(text):
        factor *= 0.3
    if length < 6 or length > 45:
        factor *= 0.6
    return factor


def _chosen(candidates: list[tuple[float, int, str]], *, said: bool) -> str:
    """The best sentence, and the next where the note is long enough to need it, in the note's order."""
    if not candidates:
        return ""
    ranked = sorted(candidates, key=lambda one: (-one[0], one[1]))
    best = ranked[0]
    chosen = [best]
    if len(candidates) > 2 or (said and len(candidates) == 2):
        for other in ranked[1:4]:
            if other[0] >= 0.5 * best[0] and len(best[2]) + len(other[2]) < 320:
                chosen.append(other)
                break
    chosen.sort(key=lambda one: one[1])
    texts = [text for _, _, text in chosen]
    border = "" if _WIDE.match(texts[0][-1:]) else " " if ENDED.search(texts[0]) else "; "
    return cut(border.join(texts), SUMMARY)


def _bare(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text[:400])
