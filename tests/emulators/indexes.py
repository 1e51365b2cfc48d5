"""What the emulator does not check: which indexes a query needs of Firestore, and whether they are declared.

The rules: https://firebase.google.com/docs/firestore/query-data/index-overview. Queries in ascending order of id with
conditions of equality are answered by merging the automatic indexes of single fields. Descending order is an order by
`_path`, a field like any other, so it needs a composite index with the conditions before it. Queries of a collection
group have no automatic indexes at all.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shared.store.documents import Query, Where

FILE = Path(__file__).parents[2] / "infra" / "gcp" / "firestore.indexes.json"
PATH = "_path"
SEARCH = Query("search", "tenants/any", (Where("tokens", "contains", ""),), descending=True)
"""What `search` asks, as a query."""


@dataclass(frozen=True, slots=True, order=True)
class Index:
    """An index: of a collection or of the group, over fields with their modes."""

    collection: str
    fields: tuple[tuple[str, str], ...]
    group: bool = False


def needed(query: Query) -> set[Index]:
    """The indexes that answer a query."""
    equal = sorted({where.field for where in query.where if where.op != "contains"})
    fields = [(name, "ASCENDING") for name in equal]
    fields += [(where.field, "CONTAINS") for where in query.where if where.op == "contains"]
    fields += [(PATH, "DESCENDING")] if query.descending else []
    group = query.parent is None
    if not group and len(fields) == len(equal):
        return {Index(query.collection, (one,)) for one in fields}
    return {Index(query.collection, tuple(fields), group)} if fields else set()


@dataclass
class Declared:
    """The indexes of a file in the form of the Firebase CLI."""

    composite: set[Index] = field(default_factory=set)
    single: dict[tuple[str, str], set[Index]] = field(default_factory=dict)
    """What is said of single fields; `*` stands for all fields of a collection."""

    def has(self, index: Index) -> bool:
        """Whether the index is declared, or made without being asked for."""
        if len(index.fields) > 1:
            return index in self.composite
        name = index.fields[0][0]
        said = self.single.get((index.collection, name), self.single.get((index.collection, "*")))
        return not index.group if said is None else index in said

    def all(self) -> set[Index]:
        """All that are declared."""
        return self.composite.union(*self.single.values())


def declared(file: Path = FILE) -> Declared:
    """The indexes that the product declares."""
    content = json.loads(file.read_text())
    found = Declared()
    for one in content["indexes"]:
        fields = tuple((part["fieldPath"], _mode(part)) for part in one["fields"])
        found.composite.add(Index(one["collectionGroup"], fields, _group(one)))
    for one in content["fieldOverrides"]:
        place = (one["collectionGroup"], one["fieldPath"])
        assert place not in found.single, f"{place} twice"
        found.single[place] = {Index(place[0], ((place[1], _mode(part)),), _group(part)) for part in one["indexes"]}
    return found


def _mode(part: dict[str, Any]) -> str:
    return str(part["arrayConfig"] if "arrayConfig" in part else part["order"])


def _group(part: dict[str, Any]) -> bool:
    return bool(part["queryScope"] == "COLLECTION_GROUP")
