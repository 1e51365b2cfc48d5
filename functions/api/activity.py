"""Activity: every decision about a tool call, and every message that was given up. Read only."""

from fastapi import APIRouter, Request, Response

from shared import services
from shared.http import Person
from shared.models.activity import Activity, Entry
from shared.models.base import Model
from shared.models.ids import Id
from shared.paging import Cursor, Limit, answer, before, cursor_after
from shared.store.activity import Activities

router = APIRouter(prefix="/api/v1/activity")


class ActivityAnswer(Model):
    """A page of activity."""

    activity: list[Entry]
    next_cursor: str | None


@router.get("", response_model=ActivityAnswer)
async def page(
    request: Request, person: Person, limit: Limit = 50, cursor: Cursor = None, session_id: Id | None = None
) -> Response:
    """Activity, newest first; with `session_id` that of one conversation.

    All of the tenant's is listed, so that each can see what is done. The arguments of calls in another person's
    conversation are left out: they would tell what was said there.
    """
    found = await Activities(services.current().documents, person.tenant).page(
        session_id=session_id, before=before(cursor), limit=limit
    )
    following = cursor_after([entry.id for entry in found], limit)
    seen = [entry.seen_by(person.subject) if isinstance(entry, Activity) else entry for entry in found]
    return answer(request, ActivityAnswer(activity=seen, next_cursor=following))
