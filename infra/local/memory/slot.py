"""What a person has one of at a time: where they live and work, a name, a favourite. A second statement replaces it."""

import re

_NOW = r"(?:(?:now|currently|still|just|recently|jetzt|inzwischen)\s+)?"
_I = rf"^(?:I|we)(?:['’](?:m|ve|re)|\s+(?:am|are|have))?\s+{_NOW}"
_MATTERS = (
    re.compile(r"^(?P<key>[\w .-]{1,60}?)\s*=", re.IGNORECASE),
    re.compile(
        r"^(?:call me|my name(?: is|['’]s)|I['’]m called|I am called|nenn mich|ich hei[sß]{1,2}e|mein name ist)\b"
        r"(?P<key>)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_I}(?:(?:live|living|reside|based)\s+(?:in|at|near|on|outside|by|close\s+to)|moved\s+(?:to|from|in|into))\b"
        r"(?P<key>)|^ich (?:wohne|lebe)\b",
        re.IGNORECASE,
    ),
    re.compile(rf"{_I}(?:work|working) (?:at|for|in)\b(?P<key>)|^ich arbeite (?:jetzt )?(?:bei|in)\b", re.IGNORECASE),
    re.compile(rf"{_I}(?:work|working) as\b(?P<key>)|^ich arbeite (?:jetzt )?als\b", re.IGNORECASE),
    re.compile(r"^(?:I am|I['’]m) \d+(?P<key>) years old|^ich bin \d+ jahre", re.IGNORECASE),
    re.compile(r"^(?:I|we) only (?P<key>\w+)", re.IGNORECASE),
    re.compile(
        r"^(?:my|meine?) (?P<key>[\w\s'’-]{1,60}?) (?:is|are|was|has|ist|sind|hei[sß]{1,2}t)(?: (?:now|jetzt))?\b",
        re.IGNORECASE,
    ),
)
_MINE = len(_MATTERS) - 1
# These have one value whatever it looks like; of anything else ("my sister") much may be said side by side.
_ONE_VALUE = re.compile(
    r"\b(?:favou?rite|lieblings\w*|preferred|name|nickname|birthday|address|home|job|age|email|phone|number|size|goal)\b",
    re.IGNORECASE,
)
_SHAPES = (
    ("name", re.compile(r"(?:called|named)\b|[A-ZÄÖÜ](?!['’]m\b)")),
    ("kind", re.compile(r"(?:an?|the|my|eine?|der|die|das)\b", re.IGNORECASE)),
    ("place", re.compile(r"(?:in|at|from|on|near|bei|aus)\b", re.IGNORECASE)),
    ("count", re.compile(r"\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE)),
)
_FORMER = re.compile(r"\bmoved from\s.*?\s(?=(?:to|into)\s)", re.IGNORECASE)


def same(one: str, other: str) -> bool:
    """Whether both facts tell of the same matter."""
    told = matter(one)
    return told is not None and told == matter(other)


def matter(fact: str) -> tuple[int, str] | None:
    """Of what a fact tells that there is one of; None where it tells of nothing like that."""
    for number, pattern in enumerate(_MATTERS):
        if found := pattern.match(fact):
            key = " ".join((found["key"] or "").casefold().replace("favorite", "favourite").split())
            if number == _MINE and not _ONE_VALUE.search(key):
                key = f"{key} {_shape(fact[found.end() :].strip())}"
            return number, key
    return None


def value(fact: str) -> str:
    """What a fact says of its matter: `I moved from Leiden to Delft.` says `Delft.`."""
    fact = _FORMER.sub("moved ", fact)
    found = next((found for pattern in _MATTERS if (found := pattern.match(fact))), None)
    return fact[found.end() :] if found else fact


def _shape(said: str) -> str:
    return next((name for name, pattern in _SHAPES if pattern.match(said)), "word")
