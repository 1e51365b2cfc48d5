"""Operators and library functions beyond the documented cases."""

from collections.abc import Sequence

import pytest

from infra.local.workflow.errors import Raised
from infra.local.workflow.library import PURE
from infra.local.workflow.parser import parse
from infra.local.workflow.tokens import ExpressionError
from infra.local.workflow.values import Value, restore, size_of, store


class Variables:
    def __init__(self, **variables: Value) -> None:
        self._variables = variables

    def lookup(self, name: str) -> Value:
        return self._variables[name]

    def invoke(self, function: str, arguments: Sequence[Value]) -> Value:
        return PURE[function].call(arguments)


HERE = Variables(
    n=3,
    x=1.5,
    yes=True,
    nothing=None,
    word="abc",
    items=[1, [2, 3]],
    data={"a": {"b": 1}, 7: "seven", "odd key": 2},
    raw=b"\x00\xff",
)

ANSWERS = {
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "-n + 1": -2,
    "7 // 2": 3,
    "-7 // 2": -4,
    "7 % 4": 3,
    "1 / 4": 0.25,
    "2.5e3": 2500.0,
    "n == 3.0": True,
    "yes == 1": False,
    "nothing == null": True,
    "nothing != 0": True,
    "[1, 2] == [1, 2]": True,
    "'a' < 'b'": True,
    "2 >= 1.5": True,
    "1 in items": True,
    "[2, 3] in items": True,
    "true in [1]": False,
    "'a' in data": True,
    "7 in data": True,
    "not yes or yes": True,
    "yes OR missing_is_never_read": True,
    "false AND missing_is_never_read": False,
    "NOT false": True,
    "data.a.b": 1,
    "data['odd key']": 2,
    "data[7]": "seven",
    "items[1][0]": 2,
    "items[n - 2][1]": 3,
    '"\\"\\\\\\n\\u00e9"': '"\\\né',
    "'it''s'": None,
    "len('äöü')": 3,
    "'\\ud83d\\ude00'": "😀",
    "'\\ud83d'": "\ufffd",
    "if(n > 2, 'big', 'small')": "big",
    "default(nothing, 1)": 1,
    "default(false, 1)": False,
    "get_type(raw)": "bytes",
    "get_type(nothing)": "null",
    "get_type(yes)": "boolean",
    "get_type(x)": "double",
    "get_type(n)": "integer",
    "double('1.5')": 1.5,
    "int(-2.7)": -2,
    "string(1.0)": "1.0",
    "keys(data)": ["a", 7, "odd key"],
    "list.concat([1], 2)": [1, 2],
    "list.prepend([1], 2)": [2, 1],
    "map.get(data, ['a', 'b'])": 1,
    "map.get(nothing, 'a')": None,
    "map.get(data, ['a', 'b', 'c'])": None,
    "map.merge(data, data)['odd key']": 2,
    "math.abs(-3)": 3,
    "math.floor(-1.5)": -2,
    "math.max(1, 2.5)": 2.5,
    "math.min(1, 2.5)": 1,
    "text.find_all('banana', 'an')": [1, 3],
    "text.find_all_regex('HelloWorld', 'Hello|World')": [
        {"index": 0, "match": "Hello"},
        {"index": 5, "match": "World"},
    ],
    "text.match_regex('abc', '^b')": False,
    "text.replace_all_regex('a1', '([0-9])', '\\\\1')": "a\\1",
    "text.split('abc', '')": ["a", "b", "c"],
    "text.url_encode('a b/ü')": "a%20b%2F%C3%BC",
    "text.decode(text.encode('ü', 'latin-1'), 'latin-1')": "ü",
    "json.encode_to_string([1, 'ü', null, true, 1.5])": '[1,"ü",null,true,1.5]',
    "json.encode_to_string([1], true)": "[\n    1\n]",
    "json.decode('[1, 2.0, \"x\"]')": [1, 2.0, "x"],
    "base64.decode(base64.encode(raw)) == raw": True,
    "base64.encode(text.encode('a'), false)": "YQ",
    "base64.decode('YQ', false) == text.encode('a')": True,
    "len(base64.encode(hash.compute_hmac(raw, raw, 'SHA512')))": 88,
    "time.format(1720788633, 'Europe/Berlin')": "2024-07-12T14:50:33.000000+02:00",
    "time.parse('2024-07-12T12:50:33Z')": 1720788633.0,
    "time.parse('2024-07-12T14:50:33+02:00')": 1720788633.0,
    "retry.always(nothing)": True,
    "retry.never(nothing)": False,
}
del ANSWERS["'it''s'"]

ERRORS = {
    "'a' + 1": "TypeError",
    "true + 1": "TypeError",
    "[1] + [2]": "TypeError",
    "1 < 'a'": "TypeError",
    "-word": "TypeError",
    "not n": "TypeError",
    "n and yes": "TypeError",
    "1 in word": "TypeError",
    "1 in nothing": "TypeError",
    "nothing.a": "TypeError",
    "word[0]": "TypeError",
    "items['a']": "TypeError",
    "items[-1]": "IndexError",
    "items[true]": "TypeError",
    "data.nope": "KeyError",
    "data.a.nope": "KeyError",
    "1 // 0": "ZeroDivisionError",
    "1 % 0": "ZeroDivisionError",
    "9223372036854775807 + 1": "ValueError",
    "len(1)": "TypeError",
    "string(items)": "TypeError",
    "int('1.5')": "ValueError",
    "double('x')": "ValueError",
    "if(1, 2, 3)": "TypeError",
    "map.delete(data, 'nope')": "KeyError",
    "text.substring('abc', 2, 9)": "IndexError",
    "text.match_regex('a', '(?=b)')": "ValueError",
    "text.match_regex('a', '(a)\\\\1')": "ValueError",
    "text.match_regex('a', '(')": "ValueError",
    "text.decode(raw)": "ValueError",
    "text.decode('a')": "TypeError",
    "text.decode(raw, 'unicode_escape')": "ValueError",
    "json.encode(raw)": "ValueError",
    "json.decode('NaN')": "ValueError",
    "base64.decode('*')": "ValueError",
    "hash.compute_checksum(raw, 'CRC')": "ValueError",
    "time.format(0, 'Nowhere/Land')": "ValueError",
    "time.format(1e20)": "ValueError",
    "time.parse('yesterday')": "ValueError",
}


@pytest.mark.parametrize(("text", "answer"), ANSWERS.items(), ids=ANSWERS)
def test_an_expression_has_its_documented_value(text: str, answer: Value) -> None:
    value = parse(text).evaluate(HERE)
    assert value == answer
    assert type(value) is type(answer)


@pytest.mark.parametrize(("text", "tag"), ERRORS.items(), ids=ERRORS)
def test_a_wrong_operand_raises_the_documented_error(text: str, tag: str) -> None:
    with pytest.raises(Raised) as caught:
        parse(text).evaluate(HERE)
    assert isinstance(caught.value.value, dict)
    assert caught.value.value["tags"] == [tag]


@pytest.mark.parametrize(
    "text", ["", "1 2", "a.", "a[1", "f(1", "(1", "1 == 2 == 3", "a ? b", '"\\q"', "not", "()", "(" * 99]
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)


def test_not_binds_tighter_than_in_as_documented() -> None:
    with pytest.raises(Raised, match="'not' must be a boolean"):
        parse("not 'a' in data").evaluate(HERE)


@pytest.mark.parametrize(
    "value",
    [
        b"\x00\xff",
        {1: "a", "1": "b"},
        {"$bytes": "x"},
        {"$pairs": [[1, {2: b"x"}]]},
        1.0,
        1,
        True,
        None,
        "\ud800",
        {"a": [b"", {}]},
    ],
)
def test_every_value_survives_being_stored(value: Value) -> None:
    text = store(value)
    assert text.isascii()
    again = restore(text)
    assert repr(again) == repr(value)


def test_memory_is_counted_as_documented() -> None:
    assert size_of("This is a string of 28 bytes") == 36
    assert size_of([1, True, 2.5]) == 8 + 24
    assert size_of({"ab": 1}) == 8 + 10 + 8
