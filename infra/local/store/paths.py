"""Paths of documents as the tables hold them. Nothing else cuts a path."""

import re
from functools import lru_cache
from typing import NamedTuple

from shared.errors import Invalid

# Sorts before every character that a path may hold: `a/b` then comes before `a-b/c`, as in Firestore.
_SEPARATOR = "\x01"
_SEGMENT = r"[^/\x00-\x1f\x7f]+"
_DOCUMENT = re.compile(f"{_SEGMENT}/{_SEGMENT}(?:/{_SEGMENT}/{_SEGMENT})*")
_PART = re.compile(_SEGMENT)


class Place(NamedTuple):
    """Where a document lies: collection `notes`, scope `tenants.x.notes`, id."""

    collection: str
    scope: str
    id: str


def place(path: str) -> Place:
    """A document's place; Invalid where `path` is no document's path."""
    folder, _, id = path.rpartition("/")
    try:
        collection, scope = _folder(folder)
        if _PART.fullmatch(id):
            return Place(collection, scope, id)
    except ValueError:
        pass
    raise Invalid(f"{path!r} is not the path of a document", code="invalid_path")


@lru_cache(maxsize=4_096)
def _folder(path: str) -> tuple[str, str]:
    if not _DOCUMENT.fullmatch(f"{path}/id"):
        raise ValueError(path)
    return path.rpartition("/")[2], path.replace("/", _SEPARATOR)


def scope(parent: str, collection: str) -> str:
    """The scope of a collection; `parent` is a document's path, or empty at the top."""
    if not _PART.fullmatch(collection):
        raise Invalid(f"{collection!r} is not the name of a collection", code="invalid_path")
    if not parent:
        return collection
    if not _DOCUMENT.fullmatch(parent):
        raise Invalid(f"{parent!r} is not the path of a document", code="invalid_path")
    return f"{parent}/{collection}".replace("/", _SEPARATOR)


def folder(scope: str) -> str:
    """The path of a collection, as it was before `scope`."""
    return scope.replace(_SEPARATOR, "/")
