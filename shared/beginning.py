"""Beginnings of words, by which a note is found while a word is being typed. They never stand for a whole word."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from shared import search

MARK = "^"
"""Before each beginning; no word holds it, so none is taken for a beginning."""
_SHORTEST, _LONGEST = 3, 8
"""Letters of a beginning."""
_MOST_WORDS = 40
"""Words of one note that are found by their beginning: those of title and tags, then the text's first."""
_PART = 2_000
"""Characters of a text in which these words are looked for."""
_LONGEST_CHUNK = 200
"""Characters between two blanks; what is longer is an address, data, or of a script without blanks."""


def indexed(title: str, body: str, tags: Sequence[str]) -> list[str]:
    """What a note is found by, at most `search.MOST`: its words, then its beginnings."""
    return with_words(search.tokens(title, body, tags), title, body, tags)


def with_words(words: Sequence[str], title: str, body: str, tags: Sequence[str]) -> list[str]:
    """The note's words with its beginnings behind them, in place of what beginnings were among them."""
    begun = _of_note(title, body, tags)
    return [word for word in words if not word.startswith(MARK)][: search.MOST - len(begun)] + begun


def asked(question: str) -> str:
    """The question's last word as a beginning; "" where that word is complete, short, or one that says nothing.

    It is complete where a blank or another sign stands behind it. Of a long word, the first letters are asked for.
    """
    chunks = question.split()
    if not chunks or question[-1].isspace():
        return ""
    last = chunks[-1]
    if len(chunks) > 1 and search.is_small(last):
        return ""
    word = (search.spelled(last) or ("",))[-1]
    if len(word) < _SHORTEST or not search.fold(last).endswith(word):
        return ""
    return MARK + word[:_LONGEST]


def begins(chunk: str, beginning: str) -> bool:
    """Whether a word of the chunk, a text without blanks, begins with what `asked` gave."""
    return any(word.startswith(beginning[len(MARK) :]) for word in search.spelled(chunk))


def damped(weights: Mapping[str, int]) -> dict[str, int]:
    """The weights of a question's words that are found at all, with those of beginnings brought down.

    A beginning counts half of what it would as a word, and at most half of what the word that is typed so far does:
    who has typed `note` means notes before notebooks, however common notes are.
    """
    return {
        word: _damped(word[len(MARK) :], weight, weights) if word.startswith(MARK) else weight
        for word, weight in weights.items()
    }


def _damped(begun: str, weight: int, weights: Mapping[str, int]) -> int:
    whole = [of for word, of in weights.items() if len(word) >= _SHORTEST and _same(word, begun)]
    return max(1, min([weight, *whole]) // 2)


def _same(word: str, begun: str) -> bool:
    """Whether a question's word may be the one that `begun` is of: either is shortened."""
    return not word.startswith(MARK) and (word.startswith(begun) or begun.startswith(word))


def _of_note(title: str, body: str, tags: Sequence[str]) -> list[str]:
    words: dict[str, None] = {}
    for text in (title, *tags, body[:_PART]):
        for chunk in text.split():
            if len(chunk) <= _LONGEST_CHUNK:
                words.update(_of_chunk(chunk))
            if len(words) >= _MOST_WORDS:
                break
    return list(dict.fromkeys(one for word in list(words)[:_MOST_WORDS] for one in _of_word(word)))


@lru_cache(maxsize=16_384)
def _of_chunk(chunk: str) -> dict[str, None]:
    """Words that have beginnings; those that every text holds are left out, whatever the note's language."""
    return {} if search.is_small(chunk) else dict.fromkeys(w for w in search.spelled(chunk) if len(w) > _SHORTEST)


@lru_cache(maxsize=16_384)
def _of_word(word: str) -> tuple[str, ...]:
    # Not the whole word: whoever has typed it all finds it as a word.
    return tuple(MARK + word[:letters] for letters in range(_SHORTEST, min(_LONGEST, len(word) - 1) + 1))
