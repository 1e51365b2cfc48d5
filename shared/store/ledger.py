"""The ledger of a run: one key a tool call, under which the call's effect is stored in the commit that has it."""

import json
from dataclasses import dataclass
from hashlib import sha256

from pydantic import JsonValue

from shared.models.base import JsonDict
from shared.models.ids import is_id
from shared.store.answers import Key
from shared.store.documents import Documents


def _path(tenant: str, run_id: str, call_id: str) -> str:
    assert is_id(run_id) and call_id.isalnum()
    return f"tenants/{tenant}/runs/{run_id}/effects/{call_id}"


def key(tenant: str, run_id: str, call_id: str, tool: str, arguments: JsonDict) -> Key:
    """The key of this call; a second run of the same call finds the effect there and changes nothing."""
    asked = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False)
    return Key(_path(tenant, run_id, call_id), sha256(asked.encode(errors="surrogatepass")).hexdigest())


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call made or changed, and how it is taken back, as stored; None where it can't be in one step."""

    target_id: str
    undo: JsonValue


async def effect(documents: Documents, tenant: str, run_id: str, call_id: str) -> Effect | None:
    """The effect of this call, or None where it had none."""
    document = await documents.get(_path(tenant, run_id, call_id))
    return Effect(str(document.data["target_id"]), document.data.get("undo")) if document else None


async def target(documents: Documents, tenant: str, run_id: str, call_id: str) -> str | None:
    """The id of what this call made or changed, or None where it had no effect."""
    found = await effect(documents, tenant, run_id, call_id)
    return found.target_id if found else None
