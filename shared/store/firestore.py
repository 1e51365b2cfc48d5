"""The documents port on Firestore, through Google's async client. Nothing else knows Firestore.

A document is stored as the map that it is. Three things differ, and only in the store: `_path` is its path, because
Firestore does not scan ids backwards; `expires_at` at its top is a timestamp, because a TTL policy wants one; a list
right inside a list is wrapped in a map, because Firestore takes none.
"""

import asyncio
import logging
import math
import os
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import JsonValue

from shared.beginning import damped, indexed
from shared.errors import (
    Conflict,
    Invalid,
    MemexError,
    NotConfigured,
    TooLarge,
    TooMany,
    Unreachable,
    Upstream,
    UpstreamTimeout,
)
from shared.models.base import JsonDict, rfc3339
from shared.store.documents import Document, Expect, Hit, Query, Where, Write

if TYPE_CHECKING:
    from google.cloud.firestore_v1.services.firestore import FirestoreAsyncClient

T = TypeVar("T")

LARGEST = 1_048_576
"""Bytes of one document."""
MOST_VALUES = 30
"""Values of one `in` and words of one search: Firestore's limit of alternatives in a query."""
CANDIDATES = 300
"""Search documents that one search reads."""
COUNTED = 100
"""Words of a question whose rarity is asked for."""
CALL_SECONDS = 20.0
ATTEMPTS = 6

_HOST = "firestore.googleapis.com"
_PATH = "_path"
_EXPIRES_AT = "expires_at"
_INNER = "[]"
_UNIT = 1_000_000
_OPERATORS = {"==": "EQUAL", "in": "IN", "contains": "ARRAY_CONTAINS"}
_SEGMENT = re.compile(r"[^/\x00-\x1f\x7f]+")
_NO_WORD = re.compile(r"[\x00-\x20\x7f]")
_TOO_LARGE = re.compile(r"exceeds|longer than|too many index entries", re.IGNORECASE)

log = logging.getLogger("memex.firestore")


class FirestoreDocuments:
    """All documents of one database. FIRESTORE_EMULATOR_HOST leads to an emulator, as for Google's own client.

    A version is a document's update time. Firestore leaves that as it is where a write changes nothing, so an
    expectation keeps out only those who changed something.
    """

    def __init__(self, project: str, *, database: str = "(default)") -> None:
        self._database = f"projects/{project}/databases/{database}"
        self._root = f"{self._database}/documents"
        self._opened: FirestoreAsyncClient | None = None

    async def close(self) -> None:
        """Close the channel; the next use opens another."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.transport.close()  # type: ignore[no-untyped-call]  # the library has no types here

    async def get(self, path: str) -> Document | None:
        """The document, or None."""
        (found,) = await self.get_many([path])
        return found

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        """Several documents as they were at one moment, in the order asked."""
        names = [self._name(path) for path in paths]
        if not names:
            return []
        from google.cloud.firestore_v1.types import BatchGetDocumentsRequest

        request = BatchGetDocumentsRequest(database=self._database, documents=list(dict.fromkeys(names)))

        async def read() -> list[Any]:
            answers = await self._client().batch_get_documents(request, **self._options())
            return [type(one).pb(one) async for one in answers]

        answers = await _tried(read, _refused_read)
        found = {one.found.name: self._document(one.found) for one in answers if one.HasField("found")}
        return [found.get(name) for name in names]

    async def query(self, query: Query) -> list[Document]:
        """At most `query.limit` documents."""
        if query.limit < 1:
            return []
        parent = self._root if query.parent is None else self._parent(query.parent)
        return [self._document(found) for found in await self._run(parent, self._structured(query, parent))]

    async def search(
        self, tenant: str, words: Sequence[str], *, kind: str | None, tag: str | None, limit: int
    ) -> list[Hit]:
        """Search documents with any of the words, those with the most and rarest first.

        Firestore ranks nothing. So it is asked how many notes hold each word, then for the notes themselves, and
        these are ranked here, by the formula of the local store. What that can't do: of a question's first 100 words
        the 30 rarest count. At most 300 notes are read: all with one of the rarest words, for as many words as that
        reaches, and of those that hold only commoner ones the newest. `kind` and `tag` choose among these, so they
        may miss old notes; how rare a word is, is said of all notes.
        """
        asked = list(dict.fromkeys(word for word in words if word and not _NO_WORD.search(word)))[:COUNTED]
        if not asked or limit < 1:
            return []
        parent = self._parent(f"tenants/{tenant}")
        total, *counts = await asyncio.gather(self._count(parent, ()), *(self._count(parent, (one,)) for one in asked))
        rarest = sorted((count, word) for count, word in zip(counts, asked, strict=True) if count)[:MOST_VALUES]
        telling, common, left = _divided(rarest)
        found = await asyncio.gather(self._holding(parent, telling, CANDIDATES), self._holding(parent, common, left))
        weights = damped({word: _weight(count, total) for count, word in rarest})
        scores = {
            document.name.rpartition("/")[2]: _score(document.fields, weights)
            for documents in found
            for document in documents
            if _chosen(document.fields, kind, tag)
        }
        ranked = sorted(((score, id) for id, score in scores.items()), reverse=True)[:limit]
        return [Hit(id, score / _UNIT) for score, id in ranked]

    async def commit(self, writes: Sequence[Write]) -> None:
        """All writes or none; Conflict (code `conflict`) where one expectation fails.

        A commit whose answer got lost is sent again, and may then meet itself: that is a Conflict as well, and
        reading again shows what was done.
        """
        if not writes:
            return
        if len({write.path for write in writes}) < len(writes):
            raise Invalid("a commit may name a document only once", code="invalid_commit")
        from google.cloud.firestore_v1.types import CommitRequest

        request = CommitRequest.pb()(database=self._database)
        for write in writes:
            self._add(request.writes.add(), write)

        async def send() -> None:
            await self._client().commit(CommitRequest.wrap(request), **self._options())

        await _tried(send, _refused_commit)

    def _add(self, pb: Any, write: Write) -> None:
        name = self._name(write.path)
        if write.data is None:
            pb.delete = name
        else:
            pb.update.name = name
            try:
                if _PATH in write.data:
                    raise ValueError(f"a field named {_PATH}")
                for key, value in write.data.items():
                    _put_field(pb.update.fields[key], key, value)
                pb.update.fields[_PATH].string_value = _sortable(write.path)
            except (TypeError, ValueError) as error:
                raise Invalid(f"{write.path} holds what can't be stored: {error}", code="invalid_document") from error
            if pb.update.ByteSize() > LARGEST:
                raise TooLarge(f"{write.path} would be larger than {LARGEST:,} bytes", code="document_too_large")
        if write.expect is Expect.ABSENT:
            pb.current_document.exists = False
        elif isinstance(write.expect, str):
            seconds, _, nanos = write.expect.partition(".")
            if not (seconds.isdecimal() and nanos.isdecimal()):
                raise Conflict(f"{write.path} never had this version")
            pb.current_document.update_time.seconds = int(seconds)
            pb.current_document.update_time.nanos = int(nanos)

    def _structured(self, query: Query, parent: str) -> Any:
        from google.cloud.firestore_v1.types import StructuredQuery

        if not _SEGMENT.fullmatch(query.collection):
            raise Invalid(f"{query.collection!r} is not the name of a collection", code="invalid_path")
        pb = StructuredQuery.pb()()
        pb.from_.add(collection_id=query.collection, all_descendants=query.parent is None)
        if query.where:
            pb.where.CopyFrom(_and([_filter(where) for where in query.where]))
        _put_order(pb, descending=query.descending)
        first, last = (query.before, query.after) if query.descending else (query.after, query.before)
        # A cursor stands before or after the document that it names: behind the first, in front of the last.
        for cursor, bound, before in ((pb.start_at, first, False), (pb.end_at, last, True)):
            if bound is not None:
                name = self._name(bound) if query.parent is None else f"{parent}/{query.collection}/{bound}"
                if query.descending:
                    cursor.values.add(string_value=_sortable(name[len(self._root) + 1 :]))
                else:
                    cursor.values.add(reference_value=name)
                cursor.before = before
        pb.limit.value = query.limit
        return pb

    async def _run(self, parent: str, structured: Any) -> list[Any]:
        from google.cloud.firestore_v1.types import RunQueryRequest

        request = RunQueryRequest.wrap(RunQueryRequest.pb()(parent=parent, structured_query=structured))

        async def read() -> list[Any]:
            answers = [type(one).pb(one) async for one in await self._client().run_query(request, **self._options())]
            return [answer.document for answer in answers if answer.HasField("document")]

        return await _tried(read, _refused_read)

    async def _holding(self, parent: str, words: Sequence[str], limit: int) -> list[Any]:
        """Search documents with any of the words, the newest first; of their fields, what ranking needs."""
        if not words or limit < 1:
            return []
        structured = _with_words(words)
        structured.limit.value = limit
        for name in ("tokens", "title", "tags", "kind"):
            structured.select.fields.add(field_path=name)
        return await self._run(parent, structured)

    async def _count(self, parent: str, words: Sequence[str]) -> int:
        """How many search documents hold one of the words; how many there are, where none is given."""
        from google.cloud.firestore_v1.types import RunAggregationQueryRequest

        pb = RunAggregationQueryRequest.pb()(parent=parent)
        aggregation = pb.structured_aggregation_query
        aggregation.structured_query.CopyFrom(_with_words(words))
        aggregation.aggregations.add(alias="count").count.SetInParent()
        request = RunAggregationQueryRequest.wrap(pb)

        async def read() -> int:
            answers = await self._client().run_aggregation_query(request, **self._options())
            return sum([type(one).pb(one).result.aggregate_fields["count"].integer_value async for one in answers])

        return await _tried(read, _refused_read)

    def _name(self, path: str) -> str:
        segments = path.split("/")
        if len(segments) % 2 or not all(map(_SEGMENT.fullmatch, segments)):
            raise Invalid(f"{path!r} is not the path of a document", code="invalid_path")
        return f"{self._root}/{path}"

    def _parent(self, path: str) -> str:
        return self._name(path) if path else self._root

    def _document(self, pb: Any) -> Document:
        version = f"{pb.update_time.seconds}.{pb.update_time.nanos:09d}"
        data = _map(pb.fields)
        data.pop(_PATH, None)
        return Document(pb.name[len(self._root) + 1 :], data, version)

    def _options(self) -> dict[str, Any]:
        # Without an attempt of the library's own: it would try again after errors that ours know better.
        return {"retry": None, "timeout": CALL_SECONDS, "metadata": (("google-cloud-resource-prefix", self._database),)}

    def _client(self) -> "FirestoreAsyncClient":
        if self._opened is None:
            import grpc.aio
            from google.cloud.firestore_v1.services.firestore import FirestoreAsyncClient
            from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcAsyncIOTransport

            unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
            if emulator := os.environ.get("FIRESTORE_EMULATOR_HOST"):
                channel = grpc.aio.insecure_channel(emulator, options=unlimited)
            else:
                # An idle connection is dropped on the way, which a call would find out only by its timeout.
                alive = [("grpc.keepalive_time_ms", 30_000)]
                channel = FirestoreGrpcAsyncIOTransport.create_channel(_HOST, options=[*unlimited, *alive])
            self._opened = FirestoreAsyncClient(transport=FirestoreGrpcAsyncIOTransport(channel=channel))
        return self._opened


# Calls and their failures


async def _tried(call: Callable[[], Awaitable[T]], refused: Callable[[Exception], MemexError]) -> T:
    """The call's answer, at the latest after several attempts: what may pass is tried again a little later."""
    from google.api_core.exceptions import Aborted, GoogleAPICallError, InternalServerError, ServiceUnavailable
    from google.auth.exceptions import GoogleAuthError

    for turn in range(ATTEMPTS):
        try:
            return await call()
        except (GoogleAPICallError, GoogleAuthError) as error:
            passing = isinstance(error, Aborted | InternalServerError | ServiceUnavailable)
            if not passing or turn == ATTEMPTS - 1:
                raise refused(error) from None
        await asyncio.sleep(random.uniform(0, 0.05 * 2**turn))
    raise AssertionError("unreachable")


def _refused_commit(error: Exception) -> MemexError:
    from google.api_core.exceptions import (
        Aborted,
        AlreadyExists,
        FailedPrecondition,
        InternalServerError,
        InvalidArgument,
        NotFound,
        ServiceUnavailable,
    )

    if isinstance(error, AlreadyExists):
        return Conflict("A document exists already.")
    # A version later than the document's own is called an invalid argument, not a failed precondition.
    if isinstance(error, FailedPrecondition) or (
        isinstance(error, InvalidArgument) and "base version" in error.message
    ):
        return Conflict("A document was changed or deleted by someone else.")
    if isinstance(error, NotFound) and "database" not in error.message:
        return Conflict("A document has been deleted.")
    if isinstance(error, Aborted):
        return Conflict("Too many wanted to change the same document.")
    if isinstance(error, ServiceUnavailable | InternalServerError):
        return UpstreamTimeout("Firestore did not say whether it stored the change.", next="Look, and try again.")
    return _refused_read(error)


def _refused_read(error: Exception) -> MemexError:
    from google.api_core import exceptions as google
    from google.auth.exceptions import DefaultCredentialsError

    match error:
        case DefaultCredentialsError() | google.Unauthenticated() | google.PermissionDenied():
            return NotConfigured(
                f"Firestore is closed to this process ({type(error).__name__}).",
                next="Give its account roles/datastore.user, or set FIRESTORE_EMULATOR_HOST.",
            )
        case google.NotFound():
            return NotConfigured("There is no such Firestore database.", next="Create it: infra/gcp does.")
        case google.FailedPrecondition():
            log.error("firestore refused: %s", error.message)  # names the index that is missing, no content
            return NotConfigured("Firestore lacks an index.", next="Deploy infra/gcp/firestore.indexes.json.")
        case google.InvalidArgument() if _TOO_LARGE.search(error.message):
            return TooLarge("This is more than Firestore takes.", code="document_too_large")
        case google.InvalidArgument() | google.OutOfRange():
            return Invalid("Firestore can't store or look for this.", code="invalid_document")
        case google.ResourceExhausted():
            return TooMany("Firestore's quota is used up.", next="Try again later.")
        case google.DeadlineExceeded():
            return UpstreamTimeout("Firestore did not answer in time.", next="It is tried again by itself.")
        case google.ServiceUnavailable():
            return Unreachable("Firestore can't be reached.", next="It is tried again by itself.")
        case google.GoogleAPICallError():
            return Upstream(f"Firestore failed ({type(error).__name__}).", upstream_status=int(error.code or 0))
        case _:
            return Upstream(f"Firestore can't be asked ({type(error).__name__}).")


# JSON in Firestore's values


def _put_field(pb: Any, name: str, value: JsonValue) -> None:
    """A field at the top of a document."""
    expires_at = _timestamp(value) if name == _EXPIRES_AT else None
    if expires_at is None:
        _put(pb, value)
    else:
        pb.timestamp_value.FromDatetime(expires_at)


def _put_map(fields: Any, data: JsonDict) -> None:
    if data.keys() == {_INNER}:
        raise ValueError(f"a map with only the key {_INNER}")
    for key, value in data.items():
        _put(fields[key], value)


def _put(pb: Any, value: JsonValue) -> None:
    match value:
        case None:
            pb.null_value = 0
        case bool():
            pb.boolean_value = value
        case int():
            pb.integer_value = value
        case float() if math.isfinite(value):
            pb.double_value = value
        case str():
            pb.string_value = value
        case list():
            pb.array_value.SetInParent()
            for one in value:
                inner = pb.array_value.values.add()
                _put(inner.map_value.fields[_INNER] if isinstance(one, list) else inner, one)
        case dict():
            pb.map_value.SetInParent()
            _put_map(pb.map_value.fields, value)
        case _:
            raise ValueError(f"{value!r:.50}")


def _timestamp(value: JsonValue) -> datetime | None:
    """The time in a text that comes back the same; None where there is none."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None and rfc3339(moment) == value else None


def _map(fields: Any) -> JsonDict:
    return {key: _value(value) for key, value in fields.items()}


def _value(pb: Any) -> JsonValue:
    match pb.WhichOneof("value_type"):
        case "null_value":
            return None
        case "map_value":
            fields = pb.map_value.fields
            return _value(fields[_INNER]) if len(fields) == 1 and _INNER in fields else _map(fields)
        case "array_value":
            return [_value(one) for one in pb.array_value.values]
        case "timestamp_value":
            return rfc3339(pb.timestamp_value.ToDatetime(tzinfo=UTC))
        case "boolean_value" | "integer_value" | "double_value" | "string_value" as kind:
            plain: JsonValue = getattr(pb, kind)
            return plain
        case kind:
            raise ValueError(f"a document holds a {kind}, which nobody here wrote")


# Conditions


def _filter(where: Where) -> Any:
    from google.cloud.firestore_v1.field_path import FieldPath
    from google.cloud.firestore_v1.types import StructuredQuery

    keys = where.field.split(".")
    if not all(keys):
        raise Invalid(f"{where.field!r} is not the name of a field", code="invalid_query")
    values = _compared(where)
    pb = StructuredQuery.Filter.pb()()
    if where.op == "contains" or None not in values:
        pb.field_filter.field.field_path = FieldPath(*keys).to_api_repr()
        pb.field_filter.op = getattr(StructuredQuery.FieldFilter.Operator, _OPERATORS[where.op])
        try:
            _put_field(pb.field_filter.value, where.field, where.value)
        except ValueError as error:
            raise Invalid(f"nothing stored equals this: {error}", code="invalid_query") from error
    elif len(values) == 1:
        pb.unary_filter.field.field_path = FieldPath(*keys).to_api_repr()
        pb.unary_filter.op = StructuredQuery.UnaryFilter.Operator.IS_NULL
    else:
        # IN never finds null.
        parts = [Where(where.field, "in", [one for one in values if one is not None]), Where(where.field, "==", None)]
        pb.composite_filter.op = StructuredQuery.CompositeFilter.Operator.OR
        pb.composite_filter.filters.extend(map(_filter, parts))
    return pb


def _put_order(pb: Any, *, descending: bool) -> None:
    from google.cloud.firestore_v1.types import StructuredQuery

    ways = StructuredQuery.Direction
    way = ways.DESCENDING if descending else ways.ASCENDING
    pb.order_by.add(direction=way).field.field_path = _PATH if descending else "__name__"


def _sortable(path: str) -> str:
    # Sorts as Firestore sorts names: `a/b` before `a-b/c`.
    return path.replace("/", "\x01")


def _compared(where: Where) -> list[JsonValue]:
    values = where.value if where.op == "in" else [where.value]
    if not (isinstance(values, list) and 1 <= len(values) <= MOST_VALUES):
        raise Invalid(f"`in` takes a list of 1 to {MOST_VALUES} values", code="invalid_query")
    if any(isinstance(one, list | dict) for one in values):
        raise Invalid("a condition compares with text, numbers, true, false or null", code="invalid_query")
    return values


def _and(filters: Sequence[Any]) -> Any:
    from google.cloud.firestore_v1.types import StructuredQuery

    if len(filters) == 1:
        return filters[0]
    pb = StructuredQuery.Filter.pb()()
    pb.composite_filter.op = StructuredQuery.CompositeFilter.Operator.AND
    pb.composite_filter.filters.extend(filters)
    return pb


# Search


def _with_words(words: Sequence[str]) -> Any:
    """Search documents with any of the words, the newest first; all of them in any order, where none is given."""
    from google.cloud.firestore_v1.types import StructuredQuery

    pb = StructuredQuery.pb()()
    pb.from_.add(collection_id="search")
    if words:
        pb.where.field_filter.field.field_path = "tokens"
        pb.where.field_filter.op = StructuredQuery.FieldFilter.Operator.ARRAY_CONTAINS_ANY
        _put(pb.where.field_filter.value, list(words))
        _put_order(pb, descending=True)
    return pb


def _divided(rarest: Sequence[tuple[int, str]]) -> tuple[list[str], list[str], int]:
    """The words of which all notes can be read, the others, and how many of the others' notes can."""
    left = CANDIDATES
    for n, (count, _) in enumerate(rarest):
        if count > left:
            words = [word for _, word in rarest]
            return words[:n], words[n:], left
        left -= count
    return [word for _, word in rarest], [], left


def _weight(count: int, total: int) -> int:
    # Lucene's form of BM25, which is never negative; whole numbers, so that equal notes tie exactly.
    return max(1, round(_UNIT * math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))))


def _score(fields: Any, weights: Mapping[str, int]) -> int:
    """Words count once a note, and half as much again in its title or tags."""
    held = set(_texts(fields, "tokens"))
    headings = set(indexed(fields["title"].string_value if "title" in fields else "", "", _texts(fields, "tags")))
    return sum(weight + (weight // 2 if word in headings else 0) for word, weight in weights.items() if word in held)


def _chosen(fields: Any, kind: str | None, tag: str | None) -> bool:
    if kind is not None and not ("kind" in fields and fields["kind"].string_value == kind):
        return False
    return tag is None or tag in _texts(fields, "tags")


def _texts(fields: Any, name: str) -> list[str]:
    return [one.string_value for one in fields[name].array_value.values] if name in fields else []
