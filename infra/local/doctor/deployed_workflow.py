"""A workflow as it is deployed, compared with its file in this checkout."""

from shlex import quote

from infra.local.command.answers import child, text
from infra.local.doctor.context import Cloud
from infra.local.doctor.expected import WORKFLOWS
from infra.local.doctor.finding import Finding, ok, problem
from infra.local.doctor.google import NotThere
from infra.local.doctor.machine import file_of


async def workflow(cloud: Cloud, *, name: str) -> Finding:
    """Whether the workflow runs, and is the one that lies here."""
    file = file_of(name)
    try:
        found = await cloud.google.get(
            cloud.at("workflows", "v1/projects/{project}/locations/{region}/workflows/" + name)
        )
    except NotThere:
        return problem(f"not deployed in {cloud.region}", cloud.deploy)
    names = await cloud.names()
    if text(found, "state") != "ACTIVE":
        said = text(child(found, "stateError"), "details") or text(found, "state").lower()
        return problem(f"not active: {said[:200]}", cloud.deploy)
    if _lines(text(found, "sourceContents")) != _lines(file.read_text("utf-8")):
        where = f"--location={cloud.region} --project={cloud.project}"
        return problem(
            f"not the one of {file.name} here",
            f"gcloud workflows deploy {name} --source={quote(str(file))} {where}",
        )
    wanted = names.variables(name)
    actual = child(found, "userEnvVars")
    if other := [one for one, value in wanted.items() if text(actual, one) != value]:
        return problem(f"{', '.join(other)} otherwise than deployed", cloud.deploy)
    if text(found, "serviceAccount").rpartition("/")[2] != names.email("workflow"):
        return problem(
            f"does not run as {names.email('workflow')}, the only one that {WORKFLOWS[name].function} lets in",
            cloud.deploy,
        )
    return ok(f"active, the same as {file.name} here")


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]
