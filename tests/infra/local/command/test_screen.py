"""What reaches a terminal: words, and nothing that steers it or passes for a line of ours."""

import json

import pytest

from infra.local.command import screen

STEERS = [
    *"\x00\x07\x08\x0b\x0c\r\x1b\x1c\x1d\x1e\x7f\x85\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u206a",
    *"\U000e0000\U000e0001\U000e0041\U000e007f\U000e0100",
]


@pytest.mark.parametrize("mark", STEERS)
def test_what_steers_a_terminal_is_left_out(mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert screen.plain(f"a{mark}b") == "ab"
    screen.complain(f"No{mark}.", f"Try{mark} again.")
    assert capsys.readouterr().err == "memex: No.\n       Try again.\n"


@pytest.mark.parametrize("mark", STEERS)
def test_json_keeps_it_escaped(mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    value = {f"a{mark}": [f"b{mark}", "é🍐"]}
    screen.out_json(value)
    out = capsys.readouterr().out
    assert mark not in out and "é🍐" in out and json.loads(out) == value


def test_words_stay_as_they_are() -> None:
    text = "é e\u0301 \u4e2d مرحبا שלום 👩\u200d👩\u200d👧 क\u094d\u200cष a\u00a0b\u202fc\td\ne"
    assert screen.plain(text) == text


def test_rows_are_as_wide_as_they_may_be() -> None:
    assert screen.rows("abcdef\n\n中中中\tx", 4) == ["abcd", "ef", "", "中中", "中 x"]
