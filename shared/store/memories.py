"""What we keep about memories: receipts, what each memory should show, and apart from both what the hashes stand for.

The memories themselves are kept by the service, and by nobody else.
"""

import secrets
from collections.abc import Iterable, Mapping

from shared.errors import Conflict
from shared.memory.scope import References
from shared.models.base import JsonDict, moment, rfc3339
from shared.models.ids import ulid_floor
from shared.models.memory import Expectation, Receipt, Song
from shared.store.documents import Document, Documents, Expect, Query, Where, Write

KEPT_SECONDS = 90 * 86_400
"""How long a receipt is kept, and what its hash of an operation stands for. Deleting them is the store's business."""
MOST_OF_TURN = 400
"""Memories that one turn may have made; as many writes as one commit holds beside others."""
_EXPIRES_AT = "expires_at"


class Memories:
    """The receipts and expectations of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    async def references(self) -> References:
        """The tenant's references; the salt is made on first use, once."""
        path = f"{self._parent}/memory_salts/salt"
        for _ in range(2):
            found = await self._documents.get(path)
            if found is not None:
                return References(str(found.data["salt"]))
            try:
                await self._documents.commit([Write(path, {"salt": secrets.token_hex(32)}, Expect.ABSENT)])
            except Conflict:
                continue  # somebody else has just made it
        found = await self._documents.get(path)
        assert found is not None
        return References(str(found.data["salt"]))

    # -- what the hashes stand for

    def protect(self, names: Mapping[str, str], now: float, *, passing: bool = False) -> list[Write]:
        """What references stand for, as writes: for an operator with the store in hand, and for no route.

        With `passing` it is kept as long as the receipt that names it; else as long as what it stands for.
        """
        kept = _kept(now) if passing else {}
        at = rfc3339(moment(now))
        return [
            Write(f"{self._parent}/memory_names/{reference}", {"name": name, "seen_at": at, **kept})
            for reference, name in names.items()
        ]

    async def named(self, reference: str) -> str | None:
        """What a reference stands for."""
        found = await self._documents.get(f"{self._parent}/memory_names/{reference}")
        return str(found.data["name"]) if found else None

    # -- what each memory should show

    def _expectation(self, reference: str) -> str:
        return f"{self._parent}/memories/{reference}"

    async def expectations(self, scope: str, references: Iterable[str]) -> dict[str, Expectation]:
        """What is expected of these memories of a scope, by reference; those nobody wrote anything of are missing."""
        return {reference: one for reference, (one, _) in (await self.expected(scope, references)).items()}

    async def expected(self, scope: str, references: Iterable[str]) -> dict[str, tuple[Expectation, str]]:
        """The same, each with the version it was read at. All is as it was at one moment.

        What comes from before its person had everything forgotten should be gone, whoever wrote something else since:
        work that was under way then may be proved late.
        """
        paths = [self._expectation(reference) for reference in references]
        marker, *found = await self._documents.get_many([self._scope(scope), *paths])
        before = _forgotten(marker)
        kept = [(Expectation.model_validate(one.data), one.version) for one in found if one]
        return {
            one.memory_ref: (
                one.model_copy(update={"expected": "deleted"}) if _is_from_before(one, before) else one,
                at,
            )
            for one, at in kept
        }

    def expect(self, expectation: Expectation, expect: str | Expect = Expect.ANYTHING) -> Write:
        """What is expected of a memory from now on, as a write."""
        return Write(self._expectation(expectation.memory_ref), expectation.model_dump(mode="json"), expect)

    def expect_nothing(self, reference: str, expect: str | Expect = Expect.ANYTHING) -> Write:
        """Take back what was expected of a memory."""
        return Write(self._expectation(reference), None, expect)

    async def unexpect(self, turn: str) -> list[Write]:
        """Take back what was expected of the memories of a turn of chat, as writes; what should be gone stays so."""
        said = (Where("origin.source", "==", turn), Where("expected", "==", "memory"))
        found = await self._documents.query(Query("memories", self._parent, said, limit=MOST_OF_TURN))
        kept = [(Expectation.model_validate(one.data), one.version) for one in found]
        return [self.expect_nothing(one.memory_ref, at) for one, at in kept if one.origin.kind == "chat"]

    # -- a person who wants everything forgotten

    def forget(self, scope: str, before: str) -> Write:
        """From now on nothing that was said before this id (of time) may become a memory of the scope."""
        return Write(self._scope(scope), {"forgotten": before})

    async def forgotten(self, scope: str) -> str:
        """The id up to which everything is forgotten; "" where nothing was."""
        return _forgotten(await self._documents.get(self._scope(scope)))

    # -- receipts

    def _scope(self, scope: str) -> str:
        return f"{self._parent}/memory_scopes/{scope}"

    def put(self, receipt: Receipt) -> Write:
        """A receipt as a write; one that is there is the same work, proved again."""
        data = receipt.model_dump(mode="json", exclude={"id"}) | _kept(receipt.at.timestamp())
        return Write(f"{self._scope(receipt.scope)}/receipts/{receipt.id}", data)

    async def receipts(self, scope: str, *, before: str | None = None, limit: int = 50) -> list[Receipt]:
        """The receipts of a scope, newest first."""
        query = Query("receipts", self._scope(scope), descending=True, before=before, limit=limit)
        return [_receipt(document) for document in await self._documents.query(query)]

    # -- the canary

    def put_song(self, song: Song) -> Write:
        """What became of a canary, as a write."""
        data = song.model_dump(mode="json", exclude={"id"}) | _kept(song.at.timestamp())
        return Write(self._song(song.id), data, Expect.ABSENT)

    async def song(self, song_id: str) -> Song | None:
        """What became of a canary."""
        found = await self._documents.get(self._song(song_id))
        return Song.model_validate(_data(found)) if found else None

    def _song(self, song_id: str) -> str:
        return f"{self._parent}/memory_canaries/{song_id}"


def _kept(now: float) -> JsonDict:
    """Until when a document stays, as the field by which the store ends it."""
    return {_EXPIRES_AT: rfc3339(moment(now + KEPT_SECONDS))}


def _data(document: Document) -> JsonDict:
    return {**{key: value for key, value in document.data.items() if key != _EXPIRES_AT}, "id": document.id}


def _receipt(document: Document) -> Receipt:
    return Receipt.model_validate(_data(document))


def _forgotten(marker: Document | None) -> str:
    return str(marker.data["forgotten"]) if marker else ""


def _is_from_before(one: Expectation, forgotten: str) -> bool:
    """Whether it tells of what was said or corrected up to then. What is brought back names an older source."""
    source = ulid_floor(one.at.timestamp()) if one.origin.kind == "rollback" else one.origin.source
    return bool(forgotten) and source <= forgotten
