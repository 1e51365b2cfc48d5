"""The words in an address: what its path says to a reader. Never an id, a hash or a query; it fetches nothing."""

import re
from urllib.parse import unquote

from shared.enrichment.proposal import TITLE, cut, plain
from shared.enrichment.text import host

LONGEST = 2_000
"""Characters of an address that are looked at."""

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDING = re.compile(r"\.[A-Za-z][\w]{1,4}$")
_NAMED = re.compile(r"[^\W\d_]{2,12}\d{1,2}|\d{1,2}[^\W\d_]{1,2}")
"""A word with a number in it: mp3, python3, 2nd, 4k."""
_YEAR = re.compile(r"\d{1,2}|(?:19|20)\d\d")
_HUMPED = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*(?:[A-Z][^\W\d_A-Z]{2,})*|[A-Z]{2,6}")
_VOWEL = re.compile("[aeiouyäöüáàâãåæéèêëíìîïóòôõøœúùûý]", re.IGNORECASE)
_CLUSTER = re.compile("[bcdfghjklmnpqrstvwxz]{6}", re.IGNORECASE)
_HEX = re.compile(r"[a-f]{8,}", re.IGNORECASE)
_PLACES = frozenset(
    "index home default main page pages post posts article articles story stories blog blogs news item items view "
    "views show watch video videos wiki docs doc documentation questions question answers user users profile "
    "status statuses comments comment photo photos image images gallery search results category categories tag "
    "tags topic topics archive archives content contents node thread threads forum forums product products shop "
    "download downloads file files read print share abs html pdf amp embed live shorts playlist channel open edit "
    "preview public static media assets login account dashboard about contact feed latest entry entries blob tree "
    "master issues pull releases spreadsheets document documents presentation folder folders app web site artikel "
    "beitrag beitraege seite seiten nachrichten startseite suche thema themen".split()
)
"""Names of places on a site, which say nothing of what is there."""


def words(address: str) -> list[str]:
    """The words of its most telling part, as they are spelt there; none where it has only ids and names of places."""
    best: list[str] = []
    pointed = False
    for part in filter(None, reversed(_path(address).split("/"))):
        found = _readable(_ENDING.sub("", plain(unquote(part))))
        if len(found) > 2:
            return found
        pointed = pointed or (not found and _is_id(part) and not _YEAR.fullmatch(part))
        # A single word before an id names the shelf, not the book.
        if not best and (len(found) > 1 or not pointed):
            best = found
    return best


def name(address: str) -> str:
    """A title: the words and the host (`Growing pears on clay - example.org`), or what an address has instead."""
    if found := words(address):
        said = " ".join(found)
        site = cut(host(address[:LONGEST]), TITLE // 2)
        return f"{cut(said[:1].upper() + said[1:], TITLE - len(site) - 3)} - {site}"
    site = plain(host(address[:LONGEST]))
    kept = [part for part in map(plain, _path(address).split("/")) if part and not _is_id(part)]
    whole = "/".join((site, *kept))
    return cut(whole if len(whole) <= 80 else site, TITLE)


def _path(address: str) -> str:
    rest = address[:LONGEST].split("://", 1)[-1]
    return re.split(r"[?#;]", rest, maxsplit=1)[0].partition("/")[2]


def _readable(part: str) -> list[str]:
    """The words of one part of a path; none where it is no language, or the name of a place."""
    pieces = _PIECE.findall(part)
    while pieces and not _is_word(pieces[-1]) and not _YEAR.fullmatch(pieces[-1]):
        pieces.pop()
    while pieces and not _is_word(pieces[0]) and not _YEAR.fullmatch(pieces[0]):
        del pieces[0]
    telling = [piece for piece in pieces if len(piece) > 2 and piece.isalpha() and _is_word(piece)]
    telling = telling or [piece for piece in pieces if piece.isalpha() and not piece.isascii()]
    strange = sum(not _is_word(piece) and not _YEAR.fullmatch(piece) for piece in pieces)
    if not telling or strange or len(pieces) > 25:
        return []
    if all(piece.lower() in _PLACES for piece in telling) or (len(pieces) == 1 and len(part) < 4 and part.isascii()):
        return []
    return pieces


def _is_word(piece: str) -> bool:
    """Whether it looks like a word of a language that is written with letters."""
    if any(map(str.isdigit, piece)):
        return bool(_NAMED.fullmatch(piece))
    if not piece.isascii():
        return len(piece) <= 40
    if len(piece) < 3:
        return piece.islower() or piece.istitle() or piece.isupper()
    if len(piece) > 25 or _CLUSTER.search(piece) or _HEX.fullmatch(piece) or not _HUMPED.fullmatch(piece):
        return False
    return piece.isupper() or len(_VOWEL.findall(piece)) * 5 >= len(piece)


def _is_id(part: str) -> bool:
    """Whether a part of a path only points: a number, a hash, a token."""
    pieces = _PIECE.findall(unquote(part))
    return not pieces or not all(map(_is_word, pieces))
