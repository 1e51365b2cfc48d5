import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.errors import Unprocessable
from shared.tools.calculator import evaluate, shown
from tests.fakes.desk import Desk
from tests.shared.tools.using import use


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("0.1 + 0.2", "0.3"),
        ("10 - 4 - 3", "3"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("2 ** -2", "0.25"),
        ("2^10", "1024"),
        ("6 ÷ 4 × 2 − 1", "2"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("7 % (-3)", "-2"),
        ("5.5 % 2", "1.5"),
        ("17 % of 340", "57.8"),
        ("17% OF 340", "57.8"),
        ("200 + 10 % of 200", "220"),
        ("2 * 10 % of 50", "10"),
        ("-10 % of 50", "-5"),
        ("50 %", "0.5"),
        ("50 % * 3", "1.5"),
        ("10 % + 5 %", "0.15"),
        ("340 * (1 - (17 %))", "282.2"),
        ("sqrt(2.25)", "1.5"),
        ("sqrt(144) % 5", "2"),
        ("1.5e3", "1500"),
        (".5 + 1.", "1.5"),
        ("2 ** 200", str(2**200)),
        ("1 / 1024", "0.0009765625"),
        ("0 ** 0", "1"),
        ("(-1) ** 99999999999", "-1"),
        ("0 * 9", "0"),
        ("-0.0", "0"),
    ],
)
def test_it_is_exact(expression: str, result: str) -> None:
    calculated = shown(evaluate(expression))
    assert (calculated.result, calculated.exact, calculated.fraction) == (result, True, None)


@pytest.mark.parametrize(
    ("expression", "result", "fraction"),
    [
        ("10 / 3", "3.3333333333333333333", "10/3"),
        ("-2 / 3", "-0.66666666666666666667", "-2/3"),
        ("sqrt(2)", "1.4142135623730950488", None),
        ("sqrt(2) * sqrt(2)", "2", None),
        ("sqrt(2) ** 100", "1125899906842624", None),
        ("1 / sqrt(2) ** 2", "0.5", None),
        ("10 ** 30 / 3", "3.3333333333333333333E+29", f"{10**30}/3"),
    ],
)
def test_what_has_no_end_is_rounded_and_says_so(expression: str, result: str, fraction: str | None) -> None:
    calculated = shown(evaluate(expression))
    assert (calculated.result, calculated.exact, calculated.fraction) == (result, False, fraction)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("", "ends where a number should be"),
        ("1 +", "ends where a number should be"),
        ("* 2", "no number before `*`"),
        ("(1 + 2", "a `)` is missing"),
        ("1 + 2)", "a `)` too many"),
        ("2 (3)", "where a sign should be"),
        ("1 000", "where a sign should be"),
        ("1 / 0", "divides by zero"),
        ("1 % (2 - 2)", "divides by zero"),
        ("0 ** -1", "divides by zero"),
        ("sqrt(0 - 4)", "no real root"),
        ("sqrt 4", "comes a value in ( )"),
        ("2 ** 0.5", "only whole exponents"),
        ("200 + 10 %", "what the percentage is of"),
        ("7 % -3", "what the percentage is of"),
        ("17 of 340", "where a sign should be"),
        ("3,5", "no number and no sign"),
        ("3²", "no number and no sign"),
        ("٣ + 1", "no number and no sign"),
        ("１ + 1", "no number and no sign"),
        ("__import__('os').system('id')", "no number and no sign"),
        ("abs(1)", "no number and no sign"),
        ("0x10", "no number and no sign"),
        ("1e99999", "no number and no sign"),
        ("nan", "no number and no sign"),
        ("sqrtx(2)", "no number and no sign"),
        ("1 \x00", "no number and no sign"),
    ],
)
def test_what_it_can_not_work_out_is_refused_with_the_reason(expression: str, told: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        evaluate(expression)
    assert told in refused.value.message
    assert refused.value.code == "invalid_expression" and refused.value.next


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "9**9**9**9",
        "(10**3000) ** 3",
        "2 ** 99999999999999999999",
        "(1/3) ** 99999",
        "sqrt(2) ** 99999999",
        "1e9999 * 1e9999",
        "9999999999 ** 400 % 7",
        "**".join(["9"] * 50),
        "*".join(["9e999"] * 80),
        "(" * 250 + "1" + ")" * 250,
        "-" * 499 + "1",
        "sqrt(" * 70 + "2" + ")" * 70,
        "2**" * 160 + "2",
    ],
)
def test_what_would_be_huge_is_refused_at_once(expression: str) -> None:
    began = time.perf_counter()
    with pytest.raises(Unprocessable):
        evaluate(expression[:500])
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize("expression", ["10**3900", "2**12999", "1/2**12999", "7**4000 / 3**7000", "sqrt(1e-3900)"])
def test_what_is_just_small_enough_can_be_written_out(expression: str) -> None:
    assert shown(evaluate(expression)).result


async def test_the_tool_answers_in_decimal(desk: Desk) -> None:
    outcome = await use(desk, "calculator", {"expression": "17 % of 340"})
    assert outcome.result == {"result": "57.8", "exact": True}
    assert outcome.undo is None and outcome.sources == ()


# -- against Fractions -----------------------------------------------------------------------------------------

Tree = tuple[str, Fraction | None]
"""An expression with its value; None where it divides by zero."""


def joined(parts: tuple[Tree, str, Tree]) -> Tree:
    (left, a), sign, (right, b) = parts
    text = f"({left}) {sign} ({right})"
    if a is None or b is None or (sign in "/%" and b == 0):
        return text, None
    value = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "%": lambda: a % b}[sign]()
    return text, Fraction(value)


def powered(parts: tuple[Tree, int]) -> Tree:
    (base, value), exponent = parts
    text = f"({base}) ** {exponent}"
    return text, None if value is None or (value == 0 and exponent < 0) else Fraction(value**exponent)


def percent(tree: Tree) -> Tree:
    return f"(({tree[0]}) %)", None if tree[1] is None else tree[1] / 100


NUMBERS: st.SearchStrategy[Tree] = st.one_of(
    st.integers(0, 10**12).map(lambda n: (str(n), Fraction(n))),
    st.decimals(0, 10**6, allow_nan=False, places=3).map(lambda d: (f"{d:f}", Fraction(d))),
    st.integers(1, 999).map(lambda n: (f"-{n}", Fraction(-n))),
)
TREES = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/%"), inner).map(joined),
        st.tuples(inner, st.integers(-3, 3)).map(powered),
        inner.map(percent),
    ),
    max_leaves=8,
)


@given(TREES)
def test_it_agrees_with_fractions(tree: Tree) -> None:
    text, value = tree
    assume(len(text) <= 500)
    if value is None:
        with pytest.raises(Unprocessable):
            evaluate(text)
        return
    try:
        found = evaluate(text)
    except Unprocessable as refused:
        assert "more digits" in refused.message
        return
    assert found.exact and found.number == value
    calculated = shown(found)
    if calculated.exact:
        assert Fraction(calculated.result) == value
    elif calculated.fraction:
        assert Fraction(calculated.fraction) == value
    assert abs(Fraction(Decimal(calculated.result)) - value) <= abs(value) / 10**18


@given(st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["+", "-", "*", "**"])), min_size=1, max_size=5))
def test_signs_bind_as_they_do_in_python(parts: list[tuple[int, str]]) -> None:
    text = "".join(f"{number} {sign} " for number, sign in parts) + "2"
    assume(text.count("**") <= 1)
    assert evaluate(text).number == eval(text)


@given(st.fractions(min_value=0, max_value=10**9, max_denominator=10**6))
def test_a_root_is_exact_where_there_is_one_and_close_elsewhere(number: Fraction) -> None:
    square = evaluate(f"sqrt(({number.numerator} / {number.denominator}) ** 2)")
    assert square.exact and square.number == number
    root = evaluate(f"sqrt({number.numerator} / {number.denominator})").number
    assert abs(root * root - number) <= number / 10**40


@given(st.text(alphabet="0123456789.+-*/%() sqrtofe^×²,x", max_size=60))
def test_any_text_is_worked_out_or_refused(text: str) -> None:
    try:
        shown(evaluate(text))
    except Unprocessable as refused:
        assert refused.next
