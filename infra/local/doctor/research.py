"""Who does research: what the deployment decided, and what the tenant chose. It asks no research service."""

from infra.local.command.answers import Json, child, text, texts
from infra.local.doctor.context import Cloud, environment
from infra.local.doctor.finding import Finding, Unanswered, ok, warning
from shared.config import Settings
from shared.errors import NotConfigured

OWN = "Memex's own agents do it, with the chat's model, from notes and allowed pages"
_SETTINGS = 'Settings ("Research is done by")'
_EITHER = (
    "For Deep Research deploy again, with TF_VAR_gemini_secret for a Gemini key, or without it for Vertex AI. For our "
    f"own agents choose them in {_SETTINGS}, or for everybody put MEMEX_RESEARCH_ENGINE=local into TF_VAR_settings."
)


def of_tenant(told: Json, config: Json) -> Finding:
    """By the answers of `/api/v1/settings` and `/config.json`: who does it for whoever asks, and why they."""
    engine = text(child(told, "settings"), "research_engine")
    why = f"chosen in {_SETTINGS}" if "research_engine" in texts(told, "overrides") else "the deployment's default"
    if engine == "local":
        return ok(f"{OWN} (local, {why}); no run is bought")
    if engine != "deep":
        raise Unanswered("it does not say who does research")
    deep = child(child(config, "engines"), "deep")
    if deep.get("paid") is False:
        return ok(f"a small researcher of our own, from your notes (deep, {why}): no key is set, and nothing is bought")
    cost = deep.get("cost_usd")
    price = f", reckoned at {cost:g} USD a run" if isinstance(cost, int | float) else ""
    return ok(f"Deep Research (deep, {why}){price}; where it is not to be had, {OWN}")


async def of_deployment(cloud: Cloud) -> Finding:
    """By the variables of the function that starts research: who does it for those who chose nothing."""
    service = (await cloud.services()).get("research")
    if service is None:
        raise Unanswered("the function research is not deployed")
    try:
        settings = Settings.from_env(environment(service))
    except NotConfigured:
        raise Unanswered("the function research does not have its variables") from None
    deep = {"vertex": f"Deep Research on Vertex AI of {settings.vertex_project}", "gemini": "Deep Research"}
    who = deep.get(settings.research_service)
    if settings.research_engine == "local":
        other = f"{who} is there for whoever chooses it" if who else "there is no Deep Research to choose"
        return ok(f"{OWN} (MEMEX_RESEARCH_ENGINE is local); {other} in {_SETTINGS}")
    if who is None:
        return warning(f"MEMEX_RESEARCH_ENGINE is deep, and no service is set that has it: {OWN}", _EITHER)
    return ok(f"{who} (MEMEX_RESEARCH_ENGINE is deep); where it is not to be had, {OWN}")
