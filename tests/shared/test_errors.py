import ast
import importlib
import inspect
from collections.abc import Collection
from pathlib import Path

import pytest

from shared import errors
from shared.http import error_response

CLASSES = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.MemexError)]


def test_the_tree_in_the_module_names_every_error_with_its_status() -> None:
    tree = errors.__doc__ or ""
    for kind in CLASSES:
        assert f"{kind.__name__} {kind.status}" in tree


def test_every_error_says_in_a_line_what_it_means() -> None:
    for kind in CLASSES:
        assert kind.__doc__ and kind.__doc__ != (kind.__base__ or object).__doc__, kind


def test_every_error_has_one_shape() -> None:
    for kind in CLASSES:
        answer = error_response(kind("what happened", next="what to do"))
        assert answer.status_code == kind.status
        assert answer.body == (
            b'{"error":{"code":"%s","message":"what happened","next":"what to do"}}' % kind.code.encode()
        )


ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    file
    for folder in ("shared", "functions", "infra/local")
    for file in (ROOT / folder).rglob("*.py")
    # The command and the doctor speak to a terminal, with errors of their own.
    if "infra/local/command" not in file.as_posix() and "infra/local/doctor" not in file.as_posix()
)
TREES = {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text()) for file in SOURCES}


def named(expression: ast.expr) -> str:
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def descended(base: str) -> dict[str, str]:
    """All classes below one, by name, with the file of each."""
    found = {base: "shared/errors.py"}
    more = True
    while more:
        more = False
        for file, tree in TREES.items():
            for node in ast.walk(tree):
                if not isinstance(node, ast.ClassDef) or node.name in found:
                    continue
                if any(named(parent) in found for parent in node.bases):
                    found[node.name] = file
                    more = True
    return found


ERRORS = descended("MemexError")


def calls(names: Collection[str]) -> list[tuple[str, ast.Call]]:
    """Where one of these is made, with the place as FILE:LINE."""
    return [
        (f"{file}:{node.lineno}", node)
        for file, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and named(node.func) in names
    ]


def argument(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def empty(expression: ast.expr | None) -> bool:
    return expression is None or (isinstance(expression, ast.Constant) and not expression.value)


def test_the_walk_sees_the_errors_of_the_house() -> None:
    assert {"IllegalTransition", "Rejected", "Conflict", "ModelFailed"} <= set(ERRORS)
    assert len(calls(ERRORS)) > 150


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_class_of_error_says_what_comes_next(name: str) -> None:
    module = importlib.import_module(ERRORS[name].removesuffix(".py").replace("/", "."))
    kind = getattr(module, name)
    assert issubclass(kind, errors.MemexError)
    assert kind.next.endswith(".")
    assert kind.code
    assert kind.__doc__ or name.startswith("_")


def test_whoever_raises_an_error_of_no_class_says_what_comes_next() -> None:
    """What the classes say by themselves is of use; what is left for the rest only names the log."""
    silent = [place for place, call in calls({"MemexError"}) if empty(argument(call, "next"))]
    assert silent == []


def test_nobody_says_that_nothing_comes_next() -> None:
    for place, call in calls(ERRORS):
        said = argument(call, "next")
        assert said is None or not empty(said), place
        if call.args:
            assert not empty(call.args[0]), place


def test_every_failure_of_an_operation_says_what_comes_next() -> None:
    made = [found for found in calls({"Failure"}) if found[0].startswith(("shared/", "functions/"))]
    assert made
    for place, call in made:
        for part in ("code", "message", "next"):
            assert not empty(argument(call, part)), f"{place} has no {part}"


def tables() -> list[tuple[str, str, object]]:
    """The entries of all tables of failures."""
    found = []
    for file, tree in TREES.items():
        for node in tree.body:
            target = node.target if isinstance(node, ast.AnnAssign) else None
            if isinstance(target, ast.Name) and target.id == "FAILURES":
                module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
                found += [(file, code, entry) for code, entry in module.FAILURES.items()]
    return found


@pytest.mark.parametrize(("file", "code", "entry"), tables())
def test_every_code_of_a_failure_has_both_halves(file: str, code: str, entry: tuple[str, str]) -> None:
    message, following = entry
    assert message.strip().endswith((".", "?")), (file, code)
    assert following.strip().endswith((".", "?")), (file, code)


def test_an_error_without_a_word_of_its_own_says_that_of_its_class() -> None:
    assert errors.Conflict("x").next == errors.Conflict.next
    assert errors.Conflict("x", next="Do y.").next == "Do y."
