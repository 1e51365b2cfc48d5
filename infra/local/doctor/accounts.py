"""Who acts and what they may do: accounts, roles beside the things they are for, and secrets."""

import asyncio
from collections.abc import Sequence

from infra.local.command.answers import Json, text
from infra.local.doctor.context import Cloud
from infra.local.doctor.expected import ACCOUNTS, DEVICE_KEYS, Grant, Kind, email
from infra.local.doctor.finding import Finding, Unanswered, ok, problem, unknown, warning
from infra.local.doctor.google import NotThere

_POLICIES: dict[Kind, tuple[str, str]] = {
    "project": ("cloudresourcemanager", "v3/projects/{project}:getIamPolicy"),
    "function": ("run", "v2/projects/{project}/locations/{region}/services/NAME:getIamPolicy"),
    "topic": ("pubsub", "v1/projects/{project}/topics/NAME:getIamPolicy"),
    "subscription": ("pubsub", "v1/projects/{project}/subscriptions/NAME:getIamPolicy"),
    "secret": ("secretmanager", "v1/projects/{project}/secrets/NAME:getIamPolicy"),
    "bucket": ("storage", "storage/v1/b/NAME/iam"),
    "repository": ("artifactregistry", "v1/projects/{project}/locations/{region}/repositories/NAME:getIamPolicy"),
}
_BINDINGS: dict[Kind, str] = {
    "project": "gcloud projects {verb} {project}",
    "function": "gcloud run services {verb} {name} --region={region} --project={project}",
    "topic": "gcloud pubsub topics {verb} {name} --project={project}",
    "subscription": "gcloud pubsub subscriptions {verb} {name} --project={project}",
    "secret": "gcloud secrets {verb} {name} --project={project}",
    "bucket": "gcloud storage buckets {verb} gs://{name} --project={project}",
    "repository": "gcloud artifacts repositories {verb} {name} --location={region} --project={project}",
}
EVERYBODY = ("allUsers", "allAuthenticatedUsers")


async def accounts(cloud: Cloud) -> Finding:
    """Whether each account is there and switched on."""
    url = cloud.at("iam", "v1/projects/{project}/serviceAccounts")
    found = {text(one, "email"): one for one in await cloud.google.list(url, "accounts", pageSize="100")}
    wanted = [email(cloud.project, account) for account in ACCOUNTS]
    if missing := [one for one in wanted if one not in found]:
        return problem(f"{len(missing)} of {len(wanted)} are missing: {_short(missing)}", cloud.deploy)
    if off := [one for one in wanted if found[one].get("disabled")]:
        return problem(
            f"{_short(off)} disabled",
            "\n".join(f"gcloud iam service-accounts enable {one} --project={cloud.project}" for one in off),
        )
    return ok(f"all {len(wanted)} are there")


def _short(emails: Sequence[str]) -> str:
    return ", ".join(one.partition("@")[0] for one in emails)


async def roles(cloud: Cloud, *, kinds: Sequence[Kind]) -> Finding:
    """Whether everybody has the roles that infra/gcp gives on things of these kinds, and strangers have none."""
    grants = sorted(grant for grant in (await cloud.all_names()).grants if grant.kind in kinds)
    things = sorted({(grant.kind, grant.name) for grant in grants})
    read = dict(zip(things, await asyncio.gather(*(_policy(cloud, *thing) for thing in things)), strict=True))
    gone = [f"{kind} {name}" for (kind, name), policy in read.items() if isinstance(policy, NotThere)]
    closed = [policy for policy in read.values() if isinstance(policy, Unanswered) and not isinstance(policy, NotThere)]
    missing, strangers = [], []
    for thing, policy in read.items():
        if not isinstance(policy, Unanswered):
            wanted = {(grant.role, grant.member): grant for grant in grants if (grant.kind, grant.name) == thing}
            missing += [grant for key, grant in wanted.items() if key not in policy]
            strangers += [
                Grant(*thing, role, member) for role, member in sorted(policy - wanted.keys()) if member in EVERYBODY
            ]
    if gone or missing or strangers:
        told = [f"{one} is not there" for one in gone]
        told += [f"{_name(grant.member)} lacks {grant.role}{_on(grant)}" for grant in missing]
        told += [f"everybody has {grant.role}{_on(grant)}" for grant in strangers]
        mend = [binding(cloud, grant) for grant in missing]
        mend += [binding(cloud, grant, "remove-iam-policy-binding") for grant in strangers]
        if closed:
            told.append(f"{len(closed)} could not be read")
        return problem("; ".join(told), "\n".join(mend + ([cloud.deploy] if gone else [])))
    if closed:
        return unknown(closed[0].why, closed[0].mend)
    return ok(f"all {len(grants)} are given")


async def _policy(cloud: Cloud, kind: Kind, name: str) -> set[tuple[str, str]] | Unanswered:
    service, path = _POLICIES[kind]
    try:
        return await cloud.google.policy(cloud.at(service, path).replace("NAME", name))
    except Unanswered as error:
        return error


def binding(cloud: Cloud, grant: Grant, verb: str = "add-iam-policy-binding") -> str:
    """The command that gives a role, or takes it."""
    command = _BINDINGS[grant.kind].format(verb=verb, name=grant.name, project=cloud.project, region=cloud.region)
    # Without it a project whose policy has conditions elsewhere asks a question.
    unconditional = " --condition=None" if grant.kind == "project" else ""
    return f"{command} --member={grant.member} --role={grant.role}{unconditional}"


def _name(member: str) -> str:
    return member.removeprefix("serviceAccount:").partition("@")[0] if "@" in member else "everybody"


def _on(grant: Grant) -> str:
    return f" on {grant.kind} {grant.name}" if grant.name else ""


async def keys(cloud: Cloud) -> Finding:
    """Whether a table of device keys is there, and somebody in it."""
    add = f"gcloud secrets versions add {DEVICE_KEYS} --data-file=keys.json --project={cloud.project}"
    found = await _versions(cloud, DEVICE_KEYS)
    if isinstance(found, Finding):
        return found
    if text(found, "name").endswith("/versions/1"):
        return warning("still the empty table of the deployment, so nobody gets in", add)
    return ok(f"version {text(found, 'name').rpartition('/')[2]} is enabled")


async def gemini(cloud: Cloud) -> Finding:
    """Whether the Gemini key is there, where research runs with one."""
    if not (name := await cloud.gemini_secret()):
        return ok("none: research runs on Vertex AI")
    found = await _versions(cloud, name)
    if isinstance(found, Finding):
        return found
    return ok(f"version {text(found, 'name').rpartition('/')[2]} of {name} is enabled")


async def _versions(cloud: Cloud, name: str) -> Json | Finding:
    """The newest version of a secret, which is the one that functions get; or what is wrong with it."""
    add = f"gcloud secrets versions add {name} --data-file=FILE --project={cloud.project}"
    url = cloud.at("secretmanager", "v1/projects/{project}/secrets/NAME/versions").replace("NAME", name)
    try:
        found = await cloud.google.list(url, "versions", pageSize="100")
    except NotThere:
        create = f"gcloud secrets create {name} --data-file=FILE --project={cloud.project}"
        return problem(f"there is no secret {name}", cloud.deploy if name == DEVICE_KEYS else create)
    newest = max(found, key=lambda one: int(text(one, "name").rpartition("/")[2] or 0), default=None)
    if newest is None:
        return problem(f"{name} has no version, so functions that need it don't start", add)
    if text(newest, "state") != "ENABLED":
        number, state = text(newest, "name").rpartition("/")[2], text(newest, "state").lower()
        enable = f"gcloud secrets versions enable {number} --secret={name} --project={cloud.project}"
        return problem(
            f"version {number} of {name}, the newest, is {state}, so functions that need it don't start",
            enable if state == "disabled" else add,
        )
    return newest
