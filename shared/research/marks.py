"""Marks of citation for the links of a draft: the statement counts, and a link's words only where they belong to it.

A link's words never pass for the name of a source that is called otherwise. Pure.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shared.models.note import Citation
from shared.research.citing import code_apart
from shared.search import is_small

# A draft is a model's: every repetition is bounded, and of what stands before a link only a piece is looked at.
_URL = r"(?:[^()\s<>]|\([^()\s<>]{0,500}\)){1,2000}"
_LINK = re.compile(
    rf"\[(?P<words>[^\[\]\n]{{0,400}})\]\(<?(?P<url>{_URL})>?(?:\s\"[^\"\n]{{0,300}}\")?\)"
    r"|<?(?P<bare>(?:https?://|#/notes/)[^\s<>()\[\]]{1,2000})>?"
)
_CITE = re.compile(r"\s?\[cite:[^\]\n]{0,100}\]")
_NUMBER = r"\^?\d{1,3}"
_BARE = rf"\[{_NUMBER}(?:\s?[,;–-]\s?{_NUMBER}){{0,30}}\](?![(\[:\w])"
_OF_LIST = re.compile(rf"\s?(?:{_BARE}|【\d[^】\n]{{0,60}}】)")
_LOOSE = re.compile(rf"\s{_BARE}|(?:^|(?<=[.!?…,;:\"”’)])){_BARE}|\s?\[\^\d{{1,3}}\](?!:)|\s?【\d[^】\n]{{0,60}}】")
"""Where no list is there, a number in brackets right behind a word may be code's or a formula's."""
_DIGITS = re.compile(r"\d{1,3}")
_BETWEEN = re.compile(r"[ \t]{0,3}\n?[ \t]{0,3}[,;]?[ \t]?(?:(?:and|und|et|y|&)\s)?")
_SAID = r"(?:(?:see|sources?|siehe|quellen?|voir|fuentes?|cf\.|vgl\.)[: ]{1,3})?$"
_OPENED = re.compile(rf"[ \t]{{0,9}}\([ \t]{{0,3}}{_SAID}", re.IGNORECASE)
_DASHED = re.compile(rf"(?<=\S)[ \t>]{{1,9}}[–—-]{{1,2}}[ \t]{{1,3}}{_SAID}", re.IGNORECASE)
_CLOSED = re.compile(r"[ \t]{0,3}\)")
_FINISHED = re.compile(r"[.!?…。！？][\"'”’)\]*_]{0,6}$")
_NO_END = re.compile(r"(?:^|\n)[ \t>]{0,9}\d{1,3}[.)]$|\b(?:e\.g|i\.e|vs|cf|Dr|z\. ?B|vgl|bzw)\.$")
_BEHIND = re.compile(r"(\.(?=\s|$))|[ \t]{0,9}(?:$|\n|[^\s\w,;:.!?)\]–—-]|[^\W_a-zß-öø-ÿ])")
"""What follows a link that no sentence goes on behind; a full stop of its own goes."""
_STATED = re.compile(r"[ \t]{0,9}(?:$|\n|[.!?;])")
_LAST_WORD = re.compile(r"(\w+)[\s\"'“‘„(*_]{0,9}$")
_NAME = re.compile(r"\w[\w'’&.-]{0,99}")
_NEAR = 400
_GENERIC = frozenset(
    "source sources note notes link here page article report document entry quelle quellen notiz notizen seite "
    "artikel bericht hier eintrag fuente nota página fonte lien ici".split()
)
_JOINING = frozenset(
    "according to in from by of see at on with per via and or the a an is are was says said called named laut nach "
    "im aus von bei zu zur zum und oder der die das dem den ist sind war siehe dans de du des selon voir et ou la le "
    "les en por según y o el los las".split()
)
"""Behind these the words of a link belong to the sentence."""


class _Link(NamedTuple):
    start: int
    end: int
    words: str
    url: str


@dataclass(slots=True)
class Marks:
    """The marks of one report; sources are numbered as they are first marked."""

    citations: Mapping[str, Citation]
    """What may be cited, by address."""
    texts: Mapping[str, str]
    """What is known of the sources' own words, by address."""
    numbers: dict[str, int] = field(default_factory=dict)

    def put(self, body: str, entries: Mapping[int, str]) -> str:
        """The text with marks for its links; `entries` is what its own list said under the numbers of bare marks."""
        believed = {number: url for number, said in entries.items() if (url := self._believed(said))}

        def linked(mark: re.Match[str]) -> str:
            urls = dict.fromkeys(believed[n] for n in map(int, _DIGITS.findall(mark[0])) if n in believed)
            return "".join(f" []({url})" for url in urls)

        pieces: list[str] = []
        for piece, code in code_apart(body):
            if not code:
                piece = (_OF_LIST if entries else _LOOSE).sub(linked, _CITE.sub("", piece))
                piece = "".join(self._marked(piece))
            pieces.append(piece)
        return "".join(pieces)

    def cited(self) -> list[Citation]:
        """The sources that are marked, by their numbers."""
        return [self.citations[url].model_copy(update={"number": n}) for url, n in self.numbers.items()]

    # -- links

    def _marked(self, text: str) -> Iterator[str]:
        at = 0
        finished = False
        runs = deque(self._runs(text))
        while runs:
            run = runs.popleft()
            if len(run) > 1 and _ends(text[max(at, run[0].start - _NEAR) : run[0].start].rstrip(" \t\n>")):
                if not _BEHIND.match(text, run[-1].end):
                    # Its last link begins the next sentence.
                    runs.appendleft([run.pop()])
            start, end, made, finished = self._replaced(text, at, run, finished)
            yield text[at:start]
            yield made
            at = end
        yield text[at:]

    def _runs(self, text: str) -> list[list[_Link]]:
        """The links that can be cited; those with nothing between them stand together."""
        found: list[list[_Link]] = []
        for match in _LINK.finditer(text):
            url = match["url"] or match["bare"]
            end = match.end()
            if match["bare"] and url not in self.citations:
                url = url.rstrip(".,;:!?")
                end = match.start("bare") + len(url)
            if url not in self.citations:
                continue
            link = _Link(match.start(), end, (match["words"] or "").strip(), url)
            if found and _BETWEEN.fullmatch(text[found[-1][-1].end : link.start]):
                found[-1].append(link)
            else:
                found.append([link])
        return found

    def _replaced(self, text: str, at: int, run: list[_Link], after_mark: bool) -> tuple[int, int, str, bool]:
        """From where to where, by what, and whether that stands behind a finished sentence."""
        start, end = run[0].start, run[-1].end
        head = text[max(at, start - _NEAR) : start]
        apart = False
        opened, closed = _OPENED.search(head), _CLOSED.match(text, end)
        if opened and closed:
            start, end, apart = start - len(head) + opened.start(), closed.end(), True
        elif (dashed := _DASHED.search(head)) and _STATED.match(text, end):
            before = head[: dashed.start()].rstrip(" \t\n>")
            if _ends(before) or all(self._is_name(one) for one in run):
                start, apart = start - len(head) + dashed.start(), True
        before = text[max(at, start - _NEAR) : start].rstrip(" \t\n>")
        behind = _BEHIND.match(text, end)
        finished = _ends(before) or (after_mark and not before)
        if finished and (apart or behind) and not self._states(run):
            stop = behind.end(1) if behind and behind[1] else end
            return max(at, start - _NEAR) + len(before), stop, self._mark(run), True
        if apart:
            return start, end, self._mark(run), False
        return self._in_sentence(text, at, run)

    def _in_sentence(self, text: str, at: int, run: list[_Link]) -> tuple[int, int, str, bool]:
        last = run[-1]
        before = text[max(at, run[0].start - _NEAR) : run[0].start]
        joined = _LAST_WORD.search(before.rpartition("\n")[2])
        stated = joined and joined[1].lower() not in _JOINING and _STATED.match(text, last.end)
        if all(not one.words or one.words.isdigit() for one in run) or (stated and all(map(self._is_name, run))):
            start = run[0].start - (len(before) - len(before.rstrip(" ")))
            mark = self._mark(run)
            return start, last.end, mark if start else mark.lstrip(), False
        made: list[str] = []
        to = run[0].start
        for one in run:
            made.append(text[to : one.start])
            made.append(one.words if self._is_strange(one) else f"{one.words}{self._mark([one])}".lstrip())
            to = one.end
        return run[0].start, last.end, "".join(made), False

    def _mark(self, run: Sequence[_Link]) -> str:
        """A blank and the mark; nothing where each link passes its source off as something else."""
        urls = dict.fromkeys(one.url for one in run if not (self._is_strange(one) and self._is_foreign(one)))
        numbers = [self.numbers.setdefault(url, len(self.numbers) + 1) for url in urls]
        return f" [cite: {', '.join(map(str, numbers))}]" if numbers else ""

    # -- their words

    def _believed(self, entry: str) -> str:
        """The source that an entry of the draft's list names by its own name; empty where there is none."""
        for match in _LINK.finditer(entry):
            url = match["url"] or match["bare"].rstrip(".,;:!?")
            beside = f"{entry[: match.start()]} {match['words'] or ''} {entry[match.end() :]}"
            if url in self.citations and not self._strange(url, beside):
                return url
        return ""

    def _states(self, run: Sequence[_Link]) -> bool:
        """Whether the words are a sentence of their own."""
        return len(run) == 1 and bool(_FINISHED.search(run[0].words)) and not self._named(run[0])

    def _is_name(self, link: _Link) -> bool:
        return self._named(link) or self._is_strange(link)

    def _named(self, link: _Link) -> bool:
        """Whether the words are nothing but the source's name."""
        said, title = _plain(link.words), _plain(self.citations[link.url].title)
        if not said or said == title or (title.startswith(f"{said} ") and len(said) > len(title) / 2):
            return True
        return all(word in _GENERIC or word.isdigit() for word in said.split())

    def _is_strange(self, link: _Link) -> bool:
        return self._strange(link.url, link.words)

    def _strange(self, url: str, words: str) -> bool:
        """Whether words name something of which the source knows nothing."""
        known = self._known(url)
        names = (word for word in _spelt(words) if word[0].isupper())
        return any(name.lower() not in known for name in names)

    def _is_foreign(self, link: _Link) -> bool:
        """Whether the source knows none of the words."""
        known = self._known(link.url)
        return not any(word.lower() in known for word in _spelt(link.words))

    def _known(self, url: str) -> str:
        one = self.citations[url]
        return f"{one.title} {url} {one.quote or ''} {self.texts.get(url, '')}".lower()


def _spelt(words: str) -> Iterator[str]:
    """The words that name something, as they are spelt; `WHO` is no small word."""
    for name in _NAME.findall(words):
        word = name.rstrip("'’&.-")
        if word.lower() not in _GENERIC and ((word.isupper() and len(word) > 1) or not is_small(word)):
            yield word


def _ends(before: str) -> bool:
    return bool(_FINISHED.search(before)) and not _NO_END.search(before)


def _plain(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.lower()))
