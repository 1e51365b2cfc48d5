"""Every case that users of comparable products reported has a test that bears its number; no other number is borne.

Marks are read from the sources, so nothing here depends on which tests are chosen for a run.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CASES = {
    1: "reload in mid-answer",
    2: "nothing found",
    3: "citation integrity",
    4: "a limit is reached",
    5: "delivery repeated",
    6: "an instance dies in mid-run",
    7: "oddities of the provider",
    8: "resume does not repeat",
    9: "decline means no",
    10: "an abandoned gate",
    11: "the tenant wall",
    12: "deletion is scoped",
    13: "a poisoned memory or page",
    14: "memory really works",
    15: "server-side request forgery after an allow",
    16: "enrichment stays sane",
}
ON_THE_CHAT = (1, 2, 3, 9, 10, 11, 13, 15)
"""Those that a person meets in a conversation: a test over the chat's own HTTP has to bear them."""


def marks(source: str) -> Iterator[tuple[str, int]]:
    """The tests in a source that bear a number, each with it."""
    for node in ast.walk(ast.parse(source)):
        for decorator in getattr(node, "decorator_list", ()):
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.survival":
                (number,) = decorator.args
                assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
                yield node.name, int(ast.literal_eval(number))


BORNE = [
    (path.relative_to(TESTS).as_posix(), name, number)
    for path in sorted(TESTS.rglob("test_*.py"))
    if "pytest.mark.survival(" in (source := path.read_text())
    for name, number in marks(source)
]


@pytest.mark.parametrize("number", CASES, ids=CASES.values())
def test_the_case_has_a_test(number: int) -> None:
    assert [place for *place, borne in BORNE if borne == number]


@pytest.mark.parametrize("number", ON_THE_CHAT)
def test_the_case_has_a_test_on_the_chat(number: int) -> None:
    assert [name for path, name, borne in BORNE if borne == number and path.startswith("functions/test_chat")]


def test_no_test_bears_a_number_that_is_no_case() -> None:
    assert [place for place in BORNE if place[-1] not in CASES] == []


def test_a_mark_is_found_wherever_it_stands_and_on_tests_alone() -> None:
    found = "import pytest\n@pytest.mark.survival(3)\n@pytest.mark.survival(4)\nasync def test_x() -> None: ...\n"
    assert sorted(marks(found)) == [("test_x", 3), ("test_x", 4)]
    assert list(marks("def test_y() -> None: ...")) == []
    with pytest.raises(AssertionError):
        list(marks("@pytest.mark.survival(3)\ndef helper() -> None: ..."))
