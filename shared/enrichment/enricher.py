"""Who proposes: the note's own words, or a model. Neither reads or writes a stored note."""

from collections.abc import Sequence
from typing import Protocol

from shared.config import Settings
from shared.enrichment.extract import extract
from shared.enrichment.model import Gemini, Http, Model, OpenAI, as_data
from shared.enrichment.proposal import Proposal, admit, instruction
from shared.errors import MemexError, NotConfigured


class Enricher(Protocol):
    """Proposes a title, a summary, tags and tasks for a note."""

    async def enrich(self, title: str | None, body: str, url: str | None, tags: Sequence[str], kind: str) -> Proposal:
        """A safe proposal. Raises MemexError; `permanent` tells whether trying again can help."""
        ...


class Extractive:
    """The default: no model, no invention, no failure."""

    async def enrich(self, title: str | None, body: str, url: str | None, tags: Sequence[str], kind: str) -> Proposal:
        """A proposal in the note's own words; empty where the note holds nothing to propose."""
        return extract(title, body, url, tags, kind)


class Generative:
    """One question to a model; its answer passes the gate or is an error."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def enrich(self, title: str | None, body: str, url: str | None, tags: Sequence[str], kind: str) -> Proposal:
        """The model's proposal, made safe. A note without words is not sent: a model would invent some."""
        if not any(map(str.isalnum, body)):
            return extract(title, body, url, tags, kind)
        answer = await self._model.ask(instruction(), as_data(title, body, url, list(tags), kind))
        return admit(answer, "\n".join(part for part in (title, url, body) if part), tags)


def from_settings(settings: Settings, http: Http) -> Enricher:
    """The enricher that the settings ask for: without a model's name, the note's own words."""
    model = settings.enrich_model
    if not model:
        return Extractive()
    if settings.openai_url and not (settings.gemini_api_key and model.startswith(("gemini", "models/gemini"))):
        return Generative(OpenAI(http, url=settings.openai_url, model=model, key=settings.openai_api_key))
    if settings.gemini_api_key:
        return Generative(Gemini(http, key=settings.gemini_api_key, model=model))
    raise NotConfigured(
        "MEMEX_ENRICH_MODEL names a model without a service",
        next="Set MEMEX_GEMINI_API_KEY or MEMEX_OPENAI_URL, or leave MEMEX_ENRICH_MODEL empty.",
    )


def permanent(error: BaseException) -> bool:
    """Whether trying again changes nothing. What we don't know may pass."""
    return isinstance(error, MemexError) and not error.retryable
