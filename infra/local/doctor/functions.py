"""The functions: each is deployed, ready, has its variables, and is reached by whom it should."""

import httpx

from infra.local.command.answers import Json, child, text
from infra.local.doctor.context import Cloud, environment
from infra.local.doctor.expected import FUNCTIONS, Names
from infra.local.doctor.finding import Finding, Unanswered, ok, problem, unknown
from shared.config import Settings
from shared.errors import NotConfigured

_SETS = ("MEMEX_CORS_ORIGINS",)
"""Variables that may name more than they must."""
_CLOSED = (401, 403, 404)
"""What strangers are told: 403 where only the invoker's role is missing, 404 where the ingress is internal."""


async def deployed(cloud: Cloud, name: str) -> Finding:
    """Whether a function is there, ready, itself, and has what it starts with."""
    services = await cloud.services()
    names = await cloud.names()
    if name not in services:
        return problem(f"not deployed in {cloud.region}", cloud.deploy)
    service = services[name]
    ready = child(service, "terminalCondition")
    if text(ready, "state") != "CONDITION_SUCCEEDED":
        said = text(ready, "message") or text(ready, "reason") or "no revision is ready"
        return problem(f"not ready: {said[:200]}", _log(cloud, name))
    if faults := _faults(name, service, names):
        return problem("; ".join(faults), cloud.deploy)
    return ok("ready, with its variables and its account")


def _faults(name: str, service: Json, names: Names) -> list[str]:
    """What is otherwise than it was deployed."""
    actual, faults = environment(service), []
    wanted = names.environment(name)
    if missing := [key for key in wanted if not actual.get(key)]:
        faults.append(f"{', '.join(missing)} not set")
    if other := [key for key, value in wanted.items() if actual.get(key) and not _same(key, value, actual[key])]:
        faults.append(f"{', '.join(other)} otherwise than deployed")
    try:
        settings = Settings.from_env(actual)
        if FUNCTIONS[name].research and settings.research_service == "none":
            faults.append(
                "neither MEMEX_VERTEX_PROJECT nor MEMEX_GEMINI_API_KEY is set: no Deep Research, and no Gemini"
            )
    except NotConfigured as error:
        if not missing:
            faults.append(error.message)
    if text(child(service, "template"), "serviceAccount") != names.email(name):
        faults.append(f"it does not run as {names.email(name)}")
    public = FUNCTIONS[name].public
    if text(service, "ingress") != ("INGRESS_TRAFFIC_ALL" if public else "INGRESS_TRAFFIC_INTERNAL_ONLY"):
        faults.append("browsers can't reach it" if public else "it takes requests from outside the project")
    if service.get("invokerIamDisabled") and not public:
        faults.append("who may call it is not checked")
    return faults


def _same(key: str, wanted: str, actual: str) -> bool:
    if key in _SETS:
        return set(wanted.split(",")) <= set(actual.split(","))
    return set(wanted.split(",")) == set(actual.split(","))


async def answers(cloud: Cloud, name: str) -> Finding:
    """Whether a function answers whom it should: a public one everybody, a private one no stranger."""
    url = (await cloud.names()).address(name) + "/api/v1/health"
    public = FUNCTIONS[name].public
    try:
        answer = await cloud.public.get(url)
    except (httpx.ConnectError, httpx.ConnectTimeout):
        raise Unanswered("run.app can't be reached") from None
    except httpx.TimeoutException:
        return problem("takes connections and does not answer in time", _log(cloud, name))
    except httpx.HTTPError:
        return problem("breaks the connection off", _log(cloud, name))
    status = answer.status_code
    if public:
        return _open(cloud, name, answer)
    if status in _CLOSED:
        return ok(f"closed to strangers ({status})")
    if status == 200:
        return problem(
            "answers strangers",
            f"gcloud run services remove-iam-policy-binding {name} --region={cloud.region}"
            f" --member=allUsers --role=roles/run.invoker --project={cloud.project}\n{cloud.deploy}",
        )
    return unknown(f"answered a stranger with {status}; try again in a while")


def _open(cloud: Cloud, name: str, answer: httpx.Response) -> Finding:
    status = answer.status_code
    if status == 200 and '"ok"' in answer.text:
        return ok("answers")
    if status in (401, 403):
        return problem(
            f"lets nobody in ({status}): Cloud Run asks for a token, and device keys are checked behind it",
            f"gcloud run services add-iam-policy-binding {name} --region={cloud.region}"
            f" --member=allUsers --role=roles/run.invoker --project={cloud.project}",
        )
    if status == 404:
        return problem("nothing of ours is there (404)", cloud.deploy)
    if status == 429:
        return unknown("busy (429); try again in a while")
    return problem(f"answered {status}, and not as Memex would", _log(cloud, name))


def _log(cloud: Cloud, name: str) -> str:
    return f"gcloud run services logs read {name} --region={cloud.region} --project={cloud.project} --limit=50"
