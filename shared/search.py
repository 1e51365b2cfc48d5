"""Text to search words, the same way for notes and for questions. It knows nothing of stores and ranks nothing."""

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

import snowballstemmer  # type: ignore[import-untyped]  # it ships no types

MOST = 2_000
"""Words of one note."""
_LONGEST = 64
"""Characters of one word; what is longer is data, not language."""


def tokens(title: str, body: str, tags: Sequence[str]) -> list[str]:
    """The words of a note, each once, those of title and tags first."""
    language = _language(body if body else title)
    found: dict[str, None] = {}
    for text in (title, *tags, body):
        for chunk in text.split():
            found.update(_words(chunk, language, False))
            if len(found) >= MOST:
                return list(found)[:MOST]
    return list(found)


def words(question: str) -> list[str]:
    """The words to look for; stop words only where there is nothing else."""
    language = _language(question, least=1)
    stops = _STOPS["english"] | _STOPS.get(language, frozenset())
    found: dict[str, None] = {}
    weak: dict[str, None] = {}
    for chunk in question.split():
        if _bare(chunk) in stops:
            weak.update(_words(chunk, language, True))
            continue
        for word in _words(chunk, _by_letters(chunk) if language == "english" else language, True):
            (weak if _HIRAGANA.fullmatch(word) else found)[word] = None
    return list(found or weak)[:MOST]


def language(text: str) -> str:
    """The language in which the words of a note's text are shortened."""
    return _language(text)


def is_small(chunk: str) -> bool:
    """Whether a text without blanks is a word that every text of some language holds."""
    return _bare(chunk) in _SMALL


def spelled(chunk: str) -> list[str]:
    """The words of a text without blanks, folded but not shortened; of an address, those of the host's name.

    Numbers are left out, and words of scripts without blanks.
    """
    chunk = _URL.sub(lambda url: f" {_parted(url[0])[0]} ", _plain(chunk))
    return [
        _fold(word.lower())
        for run in _RUN.findall(chunk)
        for word in run.split("_")
        if word[:1].isalpha()
        and len(word) <= _LONGEST
        and (word.isascii() or not _compiled(_ANY_UNSPACED).search(word))
    ]


def joined(chunk: str, language: str) -> Iterable[str]:
    """The words of a text without blanks, as a note with it is found by."""
    return _words(chunk, language, False)


def runs(chunk: str, language: str) -> Iterator[tuple[int, int, Iterable[str]]]:
    """The same word by word: where each begins and ends, and by which words it is found.

    Where a script has no blanks, each pair of characters is one, and each single character.
    """
    for run in _RUN.finditer(chunk):
        for part in _compiled(_SCRIPTS).finditer(run.group()) if not run.group().isascii() else ():
            at, text = run.start() + part.start(), part.group()
            if part.lastgroup is None:
                yield at, at + len(text), _words(text, language, False)
                continue
            for place in range(len(text)):
                yield at + place, at + place + 1, (text[place],)
                yield at + place, at + min(place + 2, len(text)), (text[place : place + 2],)
        if run.group().isascii():
            yield run.start(), run.end(), _words(run.group(), language, False)


def fold(text: str) -> str:
    """Small letters without their accents."""
    return _fold(text.lower())


# Word characters: \w leaves out the vowel signs of Indic and South-East Asian scripts, and cuts words at them.
_W = r"[\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"'`\])}]+|www\.[^\s<>\"'`\])}]+", re.IGNORECASE)
_ATOM = re.compile(
    rf"""(?P<call>[^\W\d]\w*\(\w+(?:,\w+)*\))
    |(?P<sharp>[A-Za-z]\w*(?:\+\+|\#)(?!\w))
    |(?P<number>(?<![\d,])\d{{1,3}}(?:,\d{{3}}){{1,8}}(?![\d,]))
    |(?P<name>{_W}+(?:[-./:@'_]+{_W}+)*)
    |(?P<sign>[\u2190-\u21ff\u2600-\u27bf\U0001f300-\U0001faff])""",
    re.VERBOSE,
)
_RUN = re.compile(rf"{_W}+")
_JOINT = re.compile(r"[-./:@_]+")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
_ELISION = re.compile(r"(?:[cdjlmnst]|qu|lorsqu|jusqu|puisqu|dell|nell|all|sull|un)'(?=\w{2})", re.IGNORECASE)

# Written without spaces between words: Han, kana, Hangul (with its particles), Thai, Lao, Burmese, Khmer.
_HAN = r"\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = r"\u3041-\u3096\u3099\u309a\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff"
_HANGUL = r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"
_SOUTH_EAST = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_SCRIPTS = (
    rf"(?P<cjk>[{_HAN}{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<sea>[{_SOUTH_EAST}]+)"
    rf"|[^{_HAN}{_KANA}{_HANGUL}{_SOUTH_EAST}]+"
)
_ANY_UNSPACED = f"[{_HAN}{_KANA}{_HANGUL}{_SOUTH_EAST}]"
_ONE_HAN = f"[{_HAN}]"
# Compiling these takes most of what importing this module would.
_compiled = lru_cache(maxsize=None)(re.compile)
_HIRAGANA = re.compile(r"[\u3041-\u309e]+")

_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe0e\ufe0f]")
# Marks that readers leave out when they search. Voicing marks of kana are none of these: they change the word.
_MARKS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u064b-\u065f\u0670]")
_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ð": "d", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "ħ": "h"})


@lru_cache(maxsize=16_384)
def _short(chunk: str, language: str, asking: bool) -> dict[str, None]:
    return dict.fromkeys(_expand(chunk, language, asking))


def _words(chunk: str, language: str, asking: bool) -> dict[str, None]:
    # Long chunks (a paragraph of Chinese, a data: address) don't come twice; remembering them would only cost room.
    if len(chunk) <= 48:
        return _short(chunk, language, asking)
    return dict.fromkeys(_expand(chunk, language, asking))


def _expand(chunk: str, language: str, asking: bool) -> Iterator[str]:
    chunk = _plain(chunk)
    if "//" in chunk or "www." in chunk.lower():
        for url in _URL.findall(chunk):
            yield from _address(url, language, asking)
        chunk = _URL.sub(" ", chunk)
    for atom in _ATOM.finditer(chunk):
        text = atom.group()
        match atom.lastgroup:
            case "name":
                yield from _name(text, language, asking)
            case "call":
                yield from _whole(text)
                for part in re.split(r"[(),]+", text):
                    yield from _name(part, language, asking)
            case "sharp":
                yield from _whole(text)
                if len(base := text.rstrip("+#")) > 1:
                    yield from _name(base, language, asking)
            case "number":
                yield text.replace(",", "")
            case _:
                yield text


def _plain(chunk: str) -> str:
    """Without what is not seen, each letter in its usual form."""
    if chunk.isascii():
        return chunk
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", chunk)).replace("\u2019", "'")


def _parted(url: str) -> tuple[str, str]:
    """An address's host, and what is behind it."""
    host, _, path = url.partition("://")[2].partition("/") if "://" in url else url.partition("/")
    return host.rpartition("@")[2].partition(":")[0].lower().removeprefix("www."), path


def _address(url: str, language: str, asking: bool) -> Iterator[str]:
    host, path = _parted(url)
    yield from _name(host.strip("."), language, asking)
    for part in re.findall(rf"{_W}+(?:[-._]{_W}+)*", unquote(path)):
        yield from _name(part, language, asking)


def _name(text: str, language: str, asking: bool) -> Iterator[str]:
    """A word, or several grown together: the whole first, then the parts."""
    if "'" in text:
        text = _ELISION.sub("", text)
        text = re.sub(r"'s\b", "", text, flags=re.IGNORECASE).replace("'", "")
    if version := _VERSION.fullmatch(text):
        numbers = version.group(1).split(".")
        if text[0] in "vV":
            yield text.lower()
        for count in range(len(numbers), 1, -1):
            yield ".".join(numbers[:count])
        return
    parts = [part for part in _JOINT.split(text) if part]
    if len(parts) > 1:
        yield from _whole(text)
    for part in parts:
        if not part.isascii() and _compiled(_ANY_UNSPACED).search(part):
            yield from _unspaced(part, language, asking)
        else:
            yield from _humps(part, language)


def _humps(word: str, language: str) -> Iterator[str]:
    if len(word) > _LONGEST:
        return
    if word.isdigit():
        yield word
        return
    if word.isalpha() and (word.islower() or word[1:].islower() or word.isupper()):
        yield from _stems(word, language)
        return
    humps = _HUMP.findall(word)
    if len(humps) < 2:
        yield from _stems(word, language)
        return
    yield from _stems(word, language)  # like any word: a question may hold it in small letters
    for hump in humps:
        if len(hump) > 1 and not hump.isdigit():
            yield from _stems(hump, language)


def _unspaced(text: str, language: str, asking: bool) -> Iterator[str]:
    for run in _compiled(_SCRIPTS).finditer(text):
        part, script = run.group(), run.lastgroup
        if script is None:
            yield from _humps(part, language)
        elif len(part) == 1:
            yield part
        else:
            if script == "hangul" and 2 < len(part) <= _LONGEST:
                yield part
            for left, right in pairwise(part):
                # A question of one character must find it inside a word, so notes hold those too.
                if script == "cjk" and not asking and _compiled(_ONE_HAN).match(left):
                    yield left
                yield left + right
            if script == "cjk" and not asking and _compiled(_ONE_HAN).match(part[-1]):
                yield part[-1]


def _whole(text: str) -> Iterator[str]:
    if len(text) <= _LONGEST:
        yield _fold(text.lower())


def _stems(word: str, language: str) -> Iterator[str]:
    word = word.lower()
    if len(word) < 3:
        yield _fold(word)
        return
    if "\u0400" <= word[0] <= "\u04ff":
        yield _fold(_stem("russian", word))
    elif "\u0370" <= word[0] <= "\u03ff":
        yield _fold(_stem("greek", word))
    elif "\u0600" <= word[0] <= "\u06ff":
        yield _fold(_stem("arabic", word))
    else:
        # The English stem is always there, so that a question finds a note whose language it can't know.
        yield _stem("english", _fold(word))
        if language != "english":
            yield _fold(_stem(language, word))


def _fold(word: str) -> str:
    if word.isascii():
        return word
    bare = _MARKS.sub("", unicodedata.normalize("NFD", word.casefold()))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


_stemmers: dict[str, snowballstemmer.stemmer] = {}
_one_at_a_time = threading.Lock()


@lru_cache(maxsize=32_768)
def _stem(language: str, word: str) -> str:
    with _one_at_a_time:  # a stemmer keeps the word it works on in itself
        if language not in _stemmers:
            _stemmers[language] = snowballstemmer.stemmer(language)
        return str(_stemmers[language].stemWord(word))


def _bare(chunk: str) -> str:
    return chunk.strip("\"'`?!.,;:()[]{}*_¿¡«»„“”‘’…。？！").lower().replace("\u2019", "'")


def _language(text: str, *, least: int = 2) -> str:
    """The language whose small words the text holds clearly more of than English ones; else English."""
    seen = {_bare(chunk) for chunk in text[:2_000].split()}
    best, most = "english", max(len(seen & _STOPS["english"]), least - 1)
    for language, stops in _STOPS.items():
        if len(seen & stops) > most:
            best, most = language, len(seen & stops)
    return best


_LETTERS_OF = (
    ("äöüß", "german"),
    ("å", "swedish"),
    ("ñ", "spanish"),
    ("ãõ", "portuguese"),
    ("àâçèéêëîïôœùû", "french"),
)


def _by_letters(chunk: str) -> str:
    """What a single word's letters say of its language; a question often has nothing else to go by."""
    if not chunk.isascii():
        for letters, language in _LETTERS_OF:
            if any(letter in letters for letter in chunk.lower()):
                return language
    return "english"


_STOPS: dict[str, frozenset[str]] = {
    "english": frozenset(
        """a about again all also am an and any are as at be been being but by can could did do does doing don't
        for from had has have having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's
        its just let's me my no nor not of on or our ours out over she should so some such than that that's the
        their them then there these they this those to too us very was we were what what's when where which while
        who whom whose why will with would you your yours""".split()
    ),
    "german": frozenset(
        """aber alle als am an auch auf aus bei bin bis bist da damit dann das dass dein dem den der des die dies
        diese dieser doch du ein eine einem einen einer eines er es euer für gibt hat habe haben hatte ich ihm ihn
        ihr ihre im in ist ja kann kein keine man mein meine mich mir mit muss nach nicht noch nur oder ohne schon
        sehr sein seine sich sie sind so über um und uns unser unter vom von vor war waren warum was wenn wer wie
        wird wir wo zu zum zur""".split()
    ),
    "french": frozenset(
        """alors au aussi aux avec car ce ces cet cette comme comment dans de des donc du elle elles en est et était
        être il ils j'ai je la le les leur leurs lui ma mais même mes moi mon ne nos notre nous on ont ou où par pas
        plus pour pourquoi qu'est-ce quand que quel quelle quels qui quoi sa sans se ses si son sont sur ta te tes
        tu un une vos votre vous y à""".split()
    ),
    "spanish": frozenset(
        """a al algo ante como cómo con cual cuál cuando cuándo de del desde donde dónde el él ella ellos en entre
        era es esa ese eso esta está este esto están estos fue ha hay la las le les lo los más me mi mis muy no nos
        o para pero por porque qué que quien quién se ser si sí sin sobre son su sus también te tiene tu tus un una
        unos y ya yo""".split()
    ),
    "italian": frozenset(
        """a ad al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della delle di dove e è
        ed gli ha hanno ho i il in io la le lei lo loro lui ma mi mia mio nel nella non o per perché più quale quando
        quello questa questo se si sono su sua suo tra tu un una uno""".split()
    ),
    "portuguese": frozenset(
        """a ao aos as até com como da das de dela dele do dos e é ela ele em entre era essa esse esta está este eu
        foi há isso isto já lhe mais mas me meu minha muito na não nas nem no nos nós o onde os ou para pela pelo
        por porque quais qual quando que quem se sem ser seu sua são também te tem um uma você""".split()
    ),
    "dutch": frozenset(
        """aan al als bij daar dan dat de deze die dit door een en er geen had heb hebben heeft het hij hoe hun ik
        in is je kan maar me meer met mij mijn naar niet nog nu of om onder ons ook op over te tot uit van veel voor
        waar waarom wanneer wat we wel welke werd wie wij worden zal ze zich zij zijn zo zou""".split()
    ),
    "swedish": frozenset(
        """alla att av blev bli de dem den denna det detta dig din du där efter ej eller en ett från för ha hade han
        har hon hur här i icke inte jag kan man med men mig min mot mycket ni nu när någon något några och om oss på
        samma sedan sig sin skulle som så till under upp ut var vara varför vad vem vi vid vilken är även
        över""".split()
    ),
}
_SMALL = frozenset().union(*_STOPS.values())
