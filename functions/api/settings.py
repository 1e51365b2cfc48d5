"""Settings: what counts for a tenant, which of it they chose themselves, and what the deployment decided.

What can't be chosen is refused in the words that the settings have for a person.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from shared import services
from shared.config import Settings
from shared.errors import Unprocessable
from shared.http import Person
from shared.models.base import Model
from shared.preferences import LABELS, Choices, Chosen, Preferences, choose, chosen


class Worded(APIRoute):
    """A route that calls a setting by its name for people where its value is refused."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The framework's handler, its refusals said anew."""
        handle = super().get_route_handler()

        async def worded(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                raise _refused(error) or error from None

        return worded


router = APIRouter(prefix="/api/v1/settings", route_class=Worded)


class SettingsAnswer(Model):
    """The settings that count, the names of those that were chosen, and the deployment's defaults."""

    settings: Preferences
    overrides: list[str]
    defaults: Preferences
    models: list[str]
    """Models that can be chosen as things are, the default first; a server of the OpenAI kind may have others."""


@router.get("")
async def read(person: Person) -> SettingsAnswer:
    """The settings."""
    current = services.current()
    return _told(current.settings, await chosen(current.documents, current.settings, person.tenant))


@router.put("")
async def write(wanted: Choices, person: Person) -> SettingsAnswer:
    """Change those that are named; null goes back to the deployment's default."""
    current = services.current()
    if wanted.model:
        _has_to_be_served(current.settings, wanted.model)
    found = await choose(current.documents, current.settings, person.tenant, wanted, current.now())
    return _told(current.settings, found)


def _told(settings: Settings, found: Chosen) -> SettingsAnswer:
    from shared.agent.models.choose import available

    return SettingsAnswer(
        settings=found.settings,
        overrides=found.overrides,
        defaults=found.defaults,
        models=available(settings),
    )


def _has_to_be_served(settings: Settings, name: str) -> None:
    """Unprocessable where nothing here serves the model: every message would be refused."""
    from shared.agent.models.choose import GEMINI, available

    known = available(settings)
    google = name.removeprefix("models/").startswith("gemini-")
    # In the cloud, only the functions that ask Gemini have its key; this one can't know.
    if name in known or settings.openai_url or (google and (GEMINI in known or not settings.same_origin)):
        return
    needs = "MEMEX_GEMINI_API_KEY or MEMEX_VERTEX_PROJECT" if google else "MEMEX_OPENAI_URL to a server that has it"
    raise Unprocessable(
        f"{LABELS['model']}: nothing here serves one of that name; what was chosen before still counts.",
        next=f"Choose one of: {', '.join(known)}. To have that one, set {needs}.",
    )


def _refused(error: RequestValidationError) -> Unprocessable | None:
    """The first refusal in words for a person; None where no setting is named. The value is never echoed."""
    first = error.errors()[0]
    place = [part for part in first["loc"] if part != "body"]
    if len(first["loc"]) == len(place) or not place:
        return None
    if first["type"] == "extra_forbidden":
        return Unprocessable(
            f"{str(place[0])[:80]}: there is no such setting.", next="GET /api/v1/settings lists them."
        )
    label = LABELS.get(str(place[0]))
    if label is None:
        return None
    reason = _REASONS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    reason = reason.replace("Input should be", "has to be")
    return Unprocessable(f"{label}: {reason}.", next="Choose another value; nothing was changed.")


_REASONS = {
    "bool_type": "has to be on or off (true or false)",
    "string_type": "has to be a text",
    "list_type": "has to be a list",
    "int_from_float": "has to be a whole number",
    "finite_number": "has to be a number",
}
