"""The ground of a deployment: who asks, the project, its billing, its APIs."""

from contextlib import suppress

from infra.local.command.answers import child, text
from infra.local.doctor.context import Cloud
from infra.local.doctor.credentials import LOGIN, NobodyThere
from infra.local.doctor.expected import APIS
from infra.local.doctor.finding import Finding, Unanswered, ok, problem, unknown
from infra.local.doctor.google import NotThere, Told

USERINFO = "https://openidconnect.googleapis.com/v1/userinfo"


async def credentials(cloud: Cloud) -> Finding:
    """Whether somebody is signed in, and who."""
    try:
        identity = await cloud.google.identity()
        # Google has the last word: a token can have been revoked.
        with suppress(Told):
            await cloud.described()
    except NobodyThere as error:
        return problem(error.why, LOGIN)
    if identity.account:
        return ok(identity.account)
    try:
        return ok(text(await cloud.google.get(USERINFO), "email") or "signed in, without a name")
    except Unanswered:
        return ok("signed in; the credentials don't tell as whom")


async def exists(cloud: Cloud) -> Finding:
    """Whether the project is there and alive."""
    try:
        found = await cloud.described()
    except NotThere:
        return problem(f"there is no project {cloud.project}", "gcloud projects list")
    state = text(found, "state")
    if state != "ACTIVE":
        return problem(
            f"{cloud.project} is {state.lower().replace('_', ' ')}", f"gcloud projects undelete {cloud.project}"
        )
    return ok(f"{cloud.project}, number {text(found, 'name').rpartition('/')[2]}")


async def billing(cloud: Cloud) -> Finding:
    """Whether somebody pays; without, functions are neither built nor run."""
    look = f"gcloud billing projects describe {cloud.project}"
    try:
        found = await cloud.google.get(cloud.at("cloudbilling", "v1/projects/{project}/billingInfo"))
    except NobodyThere:
        raise
    except Unanswered as error:
        # The API of billing accounts is not one that Memex needs, so it is rarely enabled; the command asks by itself.
        return unknown(error.why, look if error.mend else "")
    if not found.get("billingEnabled"):
        link = f"gcloud billing projects link {cloud.project} --billing-account=ACCOUNT"
        return problem("no billing account pays for the project", f"gcloud billing accounts list\n{link}")
    return ok(f"paid by {text(found, 'billingAccountName').rpartition('/')[2]}")


async def apis(cloud: Cloud) -> Finding:
    """Whether the APIs of services.tf are switched on."""
    url = cloud.at("serviceusage", "v1/projects/{project}/services")
    found = await cloud.google.list(url, "services", filter="state:ENABLED", pageSize="200")
    enabled = {text(child(one, "config"), "name") or text(one, "name").rpartition("/")[2] for one in found}
    if missing := [api for api in APIS if api not in enabled]:
        names = ", ".join(api.removesuffix(".googleapis.com") for api in missing)
        return problem(
            f"{len(missing)} of {len(APIS)} are not enabled: {names}",
            f"gcloud services enable {' '.join(missing)} --project={cloud.project}",
        )
    return ok(f"all {len(APIS)} are enabled")
