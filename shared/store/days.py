"""What a tenant's paid runs have used of one day (UTC): reserved at the claim, given back if nothing was bought."""

from dataclasses import dataclass
from datetime import UTC, datetime

from shared.store.documents import Documents, Expect, Write


@dataclass(frozen=True, slots=True)
class Day:
    """One day's account."""

    date: str
    paid_runs: int
    cost_usd: float
    version: str | None


def date_of(now: float) -> str:
    """The UTC day of a moment, as YYYY-MM-DD."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


class Days:
    """The days of one tenant."""

    def __init__(self, documents: Documents, tenant: str) -> None:
        self._documents = documents
        self._parent = f"tenants/{tenant}/days"

    async def get(self, date: str) -> Day:
        """A day's account, empty where nothing was spent."""
        document = await self._documents.get(f"{self._parent}/{date}")
        if document is None:
            return Day(date, 0, 0.0, None)
        return Day(date, int(str(document.data["paid_runs"])), float(str(document.data["cost_usd"])), document.version)

    def put(self, day: Day, *, runs: int, cost_usd: float) -> Write:
        """The account changed by so much, expecting it as it was read."""
        data = {"paid_runs": max(0, day.paid_runs + runs), "cost_usd": round(max(0.0, day.cost_usd + cost_usd), 6)}
        return Write(f"{self._parent}/{day.date}", dict(data), day.version or Expect.ABSENT)
