"""Settings: what counts for a tenant, which of it they chose themselves, and what the deployment decided."""

from fastapi import APIRouter

from shared import services
from shared.http import Person
from shared.models.base import Model
from shared.preferences import Choices, Chosen, Preferences, choose, chosen

router = APIRouter(prefix="/api/v1/settings")


class SettingsAnswer(Model):
    """The settings that count, the names of those that were chosen, and the deployment's defaults."""

    settings: Preferences
    overrides: list[str]
    defaults: Preferences


@router.get("")
async def read(person: Person) -> SettingsAnswer:
    """The settings."""
    current = services.current()
    return _told(await chosen(current.documents, current.settings, person.tenant))


@router.put("")
async def write(wanted: Choices, person: Person) -> SettingsAnswer:
    """Change those that are named; null goes back to the deployment's default."""
    current = services.current()
    return _told(await choose(current.documents, current.settings, person.tenant, wanted, current.now()))


def _told(found: Chosen) -> SettingsAnswer:
    return SettingsAnswer(settings=found.settings, overrides=found.overrides, defaults=found.defaults)
