"""The words in an address: what its path says to a reader. Never an id, a hash or a query; it fetches nothing."""

import re
from urllib.parse import unquote

from shared.enrichment.proposal import TITLE, cut, plain
from shared.enrichment.text import host, read
from shared.models.note import web_address

LONGEST = 2_000
"""Characters of an address that are looked at."""
BESIDE = 12
"""Words that may stand beside an address in a note that is no more than this link."""

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDING = re.compile(r"\.[A-Za-z][\w]{1,4}$")
_NAMED = re.compile(r"[^\W\d_]{2,12}\d{1,2}|\d{1,2}[^\W\d_]{1,2}")
"""A word with a number in it: mp3, python3, 2nd, 4k."""
_YEAR = re.compile(r"\d{1,2}|(?:19|20)\d\d")
_HUMPED = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*(?:[A-Z][^\W\d_A-Z]{2,})*|[A-Z]{2,6}")
_VOWEL = re.compile("[aeiouyäöüáàâãåæéèêëíìîïóòôõøœúùûý]", re.IGNORECASE)
_SHORT = re.compile(r"[a-z]{2,5}|[A-Z]{2,5}s?")
"""Letters without a vowel, such as css or llms: beside words an abbreviation, alone an id."""
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
_LEADING_ON = frozenset(
    "a an the of for with and or to in on at by from about as into than via vs your my our their is are was be if i "
    "der die das den dem des ein eine einen von vom mit für und oder zu zum zur im am auf bei aus über als "
    "le la les du de des un une et à pour el los las del en y con por para".split()
)
"""Small words that no title ends with."""
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]，。、；）】」]{3,2000}", re.IGNORECASE)
_TAG = re.compile(r"(?<!\S)#[^\W\d_][\w/-]*")
_BEHIND = frozenset(").,;:!?*_~")


def linked(text: str) -> str | None:
    """The address of a text that is a link with at most a few words around it; None for any other text.

    A question about a page is none, nor is an entry of a list of things to do.
    """
    if "://" not in text or len(text) > 2 * LONGEST:
        return None
    found = {_ended(match) for match in _ADDRESS.findall(text)}
    blocks = [block for block in read(text).blocks if block.text or block.words.strip()]
    said = _TAG.sub("", " ".join(block.words for block in blocks)).strip()
    plainly = all(block.kind in ("prose", "heading") for block in blocks) and len(blocks) <= 3
    if len(found) != 1 or not plainly or said.endswith("?") or len(_PIECE.findall(said)) > BESIDE:
        return None
    try:
        return web_address(found.pop())
    except ValueError:
        return None


def _ended(address: str) -> str:
    """An address without what the sentence around it put behind it; its own brackets stay."""
    while address[-1] in _BEHIND and not (address[-1] == ")" and address.count("(") >= address.count(")")):
        address = address[:-1]
    return address


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
    """A title: the words and the host (`Growing pears on clay - example.org`), or the address without its ids.

    Words that break off are no title: `Weird world of` tells less than the address that they stand in.
    """
    if (found := words(address)) and found[-1].lower() not in _LEADING_ON:
        said = " ".join(found)
        site = cut(host(address[:LONGEST]), TITLE // 2)
        return f"{cut(said[:1].upper() + said[1:], TITLE - len(site) - 3)} - {site}"
    site = plain(host(address[:LONGEST]))
    kept = [part for part in map(plain, _path(address).split("/")) if part and (not _is_id(part) or _says(part))]
    whole = "/".join((site, *kept))
    return cut(whole if len(whole) <= 80 else site, TITLE)


def _says(part: str) -> bool:
    """Whether there are words in a part of a path, whatever else is in it."""
    pieces = _PIECE.findall(plain(unquote(part)))
    return any(map(_is_telling, pieces)) and sum(piece.isalpha() and _is_word(piece) for piece in pieces) > 1


def _path(address: str) -> str:
    rest = address[:LONGEST].split("://", 1)[-1]
    return re.split(r"[?#;]", rest, maxsplit=1)[0].partition("/")[2]


def _readable(part: str) -> list[str]:
    """The words of one part of a path; none where it is no language, or the name of a place."""
    pieces = _PIECE.findall(part)
    several = sum(map(_is_telling, pieces)) > 1
    short = {piece for piece in pieces if several and _SHORT.fullmatch(piece)}
    while pieces and pieces[-1] not in short and not _is_word(pieces[-1]) and not _YEAR.fullmatch(pieces[-1]):
        pieces.pop()
    while pieces and pieces[0] not in short and not _is_word(pieces[0]) and not _YEAR.fullmatch(pieces[0]):
        del pieces[0]
    telling = list(filter(_is_telling, pieces))
    telling = telling or [piece for piece in pieces if piece.isalpha() and not piece.isascii()]
    strange = sum(not (_is_word(piece) or piece in short or _YEAR.fullmatch(piece)) for piece in pieces)
    if not telling or strange or len(pieces) > 25:
        return []
    if all(piece.lower() in _PLACES for piece in telling) or (len(pieces) == 1 and len(part) < 4 and part.isascii()):
        return []
    return pieces


def _is_telling(piece: str) -> bool:
    return len(piece) > 2 and piece.isalpha() and _is_word(piece)


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
