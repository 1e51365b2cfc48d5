"""The words that tell most about a note, weighed by how often and where they stand. Only words of the note."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import NamedTuple

from shared.enrichment.actions import VERBS
from shared.enrichment.clause import verbs
from shared.enrichment.proposal import is_reserved, plain, usable_tags
from shared.enrichment.text import Block, Page
from shared.enrichment.words import AMOUNTS, COMMON, MEASURES, PAST, language, stop_words
from shared.models.base import kebab

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|all|un)['’](?=\w)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_NOT_A_WORD = re.compile(r"[^\W\d]{1,2}|v?\d.*|[0-9a-f-]{6,}|.{31,}|[^\d]\d{2,}[a-z].*")
_NUMBERED = re.compile(r"[^\W\d]{2,}(?:-?\d{1,3})?(?:[^\W\d])*")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_KANJI = "\u4e00-\u9fff\u3400-\u4dbf々"
_KANA = "\u30a1-\u30faー"
_EASTERN = re.compile(f"[{_KANJI}]{{2,}}|[{_KANA}]{{2,}}|[\uac00-\ud7af]{{2,}}")
_HIRAGANA = re.compile("[\u3041-\u3096]")
_CHINESE_STOPS = re.compile(
    "一个|一個|一些|一种|一種|我们|我們|你们|你們|他们|他們|这个|這個|那个|那個|什么|什麼|怎么|怎麼|如何|如果|因为|因為|所以|但是|可以|需要|已经"
    "|已經|没有|沒有|还是|還是|以及|或者|今天|明天|昨天|非常|时候|時候|现在|現在|自己|知道|觉得|覺得|应该|應該|可能|为了|為了|关于|關於|通过|通過"
    "|进行|進行|使用|记得|記得|开始|開始|就是|不是|然后|然後|之后|之後|之前|每天|每个|每個|下周|上周|本周|重要|问题|問題|正在|改变|改變|合适|合適"
    "|方式|并且|比较|比較|不同|许多|許多|很多|其中|只有|只要|由于|由於|而且|帮助|幫助|提高|提供|支持|包括|推荐|推薦|变得|變得|成为|成為|发现|發現"
    "|认为|認為|表示|根据|根據|主要|目前|未来|未來|准备|準備|确认|確認|购买|購買|参加|參加|检查|檢查|明年|今年|去年|所有|不会|不會|不要|还有|還有|也许"
    "|也許|看看|想要|必须|必須|能够|能夠|对于|對於|从而|從而|来自|來自|得到|带来|帶來|随着|隨著|[的了是我你他她它們们这這那就也都很吗嗎呢吧啊把被與与及或但并為为而又才没]"
)
_JAPANESE_STOPS = frozenset(
    "今日 明日 昨日 今年 去年 来年 今週 来週 先週 今月 来月 自分 必要 場合 時間 本当 最近 最後 最初 一番 一緒 全部 "
    "大切 重要 問題 理由 意味 部分 以上 以下 以外 毎日 毎週 "
    "何度 予定 方法 可能 使用 参考 確認 電話 午前 午後 時半".split()
)
_KOREAN_END = re.compile("(?:에서|에게|까지|부터|하고|으로|처럼|보다|이나|은|는|이|가|을|를|에|의|와|과|도|로|만)$")
_KOREAN_VERB = re.compile("(?:다|요|고|면|서|지|네|니|게|기|며|자|까|할|한|된|하는|있는|없는|해야|해서|하여)$")
_KOREAN_STOPS = frozenset(
    "그리고 하지만 그러나 그래서 오늘 내일 어제 지금 정말 너무 매우 아주 모든 우리 나는 저는 이것 그것 때문".split()
)
_NO_ADVERB = frozenset("family families supply italy assembly anomaly reply butterfly jelly belly rally ally".split())
_VERBISH = re.compile(r"(?:ed|ing|able|ible|ful|less|ous|ive|ish)$")
_ROMANCE_WEAK = re.compile(r"(?:mente|ment|er|ir|ar|re|ando|iendo|ant|[aei]mos)$")
_ROMANCE_VERB = re.compile(r"(?:mente|er|ir|ando|iendo|ons|ent)$")
_PAST = re.compile(r"[^e]ed$")
_LEADING, _TRAILING = frozenset("/\\_@$=.&"), frozenset("/\\_@(=+#.")
_SENTENCE_EDGE = frozenset('.!?…\n"“”„«»()[]•|`¿¡–—')
_BEFORE_VERBS = frozenset(
    "to I we you he she they it who will would can could should must might may "
    "don't didn't doesn't can't won't not let's that which".split()
)
_BEFORE_GERUNDS = frozenset("by without when while before after for of from".split())
_ENDINGS = frozenset("s e es n en er r ing ed d".split())
_NOUN_FIRST = ("fr", "es", "it", "pt", "ar")
_LOOSE_PAIRS = ("en", "fr", "es", "it", "pt", "ar", "")
READ = 6_000
"""Characters whose words are weighed; after them only headings."""
SHORT = 400
"""Words of a note whose verbs are looked for: of a longer one only what comes again is a tag, and verbs do so less."""
KEPT = 1200
"""Different words that are weighed."""


@dataclass(slots=True)
class _Term:
    """A word or pair in all its spellings."""

    first: int
    count: int = 0
    place: float = 0.0
    """The best place where it stands."""
    capital: int = 0
    """How often it has a capital where grammar asks for none."""
    standalone: int = 0
    """How often a heading, a link or a hashtag is this and no more."""
    surfaces: dict[str, int] = field(default_factory=dict)
    common: bool = False

    def see(self, surface: str, place: float, capital: bool) -> None:
        """Count one occurrence."""
        self.count += 1
        if place > self.place:
            self.place = place
        self.capital += capital
        self.surfaces[surface] = self.surfaces.get(surface, 0) + 1

    @property
    def surface(self) -> str:
        """Its most frequent spelling, the first one of equals."""
        return max(self.surfaces, key=lambda surface: self.surfaces[surface])


class _Token(NamedTuple):
    text: str
    key: str
    weight: int
    """1: general word, 2: may be a tag."""
    capital: bool


@lru_cache(maxsize=20_000)
def _judged(raw: str, language: str) -> tuple[str, str, int, bool]:
    """A word without what hangs on it, its key, its weight (3: a verb unless it is a name), whether cut in front."""
    elided = _ELISION.match(raw)
    bare = raw[elided.end() :] if elided else raw
    bare = _POSSESSIVE.sub("", bare) if "'" in bare or "’" in bare else bare
    lower = bare.lower()
    weight = 2
    if not _telling(bare, lower, language):
        weight = 0
    elif language in ("en", ""):
        weight = 1 if lower in COMMON or lower in PAST else 3 if lower in VERBS else 2
    elif language == "de" and not bare[:1].isupper():
        weight = 1
    return bare, _key(lower), weight, bool(elided)


def _telling(bare: str, lower: str, language: str) -> bool:
    stops = stop_words(language)
    if not lower or lower[0].isdigit() or lower in AMOUNTS or lower in stops or lower.replace("’", "'") in stops:
        return False
    if _NOT_A_WORD.fullmatch(lower):
        if len(bare) == 2:
            return bare.isupper() and bare.isalpha()
        return bare.isalpha() and 6 < len(bare) < 31
    if any(map(str.isdigit, lower)) and not _NUMBERED.fullmatch(lower):
        return False
    if _WIDE.search(bare):
        return False
    parts = lower.split("-")
    if len(parts) > 2 and any(part in stops for part in parts):
        return len(parts) == 3 and parts[0] not in stops
    if language == "en" and lower.endswith("ly") and lower not in _NO_ADVERB and not bare[0].isupper():
        return False
    return len(lower) > 2 or bare.isupper()


def _in_place(weight: int, bare: str, text: str, start: int, end: int, elided: bool) -> int:
    """A word's weight, 0 inside a path, an address, a call or a formula."""
    if start and not elided and text[start - 1] in _LEADING and not _slashed(text, start - 1, bare):
        return 0
    after = text[end : end + 2]
    if after and after[0] in _TRAILING and (after[0] != "." or after[1:].isalnum()):
        return weight if _slashed(text, end, bare) else 0
    return weight


def _measures(led_by: str, between: str, bare: str) -> bool:
    """Whether a word says of what the number before it is: `20 degrees`, `7 % percent`."""
    return led_by[-1:].isdigit() and not between.strip(" %°~") and bare.lower() in MEASURES


def _said(matches: list[re.Match[str]], text: str) -> frozenset[int]:
    """Places of the words of an English passage that are its verbs."""
    gaps = [text[before.end() : after.start()] for before, after in pairwise(matches)]
    first, last = (text[: matches[0].start()], text[matches[-1].end() :]) if matches else ("", "")
    return verbs([match[0] for match in matches], [first, *gaps, last])


def _is_verb_after(led_by: str, bare: str) -> bool:
    """Whether the word before makes this one a verb, in English."""
    return led_by in _BEFORE_VERBS or (led_by in _BEFORE_GERUNDS and bare.endswith("ing"))


def _slashed(text: str, at: int, bare: str) -> bool:
    """Whether a slash here stands between two alternatives ("red/green"), not in a path."""
    return text[at] == "/" and bare.isalpha() and text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha()


class Terms:
    """The words of one page and what they weigh."""

    def __init__(self, page: Page, title: str, kind: str) -> None:
        self._kind = kind
        passages = list(_passages(page, title))
        self._names = [name for block in page.blocks for name in block.standalone]
        self._names += [block.words for block in page.blocks if block.kind == "heading"]
        if title:
            self._names.append(title)
        rows = [(place, block, list(_TOKEN.finditer(text)), text) for place, block, text in passages]
        spoken = [match[0].lower() for _, _, matches, _ in rows for match in matches]
        self.language = language(spoken[:400])
        self.words = len(spoken)
        self._singles: dict[str, _Term] = {}
        self._pairs: dict[tuple[str, str], _Term] = {}
        self._position = 0
        for place, block, matches, text in rows:
            self._take(place, block, matches, text)
        # Who writes German without capitals has words for tags, too; else these are its verbs.
        self._has_nouns = self.language != "de" or any(not term.common for term in self._singles.values())
        self._note_names()
        self._eastern = _eastern(passages)
        self._hashtags = list(dict.fromkeys(name for name in self._names if name.startswith("#")))[:50]

    def weigh(self, text: str) -> float:
        """How much of what the page is about a sentence holds."""
        keys = {_judged(token, self.language)[1] for token in _TOKEN.findall(text)}
        total = sum(log2(1 + term.count) * term.place for key in sorted(keys) if (term := self._singles.get(key)))
        total += sum(log2(1 + count) * len(word) / 2 for word, count in self._eastern.items() if word in text)
        return total

    def tags(self, existing: Sequence[str]) -> list[str]:
        """The three to five most telling words and two-word phrases; fewer where a note holds fewer."""
        limit = 3 if self.words < 15 else 4 if self.words < 60 else 5
        present = {_key(part) for tag in existing for part in (tag, tag.replace("-", " "))}
        chosen = list({_key(tag): tag for tag in usable_tags(self._hashtags, existing)}.values())[:limit]
        used = {_key(name.lstrip("#").lower()) for name in chosen} | present
        for words in self._ranked():
            if len(chosen) >= limit:
                break
            keys = {_key(word.lower()) for word in words}
            whole = _key(" ".join(words).lower())
            if whole in used or keys & used or any(_akin(one, other) for one in keys for other in used):
                continue
            tag = "-".join(words)
            if usable_tags([tag], ()) and not is_reserved(tag):
                chosen.append(tag)
                used |= keys | {whole, _key(kebab(tag))}
        return usable_tags(chosen, existing)

    def _take(self, place: float, block: Block | None, matches: list[re.Match[str]], text: str) -> None:
        heading = block is None or block.kind in ("heading", "row")
        run: list[_Token] = []
        end = 0
        before = ""
        said = _said(matches, text) if self.language in ("en", "") and self.words <= SHORT else frozenset()
        for at, match in enumerate(matches):
            start, self._position = match.start(), self._position + 1
            led_by, before = before, match[0]
            bare, key, weight, elided = _judged(match[0], self.language)
            between = text[end:start]
            if at in said or _measures(led_by, between, bare):
                weight = 0
            if weight:
                if run and (elided or between != " "):
                    self._close(run, place)
                weight = _in_place(weight, bare, text, start, match.end(), elided)
            if not weight:
                if run:
                    self._close(run, place)
                end = match.end()
                continue
            starts = end == 0 or (between != " " and not _SENTENCE_EDGE.isdisjoint(between))
            capital = bare[0].isupper() and not starts and not heading
            end = match.end()
            if weight == 3:
                weight = 2 if capital else 1
            elif weight == 2 and bare.islower() and _is_verb_after(led_by, bare):
                weight = 1
            if self._see(key, bare, weight, place, capital):
                run.append(_Token(bare, key, weight, capital))
        self._close(run, place)

    def _see(self, key: str, bare: str, weight: int, place: float, capital: bool) -> bool:
        """Count one word; False where there are too many different ones already."""
        term = self._singles.get(key)
        if term is None:
            if len(self._singles) >= KEPT:
                return False
            term = self._singles[key] = _Term(self._position, common=weight == 1)
        term.see(bare, place if weight == 2 else place * 0.3, capital)
        term.common = term.common and weight == 1
        return True

    def _close(self, run: list[_Token], place: float) -> None:
        """Count the pairs of one unbroken run of telling words; a run has its noun at one end."""
        for at in range(len(run) - 1):
            first, second = run[at], run[at + 1]
            if first.key == second.key or (self.language == "de" and not (first.capital and second.capital)):
                continue
            ends = at == 0 if self.language in _NOUN_FIRST else at + 2 == len(run)
            key = (first.key, second.key)
            term = self._pairs.get(key)
            if term is None:
                if len(self._pairs) >= KEPT:
                    continue
                term = self._pairs[key] = _Term(self._position + at, common=first.weight + second.weight < 4)
            term.see(f"{first.text} {second.text}", place * (1.0 if ends else 0.7), first.capital and second.capital)
        run.clear()

    def _note_names(self) -> None:
        for name in self._names[:400]:
            words = [_key(token.lower()) for token in _TOKEN.findall(name)[:4]]
            if len(words) == 1 and (term := self._singles.get(words[0])):
                term.standalone += 1
            elif len(words) == 2 and (pair := self._pairs.get((words[0], words[1]))):
                pair.standalone += 1

    def _ranked(self) -> list[tuple[str, ...]]:
        """Candidates, best first; equals in the order of the note."""
        scored: list[tuple[float, int, tuple[str, ...]]] = []
        covered: Counter[str] = Counter()
        long = self.words > 150
        for key, pair in self._pairs.items():
            score = self._pair_score(key, pair, long)
            if score <= 0:
                continue
            scored.append((-score, pair.first, tuple(pair.surface.split(" "))))
            for part in key:
                covered[part] = max(covered[part], pair.count)
        for key_, term in self._singles.items():
            score = self._single_score(term, long)
            if score <= 0:
                continue
            if covered[key_] * 2.5 >= term.count:
                score *= 0.7
            scored.append((-score, term.first, (term.surface,)))
        for word, count in self._eastern.items():
            scored.append((-(1 + log2(count)) * (1 + 0.1 * len(word)), 0, (word,)))
        scored.sort()
        return [words for _, _, words in scored]

    def _single_score(self, term: _Term, long: bool) -> float:
        surface = term.surface
        lower = surface.lower()
        named = min(term.standalone, 3)
        if term.common and not (named and term.count >= 4 and self.language != "de"):
            return 0.0 if self._has_nouns or long else 0.1
        if long and term.count == 1 and term.place < 1.5 and not term.capital and not named:
            return 0.0
        score = (1 + log2(term.count)) * max(term.place, 1.0) * (1 + 0.25 * named)
        if term.capital * 2 > term.count:
            score *= 1.5
        if not term.capital:
            if self.language in ("en", "") and _VERBISH.search(lower):
                score *= 0.0 if term.count == 1 and _PAST.search(lower) else 0.6
            if self.language in ("fr", "es", "pt", "it") and _ROMANCE_WEAK.search(lower):
                score *= 0.5
            if self.language == "ru" and lower.endswith(("ть", "ться")):
                score *= 0.3
            if self.language == "ar" and not lower.startswith("ال"):
                score *= 0.5
        return score * (0.85 if len(lower) <= 3 else 1.1 if len(lower) >= 8 else 1.0)

    def _pair_score(self, key: tuple[str, str], pair: _Term, long: bool) -> float:
        first, second = (self._singles[part] for part in key) if all(k in self._singles for k in key) else (None, None)
        if first is None or second is None:
            return 0.0
        named = min(pair.standalone, 3)
        if second.common and not named and pair.count < 3 and not (pair.capital and (pair.count == 2 or not long)):
            return 0.0
        if first.common and second.common and (pair.count < 3 or not named):
            return 0.0
        if first.common and pair.count < 2 and not named:
            return 0.0
        if pair.count == 1 and not named and not pair.capital and (long or self.language not in _LOOSE_PAIRS):
            return 0.0
        if pair.count == 1 and not named and self._is_doubtful(pair):
            return 0.0
        if pair.count * 4 < min(first.count, second.count) and not named:
            return 0.0
        score = (1 + log2(pair.count)) * max(pair.place, 0.7) * (1 + 0.25 * named) * 1.3
        if pair.capital * 2 > pair.count:
            score *= 1.4
        if pair.common:
            score *= 0.7
        return score

    def _is_doubtful(self, pair: _Term) -> bool:
        """Whether a pair seen once looks like a name or a noun with its verb."""
        first, second = pair.surface.split(" ")
        if "\u0600" <= first[0] <= "\u06ff":
            return not (first.startswith("ال") and second.startswith("ال"))
        if pair.capital:
            return False
        if self.language in ("en", ""):
            plural = first.endswith("s") and not first.endswith(("ss", "us", "is"))
            return bool(_PAST.search(second)) or (plural and first.islower())
        mixed = first[0].isupper() != second[0].isupper()
        return mixed or bool(_ROMANCE_WEAK.search(first.lower()) or _ROMANCE_VERB.search(second))


def _passages(page: Page, title: str) -> Iterable[tuple[float, Block | None, str]]:
    """Text with the weight of its place: titles and headings first, then how a note begins."""
    if title:
        yield 2.2, None, plain(title)
    first, room = True, READ
    for block in page.blocks:
        if block.kind != "heading" and room < 0:
            continue
        room -= len(block.words)
        if block.kind == "code" or not block.words.strip():
            continue
        if block.kind == "heading":
            yield (2.2 if block.level == 1 else 1.5), block, block.words
        elif block.kind == "row":
            yield 0.9, block, block.words
        else:
            yield (1.3 if first else 1.0), block, block.words
            first = False


def _akin(one: str, other: str) -> bool:
    """Whether two words differ in their ending alone."""
    short, long = sorted((one, other), key=len)
    stem = short.removesuffix("e")
    if len(stem) > 3 and long.startswith(stem) and long[len(stem) :] in ("ing", "ed", "er"):
        return True
    return len(short) > 3 and long.startswith(short) and long[len(short) :] in _ENDINGS


@lru_cache(maxsize=20_000)
def _key(lower: str) -> str:
    """One key for singular and plural."""
    word = lower.replace("’", "'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _eastern(passages: Iterable[tuple[float, Block | None, str]]) -> Counter[str]:
    """Words of Chinese, Japanese and Korean text, which has no spaces or hangs particles on words."""
    found: Counter[str] = Counter()
    texts = [(place, unicodedata.normalize("NFC", text)) for place, _, text in passages if _WIDE.search(text)]
    if not texts:
        return found
    japanese = any(_HIRAGANA.search(text) for _, text in texts)
    whole_words: set[str] = set()
    for place, text in texts:
        for match in _EASTERN.finditer(text):
            words = list(_eastern_words(match[0], japanese))
            if len(words) < 8:
                whole_words.update(words)
            for word in words:
                found[word] += 2 if place > 1.4 else 1
    for word in [word for word, count in found.items() if word not in whole_words and count < 2 + (len(texts) > 5)]:
        del found[word]
    whole: Counter[str] = Counter()
    for word, count in found.most_common(60):
        longer = [other for other in whole if word in other]
        if not any(whole[other] >= count for other in longer):
            whole[word] = count
    return whole


def _eastern_words(run: str, japanese: bool) -> Iterable[str]:
    if "\uac00" <= run[0] <= "\ud7af":
        stem = _KOREAN_END.sub("", run) if len(run) > 2 else run
        if len(stem) > 1 and run not in _KOREAN_STOPS and stem not in _KOREAN_STOPS and not _KOREAN_VERB.search(run):
            yield stem
    elif japanese or "\u30a0" <= run[0] <= "\u30ff":
        if run not in _JAPANESE_STOPS and len(run) <= 10:
            yield run
    else:
        for part in _CHINESE_STOPS.split(run):
            part = part.strip("在和有会會要不将將从從对對给給到用请請让讓")
            if 2 <= len(part) <= 4:
                yield part
            elif len(part) > 4:
                yield from (part[at : at + size] for size in (2, 3, 4) for at in range(min(len(part), 30) - size + 1))
