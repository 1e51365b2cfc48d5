"""The documents port: get, query, search, commit. Small JSON documents, opaque versions.

There are no interactive transactions: read, decide, commit what the decision rests on, and on Conflict again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Protocol

from pydantic import JsonValue

from shared.models.base import JsonDict


class Expect(Enum):
    """What a write expects to find, where it is not a version that was read."""

    ANYTHING = "anything"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: `path` is `collection/id/...`, `version` changes with every write."""

    path: str
    data: JsonDict
    version: str

    @property
    def id(self) -> str:
        """Last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Write:
    """One document of a commit; `data` None deletes. `expect` is a version read, ABSENT or ANYTHING."""

    path: str
    data: JsonDict | None
    expect: str | Expect = Expect.ANYTHING


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on a field (dotted path): `contains` asks an array for a value, `in` lists up to 30."""

    field: str
    op: Literal["==", "in", "contains"]
    value: JsonValue


@dataclass(frozen=True, slots=True)
class Query:
    """Documents of one collection in order of id; with `parent` None, of that collection under every parent.

    `after` and `before` are exclusive bounds: ids, or full paths where `parent` is None.
    """

    collection: str
    parent: str | None
    where: tuple[Where, ...] = field(default=())
    descending: bool = False
    after: str | None = None
    before: str | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """A search document that holds some of the words: larger `score` first."""

    id: str
    score: float


class Documents(Protocol):
    """Where documents live. Implementations raise Conflict where an expectation does not hold."""

    async def get(self, path: str) -> Document | None:
        """The document, or None."""
        ...

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        """Several documents at once, in the order asked."""
        ...

    async def query(self, query: Query) -> list[Document]:
        """At most `query.limit` documents."""
        ...

    async def search(
        self, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        """Search documents with any of the words, those with the most and rarest first.

        A beginning among them (shared/beginning.py) is found like a word, and counts less than the word itself.
        """
        ...

    async def commit(self, writes: Sequence[Write]) -> None:
        """All writes or none; Conflict (code `conflict`) where one expectation fails."""
        ...
