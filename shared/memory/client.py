"""The client of Memory Bank, or of anything that speaks its REST API. It waits for nothing and repeats nothing."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import quote, urlencode

from pydantic import JsonValue

from shared.config import Settings
from shared.errors import NotConfigured
from shared.memory import wire
from shared.memory.scope import Scope
from shared.memory.service import Refused, Row, State, Trouble, Work
from shared.models.base import JsonDict
from shared.net.http import Http, Reply

GOOGLE = "https://{location}-aiplatform.googleapis.com/v1beta1"
PAGE = 100
"""Rows a page; without a number the service gives three, and says nothing of the rest."""
PAGES = 50
Credentials = Callable[[], Awaitable[dict[str, str]]]


class MemoryBankClient:
    """MemoryBank over HTTP. `root` is the address up to the version, `engine` the bank's resource name."""

    def __init__(self, http: Http, root: str, engine: str, credentials: Credentials, *, seconds: float = 20.0) -> None:
        self._http = http
        self._root = root.rstrip("/")
        self._engine = engine.strip("/")
        self._credentials = credentials
        self._seconds = seconds

    @classmethod
    def from_settings(cls, settings: Settings, http: Http, token: Callable[[], Awaitable[str]]) -> "MemoryBankClient":
        """The client of the configured bank; `token` gives Google access tokens."""
        parts = settings.memory_engine.strip("/").split("/")
        if len(parts) != 6 or parts[::2] != ["projects", "locations", "reasoningEngines"]:
            raise NotConfigured(
                "No memory bank is configured",
                next="Set MEMEX_MEMORY_ENGINE to projects/P/locations/L/reasoningEngines/E.",
            )

        async def bearer() -> dict[str, str]:
            return {"Authorization": f"Bearer {await token()}"}

        return cls(http, settings.memory_url or GOOGLE.format(location=parts[3]), settings.memory_engine, bearer)

    # -- writes

    async def generate(self, scope: Scope, said: Sequence[str], source: str) -> Work:
        """Have facts taken out of what a person said; only their own words are sent."""
        events: list[JsonValue] = [{"content": {"role": "user", "parts": [{"text": text}]}} for text in said]
        body: JsonDict = {
            "directContentsSource": {"events": events},
            "scope": dict(scope),
            **_marked(source),
            "metadataMergeStrategy": "OVERWRITE",
        }
        return wire.work(await self._ask("POST", f"{self._engine}/memories:generate", json=body))

    async def create(self, scope: Scope, fact: str, source: str, *, ttl_seconds: int | None = None) -> Work:
        """Write one fact as it is."""
        body: JsonDict = {"fact": fact, "scope": dict(scope), **_marked(source)}
        if ttl_seconds is not None:
            body["ttl"] = f"{ttl_seconds}s"
        return wire.work(await self._ask("POST", f"{self._engine}/memories", json=body))

    async def update(self, name: str, fact: str, source: str) -> Work:
        """Give a memory another text."""
        body: JsonDict = {"fact": fact, **_marked(source)}
        return wire.work(await self._ask("PATCH", name, json=body, query={"updateMask": "fact,metadata"}))

    async def delete(self, name: str) -> Work:
        """Delete a memory."""
        return wire.work(await self._ask("DELETE", name))

    async def rollback(self, name: str, revision_id: str) -> Work:
        """Bring a revision back."""
        body: JsonDict = {"targetRevisionId": revision_id}
        return wire.work(await self._ask("POST", f"{name}:rollback", json=body))

    async def purge(self, scope: Scope, *, force: bool) -> Work:
        """Delete or count everything of a scope. The filter is the service's affair: prefer to delete by name."""
        body: JsonDict = {"filter": _scope_filter(scope), "force": force}
        return wire.work(await self._ask("POST", f"{self._engine}/memories:purge", json=body))

    async def operation(self, name: str) -> Work:
        """The operation as it is."""
        return wire.work(await self._ask("GET", name))

    # -- reads

    async def get(self, name: str) -> Row | None:
        """One memory by its full name."""
        found = await self._ask("GET", name, missing=True)
        return None if found is None else wire.row(found)

    async def find(self, memory_id: str) -> Row | None:
        """One memory by the last part of its name."""
        return await self.get(f"{self._engine}/memories/{quote(memory_id, safe='')}")

    async def listed(self, scope: Scope) -> list[Row]:
        """The bank's list, filtered by scope."""
        rows: list[Row] = []
        token = ""
        for _ in range(PAGES):
            query = {"filter": _scope_filter(scope), "pageSize": str(PAGE)}
            if token:
                query["pageToken"] = token
            found = await self._ask("GET", f"{self._engine}/memories", query=query)
            token = _token(found)
            rows += [wire.row(one) for one in wire.dicts(_of(found, "memories"))]
            if not token:
                break
        return rows

    async def inventory(self, scope: Scope) -> list[Row]:
        """Everything in exactly this scope."""
        rows: list[Row] = []
        token = ""
        for _ in range(PAGES):
            how: JsonDict = {"pageSize": PAGE, **({"pageToken": token} if token else {})}
            found = await self._retrieve(scope, {"simpleRetrievalParams": how})
            token = _token(found)
            rows += _retrieved(found)
            if not token:
                break
        return rows

    async def similar(self, scope: Scope, question: str, top_k: int) -> list[Row]:
        """The nearest to a question in exactly this scope."""
        how: JsonDict = {"searchQuery": question, "topK": top_k}
        return _retrieved(await self._retrieve(scope, {"similaritySearchParams": how}))

    async def revisions(self, name: str) -> list[State]:
        """A memory's revisions, newest first."""
        found = await self._ask("GET", f"{name}/revisions", query={"pageSize": str(PAGE)})
        states = [wire.state(one) for one in wire.dicts(_of(found, "memoryRevisions"))]
        return sorted(states, key=lambda one: (one.created_at, one.id.zfill(20)), reverse=True)

    # -- requests

    async def _retrieve(self, scope: Scope, how: JsonDict) -> JsonValue:
        return await self._ask("POST", f"{self._engine}/memories:retrieve", json={"scope": dict(scope), **how})

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        json: JsonValue = None,
        query: Mapping[str, str] | None = None,
        missing: bool = False,
    ) -> JsonValue:
        """The body of a good answer; None for a 404 where that is an answer."""
        reply = await self._http.request_json(
            method,
            f"{self._root}/{path}{f'?{urlencode(query)}' if query else ''}",
            headers=await self._credentials(),
            json=json,
            timeout=self._seconds,
        )
        if missing and reply.status == 404:
            return None
        if not reply.ok:
            raise _error(reply)
        return reply.body


def _marked(source: str) -> JsonDict:
    """The opaque id of the source, as a label of the revision and as metadata, which comes back with each read."""
    return {"revisionLabels": {wire.SOURCE: source}, "metadata": {wire.SOURCE: {"stringValue": source}}}


def _scope_filter(scope: Scope) -> str:
    return f"scope={json.dumps(json.dumps(dict(scope), ensure_ascii=False), ensure_ascii=False)}"


def _retrieved(found: JsonValue) -> list[Row]:
    return [wire.row(one.get("memory")) for one in wire.dicts(_of(found, "retrievedMemories"))]


def _of(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, Mapping) else None


def _token(value: JsonValue) -> str:
    found = _of(value, "nextPageToken")
    return found if isinstance(found, str) else ""


def _error(reply: Reply) -> Trouble | Refused:
    status = reply.status
    if status in (408, 429) or status >= 500:
        return Trouble(
            f"The memory service failed to answer (HTTP {status})",
            next="Try again in a moment; the notes are not affected.",
            upstream_status=status,
        )
    advice = "Check MEMEX_MEMORY_ENGINE, and the right to use it." if status in (401, 403, 404) else ""
    return Refused(f"The memory service refused (HTTP {status})", next=advice, upstream_status=status)
