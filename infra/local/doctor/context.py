"""What the checks of a Google Cloud project share: the project, its names, its services, and the commands that mend."""

from dataclasses import dataclass, field

import httpx

from infra.local.command.answers import Json, child, children, text
from infra.local.doctor.expected import Names
from infra.local.doctor.finding import Unanswered
from infra.local.doctor.google import Google, NotThere


def name_of(thing: Json) -> str:
    """The last part of a resource's name."""
    return text(thing, "name").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Cloud:
    """One deployment, seen through one person's eyes."""

    project: str
    region: str
    google: Google
    public: httpx.AsyncClient = field(repr=False)
    """For what everybody may ask, without a token."""

    @property
    def deploy(self) -> str:
        """The command that makes everything as infra/gcp says."""
        return (
            ".venv/bin/python -m infra.gcp.archive memex.zip && terraform -chdir=infra/gcp apply"
            f" -var=project={self.project} -var=region={self.region} -var=archive=../../memex.zip"
        )

    def at(self, service: str, path: str) -> str:
        """Address of something in the project."""
        return f"https://{service}.googleapis.com/{path.format(project=self.project, region=self.region)}"

    async def described(self) -> Json:
        """The project itself."""
        return await self.google.get(self.at("cloudresourcemanager", "v3/projects/{project}"))

    async def names(self) -> Names:
        """All names, as far as they don't depend on who does research."""
        try:
            return Names(self.project, self.region, name_of(await self.described()))
        except NotThere:
            raise Unanswered(f"there is no project {self.project}, or it is not shown to these credentials") from None

    async def all_names(self) -> Names:
        """All names; who does research is read from the function."""
        names = await self.names()
        return Names(names.project, names.region, names.number, await self.gemini_secret())

    async def services(self) -> dict[str, Json]:
        """The Cloud Run services of the region, by name."""
        path = "v2/projects/{project}/locations/{region}/services"
        return {name_of(one): one for one in await self.google.list(self.at("run", path), "services")}

    async def gemini_secret(self) -> str:
        """The secret that holds the Gemini key; empty where research runs on Vertex AI."""
        service = (await self.services()).get("research")
        return secrets(service).get("MEMEX_GEMINI_API_KEY", "") if service else ""


def container(service: Json) -> Json:
    """The one container of a function."""
    found = children(child(service, "template"), "containers")
    return found[0] if found else {}


def environment(service: Json) -> dict[str, str]:
    """The variables that a function starts with; of a secret only that it is there."""
    return {
        text(one, "name"): text(one, "value") or ("secret" if one.get("valueSource") else "")
        for one in children(container(service), "env")
    }


def secrets(service: Json) -> dict[str, str]:
    """Variables that come from a secret, and that secret's name."""
    return {
        text(one, "name"): secret.rpartition("/")[2]
        for one in children(container(service), "env")
        if (secret := text(child(child(one, "valueSource"), "secretKeyRef"), "secret"))
    }
