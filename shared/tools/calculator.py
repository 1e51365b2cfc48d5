"""The calculator: exact fractions, its own small grammar, bounded sizes. It never evaluates code.

sum     = product (("+" | "-") product)*
product = sign (("*" | "/" | "%" | "of") sign)*        "%" before a value: the remainder; "of" only after a percentage
sign    = ("+" | "-") sign | power
power   = percent ["**" sign]
percent = value ["%"]                                  "%" before anything else: hundredths
value   = number | "(" sum ")" | "sqrt" "(" sum ")"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from operator import mod, mul, truediv
from typing import Any

from pydantic import Field

from shared.errors import Unprocessable
from shared.gateway.tool import Errand, Outcome, Tool
from shared.models.base import Model
from shared.tools.shapes import plain

LENGTH = 500
"""Characters of an expression."""
BITS = 13_000
"""Bits of a numerator or denominator: nearly 4,000 digits, which is what Python writes out without being asked."""
DEPTH = 60
ROUNDED = 50
"""Digits that a root which has no end is worked out with."""
SHOWN = 20
"""And those of a result without an end."""


class Calculate(Model):
    """What to work out."""

    expression: str = Field(
        min_length=1,
        max_length=LENGTH,
        description="Numbers with + - * / ** % ( ) and sqrt(x), such as (3 + 4) * 2 or 17 % of 340.",
    )


class Calculated(Model):
    """The result in decimal; `fraction` is the exact one where that has no end."""

    result: str
    exact: bool
    fraction: str | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A number on the way. `exact` is false from a rounded root on; `percentage` says that it was written as one."""

    number: Fraction
    exact: bool = True
    percentage: bool = False


def _wrong(what: str, next: str = "") -> Unprocessable:
    hint = next or "Write numbers with + - * / ** % ( ) and sqrt(x)."
    return Unprocessable(f"expression: {what}", code="invalid_expression", next=hint)


def _too_large() -> Unprocessable:
    return _wrong("a number on the way has more digits than can be written out", "Ask for something smaller.")


# -- the words -------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4}(?![0-9]))?)"
    r"|(?P<sign>\*\*|[-+*/%()])|(?P<word>sqrt|of)(?![a-z])",
    re.IGNORECASE,
)
_SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "^": "**", "\u00a0": " ", "\u202f": " "})
_END = ""


def _tokens(expression: str) -> Iterator[str]:
    text = expression.translate(_SIGNS)
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token = _TOKEN.match(text, at)
        if token is None:
            hint = "Write numbers with a dot as the decimal mark and nothing between thousands: 1234.5."
            raise _wrong("there is something in it that is no number and no sign", hint)
        yield token[0].lower()
        at = token.end()


# -- the grammar -----------------------------------------------------------------------------------------------


def _begins_value(token: str) -> bool:
    return token[:1].isdigit() or token[:1] == "." or token in ("(", "sqrt")


class _Reader:
    """One expression, read from left to right and worked out on the way."""

    def __init__(self, expression: str) -> None:
        self._tokens = [*_tokens(expression), _END]
        self._at = 0
        self._depth = 0

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self, *tokens: str) -> str | None:
        if self._next in tokens and self._next != _END:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def whole(self) -> Value:
        """The value of all of it."""
        value = self._sum()
        if self._next != _END:
            raise _wrong(f"there is a `{self._next}` where a sign should be" if self._next != ")" else "a `)` too many")
        return value

    def _sum(self) -> Value:
        left = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            if left.percentage != right.percentage:
                hint = "Write 200 + 10 % of 200, or 200 * (10 %) + 200; a remainder by a negative number as 7 % (-3)."
                raise _wrong("it is not said what the percentage is of", hint)
            number = left.number + right.number if sign == "+" else left.number - right.number
            left = _bounded(number, left.exact and right.exact, percentage=left.percentage)
        return left

    def _product(self) -> Value:
        left = self._sign()
        while sign := self._take("*", "/", "%"):
            right = self._sign()
            if sign != "*" and right.number == 0:
                raise _wrong("it divides by zero", "There is no such number.")
            number = {"*": mul, "/": truediv, "%": mod}[sign](left.number, right.number)
            left = _bounded(number, left.exact and right.exact)
        return left

    def _sign(self) -> Value:
        self._depth += 1
        if self._depth > DEPTH:
            raise _wrong("it is nested too deeply", "Work it out in several steps.")
        sign = self._take("+", "-")
        value = self._sign() if sign else self._power()
        self._depth -= 1
        return Value(-value.number, value.exact, value.percentage) if sign == "-" else value

    def _power(self) -> Value:
        base = self._percent()
        return _power(base, self._sign()) if self._take("**") else base

    def _percent(self) -> Value:
        value = self._value()
        # Before a value it is a sign between two: the remainder.
        if self._next != "%" or _begins_value(self._tokens[self._at + 1]):
            return value
        self._at += 1
        value = _bounded(value.number / 100, value.exact, percentage=True)
        if not self._take("of"):
            return value
        whole = self._sign()
        return _bounded(value.number * whole.number, value.exact and whole.exact)

    def _value(self) -> Value:
        if self._take("("):
            value = self._closed()
            return Value(value.number, value.exact)
        if self._take("sqrt"):
            if not self._take("("):
                raise _wrong("after sqrt comes a value in ( )")
            return _root(self._closed())
        token = self._next
        if not _begins_value(token):
            raise _wrong("it ends where a number should be" if token == _END else f"no number before `{token}`")
        self._at += 1
        return _bounded(Fraction(token), True)

    def _closed(self) -> Value:
        value = self._sum()
        if not self._take(")"):
            raise _wrong("a `)` is missing")
        return value


# -- arithmetic ------------------------------------------------------------------------------------------------


def _bounded(number: Fraction, exact: bool, *, percentage: bool = False) -> Value:
    if max(abs(number.numerator), number.denominator).bit_length() > BITS:
        raise _too_large()
    return Value(number if exact else _rounded(number), exact, percentage)


def _rounded(number: Fraction) -> Fraction:
    """What is not exact anyway, to a few dozen digits, so that it stays short."""
    with localcontext(prec=ROUNDED):
        return Fraction(Decimal(number.numerator) / Decimal(number.denominator))


def _power(base: Value, exponent: Value) -> Value:
    exact = base.exact and exponent.exact
    if exponent.number.denominator != 1:
        raise _wrong("only whole exponents are taken", "For a square root write sqrt(x).")
    times = exponent.number.numerator
    if base.number == 0 and times < 0:
        raise _wrong("it divides by zero", "There is no such number.")
    if abs(base.number) in (0, 1):
        return Value(base.number ** (times % 2 + 2 if times else 0), exact)
    if not base.exact:
        return _rounded_power(base, times)
    # Each factor adds at least the bits of the base, less one.
    bits = max(abs(base.number.numerator), base.number.denominator).bit_length() - 1
    if abs(times) * max(bits, 1) > BITS:
        raise _too_large()
    return _bounded(base.number**times, exact)


def _rounded_power(base: Value, times: int) -> Value:
    if abs(times) > BITS:
        raise _too_large()
    factor = base if times > 0 else Value(1 / base.number, False)
    power = Value(Fraction(1), False)
    for bit in f"{abs(times):b}":
        power = _bounded(power.number**2, False)
        if bit == "1":
            power = _bounded(power.number * factor.number, False)
    return power


def _root(value: Value) -> Value:
    number = value.number
    if number < 0:
        raise _wrong("there is no real root of a negative number", "Check the sign.")
    above, below = isqrt(number.numerator), isqrt(number.denominator)
    if above * above == number.numerator and below * below == number.denominator:
        return Value(Fraction(above, below), value.exact)
    scale = 10**ROUNDED
    root = Fraction(isqrt(number.numerator * number.denominator * scale * scale), number.denominator * scale)
    return _bounded(root, False)


def evaluate(expression: str) -> Value:
    """The value of an expression. Unprocessable says what is wrong with it, or that it gets too large."""
    return _Reader(expression).whole()


# -- the answer ------------------------------------------------------------------------------------------------


def shown(value: Value) -> Calculated:
    """A value in decimal, whole where it has an end."""
    number = value.number
    if value.exact and (places := _places(number.denominator)) is not None:
        return Calculated(result=_decimal(number, places), exact=True)
    with localcontext(prec=SHOWN):
        rounded = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    result = f"{rounded:f}" if -SHOWN <= rounded.adjusted() < SHOWN else f"{rounded}"
    fraction = f"{number.numerator}/{number.denominator}"
    return Calculated(
        result=result, exact=False, fraction=fraction if value.exact and len(fraction) <= LENGTH else None
    )


def _places(denominator: int) -> int | None:
    """Decimal places of a fraction with this denominator; None where they have no end, or are too many to read."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    places = max(twos, fives)
    return places if denominator == 1 and places <= LENGTH else None


def _decimal(number: Fraction, places: int) -> str:
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return f"{'-' if number < 0 else ''}{whole}{'.' if part else ''}{part}"


async def _calculate(errand: Errand, asked: Calculate) -> Outcome:
    return Outcome(plain(shown(evaluate(asked.expression))))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "calculator",
        "Work out an expression exactly. Use it for every calculation.",
        Calculate,
        _calculate,
        answer=Calculated,
    ),
)
