"""Sums in plain words: 17 % of 340, 12 mal 7. It finds them and calculates nothing."""

import re

_ASKS = re.compile(
    r"^(?:what(?:'s|’s| is)|how much(?: is| are)?|calculate|compute|work out|"
    r"was (?:ist|sind|ergibt|macht)|wie ?viel (?:ist|sind|macht|ergibt)|(?:be)?rechne)\s*:?\s+",
    re.I,
)
_WORDS = (
    (re.compile(r"\b(?:times|multiplied by|mal)\b|[×·]|(?<=\d)\s*x\s*(?=\d)", re.I), "*"),
    (re.compile(r"\b(?:divided by|over|geteilt durch|durch)\b|[÷:]", re.I), "/"),
    (re.compile(r"\bplus\b", re.I), "+"),
    (re.compile(r"\bminus\b|[−–]", re.I), "-"),
    (re.compile(r"\b(?:percent|per cent|prozent)\b", re.I), "%"),
    (re.compile(r"%\s*(?:of|von)\b", re.I), "% of"),
    (re.compile(r"\b(?:to the power of|hoch)\b|\^", re.I), "**"),
    (
        re.compile(r"\b(?:(?:the )?square root of|(?:die )?wurzel (?:aus|von))\s*(\d[\d.,]*)|√\s*(\d[\d.,]*)", re.I),
        r"sqrt(\1\2)",
    ),
)
_SUM = re.compile(r"(?:sqrt\s*\(|% of\b|[\d\s.,()+*/%-])+")
_WORK = re.compile(r"\d\s*\)*\s*(?:\*\*|[-+*/]|% of)\s*(?:sqrt)?\s*[(-]*\s*[\d(]|sqrt\s*\(\s*\d|\d\s*%")
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_LONGEST = 300


def expression(text: str, *, comma: bool) -> str:
    """The sum that a text asks for, as the calculator reads it; "" where it asks for none.

    `comma` says that the person writes 3,5 for three and a half.
    """
    if len(text) > _LONGEST:
        return ""
    sum = _ASKS.sub("", text).rstrip(" ?!.=")
    if _DATE.fullmatch(sum.strip()):
        return ""
    for pattern, sign in _WORDS:
        sum = pattern.sub(sign, sum)
    if not _SUM.fullmatch(sum) or not _WORK.search(sum):
        return ""
    return " ".join(_points(sum, comma).split())


def _points(sum: str, comma: bool) -> str:
    """The sum with decimal points and without marks between thousands."""
    if comma or re.search(r"\d,(?!\d{3}(?!\d))\d", sum):
        return re.sub(r"(?<=\d)\.(?=\d{3}(?!\d))", "", sum).replace(",", ".") if "," in sum else sum
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", sum)
