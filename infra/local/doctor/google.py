"""Google's APIs over REST, for reading only. Whatever keeps an answer away is said in words, never taken for one."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import httpx

from infra.local.command.answers import Json, child, children, text, texts
from infra.local.doctor.credentials import Fetch, Identity, NobodyThere, token
from infra.local.doctor.finding import Unanswered

AT_ONCE = 8
"""Requests at a time."""
PAGES = 50
_SERVICE = re.compile(r"\b[a-z]+\.googleapis\.com\b")


class Told(Unanswered):
    """Google answered, and not with what was asked for."""


class NotThere(Told):
    """There is no such thing."""


class Forbidden(Told):
    """These credentials may not look, or the API is not enabled."""


class Google:
    """One person's view of one project; each address is asked once, however many checks want it."""

    def __init__(self, http: httpx.AsyncClient, project: str, fetch: Fetch) -> None:
        self._http = http
        self._project = project
        self._fetch = fetch
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._identity: asyncio.Task[Identity] | None = None
        self._asked: dict[str, asyncio.Task[Json]] = {}

    async def identity(self) -> Identity:
        """Who asks."""
        if self._identity is None:
            self._identity = asyncio.create_task(token(self._fetch))
        return await self._identity

    async def get(self, url: str, **params: str) -> Json:
        """What an address holds."""
        return await self._once("GET", str(httpx.URL(url).copy_merge_params(params)))

    async def list(self, url: str, field: str, **params: str) -> list[Json]:
        """All of a list, page after page."""
        found: list[Json] = []
        page = await self.get(url, **params)
        for _ in range(PAGES):
            found += children(page, field)
            following = text(page, "nextPageToken")
            if not following:
                return found
            page = await self.get(url, **params, pageToken=following)
        raise Unanswered("the list does not end")

    async def policy(self, url: str) -> set[tuple[str, str]]:
        """Roles of a thing and who has them, without those that a condition may take away."""
        project = "cloudresourcemanager" in url
        # Of all policies the project's alone is read by a POST.
        answer = (
            await self._once("POST", url, {"options": {"requestedPolicyVersion": 3}})
            if project
            else await self.get(url)
        )
        return {
            (text(binding, "role"), member)
            for binding in children(answer, "bindings")
            if not binding.get("condition")
            for member in texts(binding, "members")
        }

    async def _once(self, method: str, url: str, body: Mapping[str, Any] | None = None) -> Json:
        if url not in self._asked:
            self._asked[url] = asyncio.create_task(self._ask(method, url, body))
        return await self._asked[url]

    async def _ask(self, method: str, url: str, body: Mapping[str, Any] | None) -> Json:
        identity = await self.identity()
        headers = {"Authorization": f"Bearer {identity.token}"}
        if identity.personal:
            # As in versions.tf: some APIs refuse a person whose requests no project answers for.
            headers["X-Goog-User-Project"] = self._project
        host = httpx.URL(url).host
        try:
            async with self._turns:
                answer = await self._http.request(method, url, headers=headers, json=body)
        except httpx.TimeoutException:
            raise Unanswered(f"{host} did not answer in time") from None
        except httpx.HTTPError:
            raise Unanswered(f"{host} can't be reached") from None
        return self._judged(answer, identity)

    def _judged(self, answer: httpx.Response, identity: Identity) -> Json:
        host, status = answer.url.host, answer.status_code
        try:
            body = answer.json()
        except ValueError:
            body = None
        if status == 200 and isinstance(body, dict):
            return body
        error = child(body, "error") if isinstance(body, dict) else {}
        if status == 404 and error:
            raise NotThere("it is not there")
        if status == 401:
            raise NobodyThere(f"{host} does not take the credentials")
        if status == 403 and error:
            raise self._forbidden(host, error, identity)
        if status == 200 or not error:
            raise Unanswered(f"{host} answered {status}, and not as Google would: is a proxy between?")
        raise Unanswered(f"{host} answered {status}; try again in a while")

    def _forbidden(self, host: str, error: Json, identity: Identity) -> Forbidden:
        for detail in children(error, "details"):
            if text(detail, "reason") == "SERVICE_DISABLED":
                named = text(child(detail, "metadata"), "service") or host
                service = named if _SERVICE.fullmatch(named) else host
                return Forbidden(
                    f"{service} is not enabled", f"gcloud services enable {service} --project={self._project}"
                )
        who = f"serviceAccount:{identity.account}" if identity.account else "user:YOU"
        add = f"gcloud projects add-iam-policy-binding {self._project} --member={who}"
        return Forbidden(
            "these credentials may not look at it",
            f"{add} --role=roles/viewer\n{add} --role=roles/iam.securityReviewer",
        )
