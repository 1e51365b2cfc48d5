import inspect

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
