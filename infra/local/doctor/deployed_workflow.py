"""The workflow as it is deployed, compared with the file of this checkout."""

from pathlib import Path
from shlex import quote

from infra.local.command.answers import child, text
from infra.local.doctor.context import Cloud
from infra.local.doctor.expected import MINUTES, POLL, WORKFLOW
from infra.local.doctor.finding import Finding, ok, problem
from infra.local.doctor.google import NotThere
from infra.local.doctor.machine import WORKFLOW as FILE


async def workflow(cloud: Cloud, file: Path = FILE) -> Finding:
    """Whether the workflow runs, and is the one that lies here."""
    try:
        found = await cloud.google.get(
            cloud.at("workflows", "v1/projects/{project}/locations/{region}/workflows/" + WORKFLOW)
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
            f"gcloud workflows deploy {WORKFLOW} --source={quote(str(file))} {where}",
        )
    wanted = {
        "MEMEX_RESEARCH_URL": names.address("research"),
        "MEMEX_POLL_SECONDS": POLL,
        "MEMEX_RESEARCH_MINUTES": MINUTES,
    }
    actual = child(found, "userEnvVars")
    if other := [name for name, value in wanted.items() if text(actual, name) != value]:
        return problem(f"{', '.join(other)} otherwise than deployed", cloud.deploy)
    if text(found, "serviceAccount").rpartition("/")[2] != names.email("workflow"):
        return problem(f"does not run as {names.email('workflow')}, the only one that research lets in", cloud.deploy)
    return ok(f"active, the same as {file.name} here")


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]
