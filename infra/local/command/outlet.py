"""Writes all notes into a folder: imported ones as the files they were, the others as files of their own."""

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from infra.local.command.answers import Json, Note, child, children, edited, note, text
from infra.local.command.failure import Failure, Refused
from infra.local.command.http import LONG, Api
from infra.local.command.ledger import Ledger, Occupied, link
from infra.local.command.screen import Progress, number
from infra.local.command.target import Target
from infra.local.command.vault.kinship import exported
from infra.local.command.vault.names import Names, inside
from infra.local.command.vault.page import page, stem
from shared.enrichment.actions import same
from shared.enrichment.boxes import standing

IN_FLIGHT = 6
PAGE = 200
FIRST = 5
"""Names that are listed of what this export did not touch, before the rest is only counted."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@dataclass(slots=True)
class Written:
    """What an export did."""

    total: int = 0
    written: int = 0
    same: int = 0
    reports: int = 0
    kept: list[str] = field(default_factory=list)
    """Files that are not as an export wrote them."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    """Files of an earlier export that belong to no note any more."""
    unwritten_tasks: list[str] = field(default_factory=list)
    """Titles of tasks, open or done, that stand in no box of any file."""

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {
            "notes": self.total,
            "written": self.written,
            "unchanged": self.same,
            "reports": self.reports,
            "not_overwritten": sorted(self.kept),
            "failed": [{"file": name, "reason": reason} for name, reason in sorted(self.failed)],
            "renamed": [{"file": name, "written_as": other} for name, other in sorted(self.renamed)],
            "left_over": self.left_over,
            "tasks_not_written": self.unwritten_tasks,
        }

    def summary(self) -> Iterator[str]:
        """For people."""
        reports = f"  {number(self.reports, 'report')} among them" if self.reports else ""
        yield f"Written       {self.written:>7,}{reports}"
        yield f"Unchanged     {self.same:>7,}"
        if self.kept:
            yield f"Kept back     {len(self.kept):>7,}  there is another file of that name; --force overwrites it"
            yield from (f"    {name}" for name in sorted(self.kept))
        if self.failed:
            yield f"Failed        {len(self.failed):>7,}"
            yield from (f"    {name}: {reason}" for name, reason in sorted(self.failed))
        if self.renamed:
            yield f"Renamed       {len(self.renamed):>7,}  their own paths can't be written here"
            yield from (f"    {name} -> {other}" for name, other in sorted(self.renamed))
        if self.left_over:
            yield f"Left over     {len(self.left_over):>7,}  files of no note any more; none is deleted here"
            yield from _first(self.left_over, "file")
        if self.unwritten_tasks:
            yield f"Not written   {len(self.unwritten_tasks):>7,}  tasks in no box of a file: memex tasks --status all"
            yield from _first(self.unwritten_tasks, "task")


def _first(names: list[str], noun: str) -> Iterator[str]:
    yield from (f"    {' '.join(name.split())}" for name in names[:FIRST])
    if len(names) > FIRST:
        yield f"    ... and {number(len(names) - FIRST, f'more {noun}')} (--json names all)"


class Outlet:
    """One export."""

    def __init__(self, ledger: Ledger, written: Written, *, reports: bool) -> None:
        self._ledger = ledger
        self._written = written
        self._reports = reports
        self._names = Names()
        self._files: dict[str, str] = {}
        """Id of a note -> its file."""
        self._gone: set[str] = set()
        self._boxes: set[str] = set()
        """What the boxes of all files say, in the form in which tasks are compared."""

    async def run(self, target: Target) -> None:
        """Write everything."""
        async with Api(target, patience=LONG) as api:
            there = [found async for found in _all(api)]
            there.reverse()
            notes = [found for found in there if self._reports or found.kind != "research"]
            self._written.total = len(notes)
            self._progress = Progress(len(notes), "Exporting")
            imported = [found for found in notes if found.source == "import" and found.kind != "research"]
            others = [found for found in notes if found.source != "import" or found.kind == "research"]
            try:
                # Files go back to where they were before any other name is chosen, and sources before what cites them.
                await self._each(api, imported)
                for found in others:
                    self._files[found.id] = self._name(found)
                await self._each(api, others)
            finally:
                self._progress.clear()
            left = {found.id for found in there} - self._gone
            self._written.left_over = self._ledger.left_over(left, self._files)
            self._written.unwritten_tasks = await self._tasks(api)

    async def _each(self, api: Api, notes: list[Note]) -> None:
        pending = iter(notes)

        async def work() -> None:
            for found in pending:
                await self._one(api, found.id)
                self._progress.step()

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(IN_FLIGHT):
                    group.create_task(work())
        except* Failure as failures:
            found: BaseException = failures
            while isinstance(found, BaseExceptionGroup):
                found = found.exceptions[0]
            raise found from None

    async def _one(self, api: Api, note_id: str) -> None:
        """Fetch one note whole, and write it."""
        try:
            answer = await api.get(f"/api/v1/notes/{note_id}")
        except Refused as refusal:
            if refusal.status == 404:
                self._gone.add(note_id)  # deleted meanwhile
                return
            raise
        found = note(child(answer, "note"))
        if found.origin and (found.id not in self._files or found.kind == "research"):
            name = self._original_name(found, found.origin.path)
            raw = exported(found, found.origin, edited(children(answer, "trace")))
        else:
            name = self._files.get(found.id) or self._name(found)
            raw = page(found, self._link(found.source_note_id)).encode()
        self._files[found.id] = name
        self._boxes |= standing(found.body)
        self._put(name, raw, found)

    def _put(self, name: str, raw: bytes, found: Note) -> None:
        written = self._written
        try:
            outcome = self._ledger.put(name, raw, found.id)
        except Occupied as problem:
            written.failed.append((name, str(problem)))
            return
        except OSError as error:
            if error.errno in _FULL:
                raise Failure(f"{self._ledger.root} can't be written to: {error.strerror}.", "Make room.") from None
            written.failed.append((name, error.strerror or "can't be written"))
            return
        if outcome == "kept":
            written.kept.append(name)
            return
        written.same += outcome == "same"
        written.written += outcome == "written"
        written.reports += outcome == "written" and found.kind == "research"

    async def _tasks(self, api: Api) -> list[str]:
        """The titles of the tasks that the files say nothing of, newest first; what was dropped is not missed."""
        found = [text(task, "title") async for task in _all_of(api, "tasks") if text(task, "status") != "dropped"]
        return [title for title in found if same(title) not in self._boxes]

    def _original_name(self, found: Note, path: str) -> str:
        name = inside(path)
        if not self._names.claim(name, found.id) and not self._ledger.tells_case:
            name = self._names.choose(name.rsplit(".", 1)[0], found.id)
        if name != path:
            self._written.renamed.append((path, name))
        return name

    def _name(self, found: Note) -> str:
        before = self._ledger.name_of(found.id)
        if before and "/" not in before and self._names.claim(before, found.id):
            return before
        return self._names.choose(stem(found), found.id)

    def _link(self, note_id: str) -> str:
        return link(self._files.get(note_id), note_id)


async def _all(api: Api) -> AsyncIterator[Note]:
    """Every note that is not in the bin, newest first."""
    async for found in _all_of(api, "notes"):
        yield note(found)


async def _all_of(api: Api, what: str) -> AsyncIterator[Json]:
    cursor = ""
    while True:
        answer = await api.get(f"/api/v1/{what}", limit=PAGE, cursor=cursor or [])
        for found in children(answer, what):
            yield found
        if not (cursor := text(answer, "next_cursor")):
            return
