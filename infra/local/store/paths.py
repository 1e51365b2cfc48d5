"""Paths of documents as the tables hold them. Nothing else cuts a path."""

import re
from typing import NamedTuple

from shared.errors import Invalid

# Sorts before every character that a path may hold: `a/b` then comes before `a-b/c`, as in Firestore.
_SEPARATOR = "\x01"
_SEGMENT = r"[^/\x00-\x1f\x7f]+"
_DOCUMENT = re.compile(f"{_SEGMENT}/{_SEGMENT}(?:/{_SEGMENT}/{_SEGMENT})*")
_COLLECTION = re.compile(_SEGMENT)


class Place(NamedTuple):
    """Where a document lies: collection `notes`, scope `tenants.x.notes`, id."""

    collection: str
    scope: str
    id: str


def place(path: str) -> Place:
    """A document's place; Invalid where `path` is no document's path."""
    if not _DOCUMENT.fullmatch(path):
        raise Invalid(f"{path!r} is not the path of a document", code="invalid_path")
    folder, _, id = path.rpartition("/")
    return Place(folder.rpartition("/")[2], folder.replace("/", _SEPARATOR), id)


def scope(parent: str, collection: str) -> str:
    """The scope of a collection; `parent` is a document's path, or empty at the top."""
    if not _COLLECTION.fullmatch(collection):
        raise Invalid(f"{collection!r} is not the name of a collection", code="invalid_path")
    if not parent:
        return collection
    if not _DOCUMENT.fullmatch(parent):
        raise Invalid(f"{parent!r} is not the path of a document", code="invalid_path")
    return f"{parent}/{collection}".replace("/", _SEPARATOR)


def folder(scope: str) -> str:
    """The path of a collection, as it was before `scope`."""
    return scope.replace(_SEPARATOR, "/")
