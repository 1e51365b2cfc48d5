"""Who does research and who enriches, by the settings of the shell: sensible, reachable, accepted or not."""

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from infra.local.doctor.credentials import Identity, NobodyThere
from infra.local.doctor.finding import Check, Finding, Level, Section, Unanswered, examine
from infra.local.doctor.settings import Configured

GEMINI = {"MEMEX_GEMINI_API_KEY": "secret-key"}
VERTEX = {"MEMEX_VERTEX_PROJECT": "memex-test"}
OLLAMA = {"MEMEX_OPENAI_URL": "http://127.0.0.1:11434/v1"}
MODEL = {"MEMEX_ENRICH_MODEL": "llama3"}
BAD_KEY = {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID"}}
NO_RUN = {"error": {"code": "not_found", "message": "no such interaction"}}


async def look(
    environ: Mapping[str, str], answer: httpx.Response | Exception | None = None, who: Exception | None = None
) -> tuple[dict[str, Finding], list[httpx.Request]]:
    asked: list[httpx.Request] = []

    def answered(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        assert answer is not None, f"nobody should be asked: {request.url}"
        if isinstance(answer, Exception):
            raise answer
        return answer

    def fetch() -> Identity:
        if who:
            raise who
        return Identity("token")

    async with httpx.AsyncClient(transport=httpx.MockTransport(answered)) as http:
        configured = Configured(environ, http, http, fetch)
        checks = [Check("Research", configured.research), Check("Enrichment", configured.enrichment)]
        found = await examine([Section("Settings", checks)])
    return {one.check: one.finding for one in found}, asked


async def test_without_settings_nobody_is_asked() -> None:
    found, asked = await look({})
    assert {finding.level for finding in found.values()} == {"ok"}
    assert asked == []


async def test_a_setting_that_can_not_be_used_is_named() -> None:
    found, _ = await look({"MEMEX_MAX_RUNNING": "many"})
    assert found["Research"].level == "problem" and "MEMEX_MAX_RUNNING" in found["Research"].what


async def test_who_does_research_by_default_is_told_beside_the_service() -> None:
    local = {"MEMEX_RESEARCH_ENGINE": "local"}
    found, asked = await look(local)
    assert found["Research"].level == "ok" and asked == []
    assert found["Research"].what.startswith("Memex's own agents do it") and "a small" in found["Research"].what
    found, asked = await look(local | GEMINI, httpx.Response(400, json=BAD_KEY))
    assert found["Research"].level == "problem" and len(asked) == 1
    assert "for whoever chooses the service: the Gemini API refuses" in found["Research"].what


@pytest.mark.parametrize(
    ("environ", "answer", "level", "what"),
    [
        (GEMINI, httpx.Response(404, json=NO_RUN), "ok", "the Gemini API, which answers"),
        (GEMINI, httpx.Response(400, json={"error": {"code": 400, "message": "Invalid id"}}), "ok", "answers"),
        (GEMINI, httpx.Response(400, json=BAD_KEY), "problem", "refuses what is configured"),
        (GEMINI, httpx.Response(403, json=[{"error": {"code": 403}}]), "problem", "HTTP 403"),
        (GEMINI, httpx.Response(429), "unknown", "answered 429"),
        (GEMINI, httpx.Response(503, text="<html>"), "unknown", "answered 503"),
        (GEMINI, httpx.ConnectError("offline"), "unknown", "can't be reached"),
        (GEMINI, httpx.ReadTimeout("slow"), "unknown", "in time"),
        (VERTEX, httpx.Response(404, json=NO_RUN), "ok", "Vertex AI of memex-test"),
        (VERTEX, httpx.Response(403, json=NO_RUN), "problem", "HTTP 403"),
        ({"MEMEX_RESEARCH_URL": "http://127.0.0.1:1/v1"}, httpx.Response(404, json=NO_RUN), "ok", "at http://127"),
    ],
)
async def test_the_research_service_is_asked_for_a_run_that_is_not_there(
    environ: dict[str, str], answer: httpx.Response | Exception, level: Level, what: str
) -> None:
    found, asked = await look(environ, answer)
    assert (found["Research"].level, what in found["Research"].what) == (level, True), found
    assert found["Research"].mend or level != "problem"
    (request,) = asked
    assert request.method == "GET" and request.url.path.endswith("/interactions/memex-doctor")
    assert request.headers.get("x-goog-api-key") == environ.get("MEMEX_GEMINI_API_KEY")
    assert "secret-key" not in str(found) and "secret-key" not in str(request.url)


async def test_vertex_without_credentials_is_a_problem_and_offline_unknown() -> None:
    found, _ = await look(VERTEX, who=NobodyThere("there are no Google credentials here"))
    assert found["Research"].level == "problem"
    assert found["Research"].mend == "gcloud auth application-default login"
    found, _ = await look(VERTEX, who=Unanswered("Google can't be reached"))
    assert found["Research"].level == "unknown"


def models(*names: str) -> httpx.Response:
    return httpx.Response(200, json={"object": "list", "data": [{"id": name, "object": "model"} for name in names]})


@pytest.mark.parametrize(
    ("environ", "answer", "level", "what"),
    [
        (MODEL, None, "problem", "no service is set that has it"),
        (OLLAMA, None, "warning", "and no model"),
        (OLLAMA | MODEL, models("llama3", "phi4"), "ok", "llama3 at http://127.0.0.1:11434/v1"),
        (OLLAMA | MODEL, models("phi4"), "warning", "does not list llama3: it has phi4"),
        (OLLAMA | MODEL, httpx.Response(401), "problem", "HTTP 401"),
        (OLLAMA | MODEL, httpx.Response(404, text="no"), "problem", "is not there"),
        (OLLAMA | MODEL, httpx.ConnectError("refused"), "problem", "nothing answers at http://127.0.0.1:11434/v1"),
        ({"MEMEX_OPENAI_URL": "https://llm.example.org"} | MODEL, httpx.ConnectError("x"), "unknown", "can't be"),
        (GEMINI | {"MEMEX_ENRICH_MODEL": "gemini-9"}, httpx.Response(404, json=NO_RUN), "problem", "no model gemini-9"),
        (GEMINI | {"MEMEX_ENRICH_MODEL": "gemini-9"}, httpx.Response(200, json={}), "ok", "gemini-9 of the Gemini API"),
    ],
)
async def test_the_model_is_there_or_not(environ: dict[str, str], answer: Any, level: Level, what: str) -> None:
    found, _ = await look(environ, answer)
    assert (found["Enrichment"].level, what in found["Enrichment"].what) == (level, True), found
    assert found["Enrichment"].mend or level in ("ok", "unknown")
