"""How often trouble that may pass is waited out: the tenant's own `max_retries`, for every kind of operation."""

from shared.doors import Doors
from shared.preferences import preferences


async def used_up(doors: Doors, tenant: str, troubles: int) -> bool:
    """Whether so many troubles in a row are more than are waited out."""
    return troubles > (await preferences(doors.documents, doors.settings, tenant)).max_retries
