"""Firestore: the database, where it is, its indexes, and the field by which kept answers end."""

from infra.local.command.answers import Json, child, children, text
from infra.local.doctor.context import Cloud, name_of
from infra.local.doctor.expected import DATABASE, TTL, Field, Index, indexes, overrides
from infra.local.doctor.finding import Finding, ok, problem, warning
from infra.local.doctor.google import NotThere

_OURS = f"v1/projects/{{project}}/databases/{DATABASE}"
# The API knows a list of nothing but these: https://firebase.google.com/docs/firestore/reference/rest
_CHANGED = "indexConfig.usesAncestorConfig=false OR ttlConfig:*"


async def database(cloud: Cloud) -> Finding:
    """Whether the database is there, where the trigger is, and protected."""
    try:
        found = await cloud.google.get(cloud.at("firestore", _OURS))
    except NotThere:
        return problem(f"there is no database {DATABASE}", cloud.deploy)
    where, kind = text(found, "locationId"), text(found, "type")
    if where != cloud.region:
        return problem(
            f"it is in {where}, and the trigger in {cloud.region}: an event of another location never comes",
            "A database can't be moved. "
            + (
                f"Deploy to where it is (region {where}), or take another project."
                if "-" in where
                else "No trigger serves a multi-region; take another project."
            ),
        )
    if kind != "FIRESTORE_NATIVE":
        return problem(f"it is of type {kind}, not FIRESTORE_NATIVE", "Take another project; Memex needs native mode.")
    if text(found, "deleteProtectionState") != "DELETE_PROTECTION_ENABLED":
        return warning(
            f"in {where}, and one command could delete it",
            _command(cloud, "databases update --delete-protection"),
        )
    return ok(f"in {where}, protected from being deleted")


async def composite(cloud: Cloud) -> Finding:
    """Whether each index of several fields is there and ready."""
    try:
        told = await cloud.google.list(cloud.at("firestore", f"{_OURS}/collectionGroups/-/indexes"), "indexes")
    except NotThere:
        return problem("without a database there are none", cloud.deploy)
    states = {_index(one): text(one, "state") for one in told}
    wanted = indexes()
    if broken := [index for index in wanted if states.get(index) == "NEEDS_REPAIR"]:
        return problem(
            f"{_listed(broken)} could not be built",
            f"{_command(cloud, 'indexes composite list')}\n{cloud.deploy}",
        )
    if missing := [index for index in wanted if index not in states]:
        return problem(f"{len(missing)} of {len(wanted)} are missing: {_listed(missing)}", cloud.deploy)
    if unready := [index for index in wanted if states[index] != "READY"]:
        return warning(
            f"{len(unready)} of {len(wanted)} are still being built: {_listed(unready)}",
            _command(cloud, "operations list"),
        )
    return ok(f"all {len(wanted)} are ready")


async def single(cloud: Cloud) -> Finding:
    """Whether fields are indexed as tick's queries over all tenants need it, and large ones not at all."""
    fields = await _fields(cloud)
    if fields is None:
        return problem("without a database there are none", cloud.deploy)
    wanted = overrides()
    missing, loud, building = [], [], []
    for place, kept in wanted.items():
        found = {
            (text(index, "queryScope"), field.kept): text(index, "state")
            for index in children(child(fields.get(place, {}), "indexConfig"), "indexes")
            for field in map(_field, children(index, "fields"))
        }
        if kept - found.keys():
            missing.append(place)
        elif not kept and (place not in fields or found):
            loud.append(place)
        elif any(found[one] != "READY" for one in kept):
            building.append(place)
    if missing:
        return problem(f"tick can't search {_places(missing)}", cloud.deploy)
    if building:
        return warning(
            f"{_places(building)} are still being built",
            _command(cloud, "operations list"),
        )
    if loud:
        return warning(f"{_places(loud)} are indexed, which costs and limits their size", cloud.deploy)
    return ok(f"all {len(wanted)} are as they should be")


async def ends(cloud: Cloud) -> Finding:
    """Whether what is kept for a time only is deleted after it: answers after a day, receipts after 90."""
    fields = await _fields(cloud)
    if fields is None:
        return problem("without a database there are none", cloud.deploy)
    states = {place: text(child(fields.get(place, {}), "ttlConfig"), "state") for place in TTL}
    building = [place for place, state in states.items() if state == "CREATING"]
    for (collection, field), state in states.items():
        if state not in ("ACTIVE", "CREATING"):
            broken = "needs repair" if state else "has no policy"
            return problem(
                f"nothing ends what is kept in {collection}: {collection}.{field} {broken}",
                _command(cloud, f"fields ttls update {field} --collection-group={collection} --enable-ttl"),
            )
    if building:
        return warning(f"still being set up: {_places(building)}", _command(cloud, "operations list"))
    return ok(f"all {len(TTL)} end what is past its time")


async def _fields(cloud: Cloud) -> dict[tuple[str, str], Json] | None:
    """Fields that are kept otherwise than the rest; None where there is no database."""
    url = cloud.at("firestore", f"{_OURS}/collectionGroups/-/fields")
    try:
        told = await cloud.google.list(url, "fields", filter=_CHANGED)
    except NotThere:
        return None
    return {
        (text(one, "name").split("/collectionGroups/")[-1].partition("/")[0], name_of(one).replace("`", "")): one
        for one in told
    }


def _command(cloud: Cloud, words: str) -> str:
    return f'gcloud firestore {words} --database="{DATABASE}" --project={cloud.project}'


def _index(told: Json) -> Index:
    fields = tuple(field for field in map(_field, children(told, "fields")) if field.path != "__name__")
    collection = text(told, "name").split("/collectionGroups/")[-1].partition("/")[0]
    return Index(collection, text(told, "queryScope"), fields)


def _field(told: Json) -> Field:
    return Field(text(told, "fieldPath"), text(told, "order") or text(told, "arrayConfig"))


def _listed(found: list[Index]) -> str:
    return "; ".join(map(str, found))


def _places(found: list[tuple[str, str]]) -> str:
    return ", ".join(".".join(place) for place in found)
