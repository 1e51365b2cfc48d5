"""Secrets as people say them: "my wifi password is …", "PIN 1234", the number of a card. It finds where they stand.

A name makes what follows it suspicious, and the look of it decides: after `password` anything that is no ordinary word,
after `PIN`, `token` or `account number` what has digits. So "the password is required" stays. Each text is read once.
"""

import re
from collections.abc import Iterator

WORDS = 12
"""Words of one passphrase."""
_NEAR = 120
"""Characters before a name in which "… is my" is looked for."""

# After these, a secret may be any word.
_ANY_WORD = r"pass ?word|pass ?phrase|pass ?code|passwd|pwd|passwort|kennwort|(?:seed|recovery) phrase"
# After these, it has digits.
_DIGITS = (
    r"(?:api|access|private|secret|ssh|encryption|licen[cs]e|product|recovery|account|storage|security|wi-?fi|wlan"
    r"|network|wpa2?)[ _-]?key|\btoken|\bsecret|\bpin(?:[ -]?(?:code|number))?|\b(?:cvv2?|cvc|otp|iban|ssn|geheimzahl)"
    r"|(?:security|verification|backup|login|door|alarm|gate|safe|lock|entry|access|unlock|sim)[ -]code"
    r"|code (?:for|to|of) (?:the|my|our) (?:door|alarm|gate|safe|lock|phone|garage|house)"
    r"|(?:card|account|social security|passport|karten|konto)[ -]?num(?:ber|mer)"
)
_NAME = re.compile(rf"(?P<any>{_ANY_WORD})(?P<many>s?)\b|(?:{_DIGITS})s?\b", re.IGNORECASE)
_ROOTS = (
    "pass", "pwd", "kennwort", "phrase", "key", "token", "secret", "pin", "cv", "otp", "iban", "ssn", "geheim", "code",
    "numb", "nummer",
)  # fmt: skip
"""One of them is in every name."""
_OF = r"(?:[ \t]+(?:for|of|on|at|in|from|für|von|zum|zur|im|am|bei|beim)(?:[ \t]+[\w'’.@-]{1,40}){1,4}?)?"
_LINK = re.compile(
    rf"(?P<sign>[\\\"']{{0,3}}[ \t]{{0,5}}[:=][ \t]{{0,5}}[\\\"']{{0,3}})|['’]s[ \t]+"
    rf"|{_OF}[ \t]+(?:is|was|are|ist|war|lautet|equals)(?:[ \t]+(?:now|jetzt))?[ \t:]{{1,5}}"
    r"|(?P<weak>[ \t]+(?:(?:to|auf|is)[ \t]+)?)",
    re.IGNORECASE,
)
"""What leads from a name to its value; `weak` proves nothing by itself."""
_BEFORE = re.compile(
    r"(?P<value>[^\s\"“”'‘]{3,100})[\"”'’]?[ \t]+(?:is|was|ist)[ \t]+"
    r"(?:my|our|the|his|her|their|mein|unser|das|die|der)[ \t]+(?:[\w'’-]{1,30}[ \t]+){0,3}[\w-]{0,30}\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[ \t]*(?:[.,;!?)\n]|\Z|(?:for|at|on|of|in|and|but|für|bei|und)\b)", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|„[^“\n]{1,200}“|'[^'\n]{1,200}'")
_TOKEN = re.compile(r"\S+")
_SIGNED = re.compile(r"[^\s\"',;&}\]\\]+")
_NEXT = re.compile(r"[ \t]{1,3}(\S+)")
_CLAUSE = re.compile(r"[ \t]+(?:and|but|und|aber)[ \t]+(?:i|my|we|our|the|it|please|ich|mein\w*|wir|bitte)\b", re.I)
_EDGE = ".,;:?!)\"'”’"

_ORDINARY = frozenset(
    "a about again all already also always an and any as at back bad best better between blank both but by case"
    " changed complex correct dead different due easy empty enough fine for from gone good great hard here hidden how i"
    " important in incorrect insecure invalid is it just kept known like long lost mandatory many more my necessary"
    " never new no not now obsolete of off often ok okay old on one only optional or our out over private public"
    " random ready required right safe same secret secure set short simple so still strong stuck sure that the their"
    " then there they this to too under unique unknown up usually very weak well what when where which who why with"
    " written wrong yes you your yours mine below above inside behind something nothing everything forgotten broken"
    " zu alt auch auf aus da das dein dem den der die ein eine falsch geheim hier immer im in ja kein leer mein mit neu"
    " nicht nie noch nur oder richtig schwach sehr sicher stark und unbekannt unter von was weg wie wo zu".split()
)
_ENDING = re.compile(r"[a-z-]+(?:ed|ing|able|ible|less|sensitive)")

_CARD = re.compile(r"(?<![\w+.-])\d(?:[ -]?\d){13,18}(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")


def spans(text: str) -> list[tuple[int, int]]:
    """Where secrets stand: start and end of each, in order, none over another."""
    found = sorted({*_named(text), *_cards(text), *_accounts(text)})
    apart: list[tuple[int, int]] = []
    for start, end in found:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _named(text: str) -> Iterator[tuple[int, int]]:
    lower = text.lower()
    if not any(root in lower for root in _ROOTS):
        return
    for name in _NAME.finditer(text):
        any_word = name["any"] is not None
        if span := _said_after(text, name.end(), any_word, many=bool(name["many"])):
            yield span
        elif span := _said_before(text, name, any_word):
            yield span


def _said_after(text: str, at: int, any_word: bool, *, many: bool) -> tuple[int, int] | None:
    link = _LINK.match(text, at)
    if link is None:
        return None
    start = link.end()
    if any_word and link["weak"] is None and (quoted := _QUOTED.match(text, start)):
        return quoted.span()
    value = (_TOKEN if link["sign"] is None else _SIGNED).match(text, start)
    if value is None:
        return None
    token = value[0].rstrip(_EDGE)
    if token.startswith("[masked"):
        return None
    if not any_word:
        end = _digits(text, start)
        return (start, end) if end else None
    if link["weak"] is not None or many:
        return (start, start + len(token)) if _drawn(token) else None
    # Of a name with a colon, as headings have it, no more than the next word is taken.
    end = start + len(token) if link["sign"] is not None or _drawn(token) else _phrase(text, start)
    first, *more = text[start:end].split() or [""]
    odd = len(more) >= 2 and not any(map(_ordinary, more))  # words that nobody puts side by side
    return (start, end) if odd or not _ordinary(first) else None


def _said_before(text: str, name: re.Match[str], any_word: bool) -> tuple[int, int] | None:
    begins = max(0, name.start() - _NEAR)
    before = _BEFORE.search(text[begins : name.start()]) if _AFTER.match(text, name.end()) else None
    if before is None:
        return None
    value = before["value"].rstrip(_EDGE)
    good = not _ordinary(value) if any_word else sum(map(str.isdigit, value)) >= 3
    start = begins + before.start("value")
    return (start, start + len(value)) if good and value != "[masked]" else None


def _phrase(text: str, start: int) -> int:
    """Where a passphrase ends: with its clause, or after so many words."""
    found = _TOKEN.match(text, start)
    assert found is not None
    for _ in range(WORDS):
        after = _NEXT.match(text, found.end())
        if found[0][-1] in ".,;:?!" or after is None or _CLAUSE.match(text, found.end()):
            break
        found = _TOKEN.match(text, after.start(1)) or found
    return found.end() - (len(found[0]) - len(found[0].rstrip(_EDGE)))


def _digits(text: str, start: int) -> int:
    """Where a value with digits ends, which may be written in groups; 0 where it is none."""
    end, kept = 0, ""
    while (found := _TOKEN.match(text, start)) and len(kept) < 40:
        token = _SIGNED.match(text, start)
        part = token[0].rstrip(_EDGE) if token else ""
        if not any(map(str.isdigit, part)):
            break
        end, kept = start + len(part), kept + part
        after = _NEXT.match(text, found.end())
        if after is None or len(part) < len(found[0]):
            break
        start = after.start(1)
    return end if sum(map(str.isdigit, kept)) >= 3 or (len(kept) >= 6 and _drawn(kept)) else 0


def _drawn(token: str) -> bool:
    """Whether a word looks as nobody would write it in a sentence."""
    has_digit = any(map(str.isdigit, token))
    return len(token) >= 6 and (
        (has_digit and any(map(str.isalpha, token))) or any(sign in token for sign in "!$%&*#+=^~|<>@")
    )


def _ordinary(token: str) -> bool:
    return len(token) < 3 or token.lower() in _ORDINARY or bool(_ENDING.fullmatch(token.lower()))


def _cards(text: str) -> Iterator[tuple[int, int]]:
    for found in _CARD.finditer(text):
        digits = [int(char) for char in found[0] if char.isdigit()]
        doubled = [sum(divmod(2 * digit, 10)) if number % 2 else digit for number, digit in enumerate(digits[::-1])]
        if digits[0] in (2, 3, 4, 5, 6) and sum(doubled) % 10 == 0:
            yield found.span()


def _accounts(text: str) -> Iterator[tuple[int, int]]:
    for found in _IBAN.finditer(text):
        bare = found[0].replace(" ", "")
        if 15 <= len(bare) <= 34 and int("".join(str(int(char, 36)) for char in bare[4:] + bare[:4])) % 97 == 1:
            yield found.span()
