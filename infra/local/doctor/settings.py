"""The settings of this shell: who does research, who enriches, and whether they answer. It starts no run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

import httpx

from infra.local.command.answers import child, children, text
from infra.local.command.target import is_loopback
from infra.local.doctor.credentials import LOGIN, Fetch, NobodyThere, token
from infra.local.doctor.finding import Finding, Unanswered, ok, problem, unknown, warning
from infra.local.doctor.research import OWN
from shared.config import REQUIRED, Settings
from shared.enrichment.model import GEMINI
from shared.research.client import GOOGLE_GEMINI, GOOGLE_VERTEX

NOBODY = "memex-doctor"
"""A run that does not exist: who may ask for it is told so, and it costs nothing."""


@dataclass(frozen=True, slots=True)
class Configured:
    """What the environment says, and the way to ask whom it names."""

    environ: Mapping[str, str]
    http: httpx.AsyncClient
    here: httpx.AsyncClient
    """For this machine's own addresses, past any proxy."""
    fetch: Fetch

    def settings(self) -> Settings:
        """The settings, as the local product reads them; what it sets itself is left open."""
        return Settings.from_env({**self.environ, **{f"MEMEX_{name.upper()}": "local" for name in REQUIRED}})

    async def research(self) -> Finding:
        """Who does research, and whether it can be reached with what is configured."""
        settings = self.settings()
        found = await self._service(settings)
        if settings.research_engine == "deep":
            return found
        return replace(found, what=f"{OWN} (MEMEX_RESEARCH_ENGINE); for whoever chooses the service: {found.what}")

    async def _service(self, settings: Settings) -> Finding:
        """The service that is configured."""
        match settings.research_service:
            case "none":
                return ok(
                    "a small researcher of our own, from your notes; for Deep Research set MEMEX_GEMINI_API_KEY, or "
                    "MEMEX_VERTEX_PROJECT"
                )
            case "vertex":
                base = settings.research_url or GOOGLE_VERTEX.format(project=settings.vertex_project)
                try:
                    headers = {"Authorization": f"Bearer {(await token(self.fetch)).token}"}
                except NobodyThere as error:
                    return problem(f"MEMEX_VERTEX_PROJECT is set, and {error.why}", LOGIN)
                who, mend = f"Vertex AI of {settings.vertex_project}", vertex_mend(settings.vertex_project)
            case "gemini":
                base = settings.research_url or GOOGLE_GEMINI
                headers = {"x-goog-api-key": settings.gemini_api_key} if settings.gemini_api_key else {}
                who, mend = (
                    "the Gemini API",
                    "Set another key in MEMEX_GEMINI_API_KEY (https://aistudio.google.com/apikey).",
                )
        if settings.research_url:
            who = f"{who} at {settings.research_url}"
        answer = await self._get(f"{base.rstrip('/')}/interactions/{NOBODY}", headers)
        return judged(answer, who, mend)

    async def enrichment(self) -> Finding:
        """Who enriches, and whether it has the model."""
        settings = self.settings()
        model = settings.enrich_model
        if not model:
            if settings.openai_url:
                return warning(
                    "MEMEX_OPENAI_URL is set, and no model: notes are enriched from their own words",
                    "Set MEMEX_ENRICH_MODEL to a model of that server.",
                )
            return ok("from the notes' own words, without a model")
        gemini = settings.gemini_api_key and model.startswith(("gemini", "models/gemini"))
        if settings.openai_url and not gemini:
            return await self._openai(settings)
        if settings.gemini_api_key:
            url = f"{GEMINI}/models/{quote(model.removeprefix('models/'), safe='')}"
            answer = await self._get(url, {"x-goog-api-key": settings.gemini_api_key})
            if answer.status_code == 404:
                return problem(f"the Gemini API has no model {model}", "Set MEMEX_ENRICH_MODEL to one that it has.")
            return judged(answer, f"{model} of the Gemini API", "Set another key in MEMEX_GEMINI_API_KEY.")
        return problem(
            f"MEMEX_ENRICH_MODEL names {model}, and no service is set that has it",
            "Set MEMEX_GEMINI_API_KEY or MEMEX_OPENAI_URL, or leave MEMEX_ENRICH_MODEL empty.",
        )

    async def _openai(self, settings: Settings) -> Finding:
        url, model = settings.openai_url.rstrip("/"), settings.enrich_model
        headers = {"Authorization": f"Bearer {settings.openai_api_key}"} if settings.openai_api_key else {}
        try:
            answer = await self._get(f"{url}/models", headers)
        except Unanswered as error:
            if is_loopback(url):
                return problem(f"nothing answers at {url}", "Start that server, or correct MEMEX_OPENAI_URL.")
            raise error
        known = [text(one, "id") for one in children(_body(answer), "data")]
        if answer.status_code == 200 and model not in known:
            told = f": it has {', '.join(sorted(known)[:5])}" if known else ""
            return warning(f"{url} does not list {model}{told}", "Set MEMEX_ENRICH_MODEL to one that it has.")
        return judged(answer, f"{model} at {url}", "Check MEMEX_OPENAI_URL and MEMEX_OPENAI_API_KEY.", found=(200,))

    async def _get(self, url: str, headers: Mapping[str, str]) -> httpx.Response:
        client = self.here if is_loopback(url) else self.http
        try:
            return await client.get(url, headers=headers)
        except httpx.TimeoutException:
            raise Unanswered(f"{httpx.URL(url).host} did not answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise Unanswered(f"{url.partition('?')[0]} can't be reached") from None


def vertex_mend(project: str) -> str:
    """What lets the person at this machine ask Vertex AI."""
    return (
        f"gcloud services enable aiplatform.googleapis.com --project={project}\n"
        f"gcloud projects add-iam-policy-binding {project} --member=user:YOU --role=roles/aiplatform.user"
    )


def judged(answer: httpx.Response, who: str, mend: str, *, found: tuple[int, ...] = (200, 400, 404)) -> Finding:
    """An answer to an authenticated look: also "there is no such run" comes only to those who may ask."""
    status = answer.status_code
    error = child(_body(answer), "error")
    told = text(error, "message") + str(error.get("details") or "")
    if status in (401, 403) or (status == 400 and "API_KEY" in told.upper().replace(" ", "_")):
        return problem(f"{who} refuses what is configured (HTTP {status})", mend)
    if status in found:
        return ok(f"{who}, which answers and accepts what is configured")
    if status == 404:
        return problem(f"{who} is not there (HTTP 404)", mend)
    return unknown(f"{who} answered {status}; try again in a while")


def _body(answer: httpx.Response) -> Mapping[str, object]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    if isinstance(body, list) and body:
        body = body[0]
    return body if isinstance(body, dict) else {}
