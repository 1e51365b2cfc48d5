"""The four ways of reading one scope, each counted on its own, and the evidence that they give. It decides nothing."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from shared.errors import Upstream
from shared.memory.receipt import overall, rank
from shared.memory.scope import References, Scope
from shared.memory.service import MemoryBank, Row
from shared.models.base import moment
from shared.models.memory import (
    Action,
    Evidence,
    Expectation,
    Expected,
    Item,
    Occasion,
    Read,
    Reads,
    Receipt,
)

TOP_K = 10
"""How many of the nearest are asked for. The service never says that there were more."""
MOST_ITEMS = 200
"""Items of one receipt; a document has a size."""
QUESTION = 1_000
"""Characters of a question by which memories are looked for."""


class Sight:
    """What reads have shown. A read that fails is counted, and what it would have shown stays unknown."""

    def __init__(self, bank: MemoryBank, scope: Scope, references: References, now: Callable[[], float]) -> None:
        self.scope = scope
        self.references = references
        self._bank = bank
        self._now = now
        self._got: dict[str, Row | None] = {}
        self._listed: dict[str, Row] | None = None
        self._inventory: dict[str, Row] | None = None
        self._similar: dict[str, Row] | None = None
        self._newest: dict[str, tuple[str, str | None]] = {}
        self._counts: dict[str, Read] = {}

    def show(self, rows: Iterable[Row]) -> None:
        """Take over what somebody has just read of the scope."""
        self._inventory = {row.name: row for row in rows}

    # -- reads

    async def by_name(self, name: str) -> Row | None:
        """One memory."""
        try:
            row = await self._bank.get(name)
        except Upstream:
            self._count("get", asked=1, failed=1)
            return None
        self._got[name] = row
        self._count("get", asked=1)
        return row

    async def by_list(self) -> None:
        """The bank's list."""
        if (rows := await self._rows("listed", lambda: self._bank.listed(self.scope))) is not None:
            self._listed = rows

    async def by_scope(self) -> None:
        """Everything in the scope."""
        if (rows := await self._rows("scope", lambda: self._bank.inventory(self.scope))) is not None:
            self._inventory = rows

    async def by_similarity(self, question: str, top_k: int = TOP_K) -> None:
        """The nearest to a question; several questions add up."""
        asked = question.strip()[:QUESTION] or "?"
        rows = await self._rows("similarity", lambda: self._bank.similar(self.scope, asked, top_k))
        if rows is not None:
            self._similar = {**(self._similar or {}), **rows}

    async def _rows(self, way: str, read: Callable[[], Awaitable[list[Row]]]) -> dict[str, Row] | None:
        try:
            found = await read()
        except Upstream:
            self._count(way, asked=1, failed=1)
            return None
        self._count(way, asked=1)
        return {row.name: row for row in found}

    async def newest(self, name: str) -> None:
        """What the newest revision says of itself, where a row alone leaves doubt."""
        try:
            states = await self._bank.revisions(name)
        except Upstream:
            return
        if states:
            self._newest[name] = (states[0].fact, states[0].source)

    def _count(self, way: str, *, asked: int, failed: int = 0) -> None:
        before = self._counts.get(way, Read())
        self._counts[way] = Read(asked=before.asked + asked, failed=before.failed + failed, at=moment(self._now()))

    # -- what they show

    @property
    def names(self) -> list[str]:
        """Every memory that the scope or the similarity read shows, the nearest first."""
        return list(dict.fromkeys([*(self._similar or {}), *(self._inventory or {})]))

    @property
    def readable(self) -> bool:
        """Whether the scope could be read."""
        return self._inventory is not None

    def row(self, name: str) -> Row | None:
        """The memory as the scope shows it."""
        return (self._inventory or {}).get(name)

    def _rows_of(self, name: str) -> list[Row]:
        ways = (self._inventory, self._similar, self._listed)
        found = [way[name] for way in ways if way and name in way]
        got = self._got.get(name)
        return [*found, got] if got else found

    def scopes(self) -> list[str]:
        """The scope of every row that any read showed: one that is foreign says that all reads may be."""
        ways = (self._inventory or {}, self._similar or {}, self._listed or {})
        rows = [row for way in ways for row in way.values()] + [row for row in self._got.values() if row]
        return sorted({self.references.scope(row.scope) for row in rows})

    def in_doubt(self, name: str, source: str) -> bool:
        """Whether some row of this memory names another source than this."""
        return any(row.source != source for row in self._rows_of(name))

    def evidence(
        self,
        name: str,
        expectation: Expectation | None,
        *,
        done: bool | None = None,
        action: Action | None = None,
        error_code: int | None = None,
        late: bool = False,
    ) -> Evidence:
        """What is known of one memory."""
        expected: Expected = expectation.expected if expectation else "memory"
        wanted = expectation.origin.source if expectation and expected == "memory" else None
        got = self._got.get(name)
        in_list = self._listed is not None and name in self._listed
        inventory = None if self._inventory is None else name in self._inventory
        if action == "DELETED" and in_list:
            inventory = True  # for what should be gone, every read that still shows it counts
        return Evidence(
            done=done,
            late=late,
            error_code=error_code,
            action=action,
            expected=expected,
            expected_scope=self.references.scope(self.scope),
            visible_scopes=self.scopes(),
            expected_source=wanted,
            visible_source=self._visible_source(name, wanted),
            get_status=None if name not in self._got else 200 if got else 404,
            inventory_hit=inventory,
            similarity_hit=None if self._similar is None else name in self._similar,
        )

    def nothing(self, source: str) -> Evidence:
        """What is known where the work reports nothing: whether something of this source is there all the same."""
        rows = None if self._inventory is None else self._inventory.values()
        return Evidence(
            done=True,
            expected="none",
            expected_scope=self.references.scope(self.scope),
            visible_scopes=self.scopes(),
            inventory_hit=None if rows is None else any(row.source == source for row in rows),
        )

    def _visible_source(self, name: str, wanted: str | None) -> str | None:
        """The source that every row names; where one names another, the newest revision decides, if the text is its."""
        rows = self._rows_of(name)
        others = [row for row in rows if row.source != wanted]
        if not others:
            return rows[0].source if rows else None
        fact, source = self._newest.get(name, ("", None))
        if wanted is not None and source == wanted and all(row.fact == fact for row in rows):
            return source
        return others[0].source or source

    def reads(self, wanted: Iterable[str]) -> Reads:
        """The metrics of the four ways, each with its hits among what was looked for."""
        names = set(wanted)
        hits = {
            "get": sum(row is not None for name, row in self._got.items() if name in names),
            "listed": len(names & (self._listed or {}).keys()),
            "scope": len(names & (self._inventory or {}).keys()),
            "similarity": len(names & (self._similar or {}).keys()),
        }
        return Reads.model_validate(
            {way: count.model_copy(update={"hits": hits[way]}) for way, count in self._counts.items()}
        )

    def receipt(
        self,
        id: str,
        occasion: Occasion,
        items: Sequence[Item],
        wanted: Iterable[str],
        *,
        started_at: float,
        operation: str | None = None,
        operation_id: str | None = None,
        source: str | None = None,
        source_seen: bool | None = None,
        deadline_at: datetime | None = None,
    ) -> Receipt:
        """All of it as a receipt, as bad as its worst item; `wanted` are the names that the reads looked for."""
        whole = overall([item.judgement for item in items])
        # The worst come first, so that a long list is cut where nothing is to be done.
        kept = sorted(items, key=lambda item: rank(item.judgement), reverse=True)[:MOST_ITEMS]
        return Receipt(
            id=id,
            at=moment(self._now()),
            occasion=occasion,
            scope=self.references.scope(self.scope),
            operation_ref=self.references.operation(operation) if operation else None,
            operation_id=operation_id,
            source=source,
            source_seen=source_seen,
            started_at=moment(started_at),
            finished_at=moment(self._now()),
            deadline_at=deadline_at,
            items=kept,
            reads=self.reads(wanted),
            verdict=whole.verdict,
            decision=whole.decision,
            safe_action=whole.safe_action,
        )
