"""Routines and their runs in the store."""

from shared.errors import NotFound
from shared.models.base import moment
from shared.models.ids import is_id
from shared.models.routine import NAMES, Routine, RoutineName, RoutineRun, RunStatus, default
from shared.store.documents import Document, Documents, Expect, Query, Where, Write
from shared.store.records import Stored, parse, write

IS_ACTIVE = Where("active", "==", True)
"""The routines that are run on their schedule."""
ABSENT = ""
"""Version of a document that is not there yet."""


def tenant_of(document: Document) -> str:
    """Whose routine this is."""
    return document.path.split("/")[1]


def name_of(text: str) -> RoutineName:
    """The routine of that name; NotFound for any other."""
    for name in NAMES:
        if name == text:
            return name
    raise NotFound("There is no such routine.", code="routine_not_found", next=f"There are {' and '.join(NAMES)}.")


def expecting(version: str) -> str | Expect:
    """The version as a commit expects it."""
    return version or Expect.ABSENT


class Routines:
    """The routines of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    async def get(self, name: RoutineName, now: float) -> Stored[Routine]:
        """One routine; one that nobody has touched is as it comes, and its version is `ABSENT`."""
        document = await self._documents.get(f"{self._parent}/routines/{name}")
        return _parsed(document) if document else Stored(default(name, moment(now)), ABSENT)

    def put(self, routine: Routine, version: str) -> Write:
        """One routine as a write."""
        # Stored beside what it follows from, because a query can ask for one value only.
        data = {**routine.document(), "active": routine.active}
        return Write(f"{self._parent}/routines/{routine.id}", data, expecting(version))


def _parsed(document: Document) -> Stored[Routine]:
    data = {key: value for key, value in document.data.items() if key != "active"}
    return parse(Routine, Document(document.path, data, document.version))


class RoutineRuns:
    """The runs of one tenant's routines."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}"

    async def find(self, run_id: str) -> Stored[RoutineRun] | None:
        """One run, or None."""
        if not is_id(run_id):
            return None
        document = await self._documents.get(f"{self._parent}/routine_runs/{run_id}")
        return parse(RoutineRun, document) if document else None

    async def page(
        self,
        *,
        routine: RoutineName | None = None,
        status: RunStatus | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[RoutineRun]:
        """Runs, those that were due last first."""
        wanted = (("routine", routine), ("status", status))
        where = tuple(Where(field, "==", value) for field, value in wanted if value)
        query = Query("routine_runs", self._parent, where, descending=True, before=before, limit=limit)
        return [parse(RoutineRun, document).value for document in await self._documents.query(query)]

    def put(self, run: RoutineRun, version: str) -> Write:
        """One run as a write."""
        return write(f"{self._parent}/routine_runs/{run.id}", run, expecting(version))
