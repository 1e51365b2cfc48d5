"""Which model answers. It loads what belongs to a model only when that model is chosen."""

from functools import lru_cache

from shared.agent.model import Model
from shared.config import Settings
from shared.errors import NotConfigured
from shared.net.http import Http

OFFLINE = "offline"
GEMINI = "gemini-2.5-flash"
"""What is taken where a key or a project is set and no model is named."""
_GEMINI_NAMES = ("gemini-", "models/gemini-")


def from_settings(settings: Settings, http: Http, *, wanted: str | None = None) -> Model:
    """The model that is wanted, or the settings' own; NotConfigured where nothing serves it."""
    name = wanted or default(settings)
    if name == OFFLINE:
        return _offline()
    if name.startswith(_GEMINI_NAMES) and _has_gemini(settings):
        return _gemini(name, settings.gemini_api_key, settings.vertex_project)
    if settings.openai_url:
        return _openai(http, settings.openai_url, name, settings.openai_api_key)
    if name.startswith(_GEMINI_NAMES):
        raise NotConfigured(
            f"The chat model {name[:80]} needs a key",
            next=f"Set MEMEX_GEMINI_API_KEY or MEMEX_VERTEX_PROJECT, or choose the model {OFFLINE}.",
        )
    raise NotConfigured(
        f"Nothing here serves the chat model {name[:80]}",
        next=f"Set MEMEX_OPENAI_URL to the server that has it, or choose one of: {', '.join(available(settings))}.",
    )


def default(settings: Settings) -> str:
    """The name of the model that answers where nobody chose one.

    A server of the OpenAI kind is taken only with a model's name: it may be there for enrichment alone.
    """
    return settings.chat_model or (GEMINI if _has_gemini(settings) else OFFLINE)


def available(settings: Settings) -> list[str]:
    """Names that can be chosen as things are, the default first. A server's other models can be named all the same."""
    names = [GEMINI, OFFLINE] if _has_gemini(settings) else [OFFLINE]
    first = default(settings)
    served = first in names or settings.openai_url or (first.startswith(_GEMINI_NAMES) and _has_gemini(settings))
    return list(dict.fromkeys([first, *names] if served else names))


def _has_gemini(settings: Settings) -> bool:
    return bool(settings.gemini_api_key or settings.vertex_project)


@lru_cache(maxsize=1)
def _offline() -> Model:
    from shared.agent.models.offline import Offline

    return Offline()


# Kept for the process: one holds a connection pool, the other what its server refused to take.
@lru_cache(maxsize=8)
def _gemini(name: str, key: str, project: str) -> Model:
    from shared.agent.models.gemini import Gemini

    return Gemini(model=name, key=key, project=project)


@lru_cache(maxsize=8)
def _openai(http: Http, url: str, name: str, key: str) -> Model:
    from shared.agent.models.openai import OpenAI

    return OpenAI(http, url=url, model=name, key=key)
