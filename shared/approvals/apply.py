"""A person's word on a proposal: the claim is one commit and decides; what was approved is done after it."""

from collections.abc import Callable

from shared.approvals.doing import denied, finish
from shared.approvals.revise import revised
from shared.doors import Doors
from shared.errors import Conflict, Gone, MemexError
from shared.models.approval import Approval, Claim
from shared.models.base import JsonDict, moment, rfc3339
from shared.store.approvals import Approvals
from shared.store.documents import Write
from shared.store.records import Stored, until_settled

Decide = Callable[[Approval], tuple[Approval, list[Write]]]


async def approve(
    doors: Doors, tenant: str, subject: str, approval_id: str, changes: JsonDict | None = None
) -> Approval:
    """Do what was proposed, with `changes` in place of the arguments that they name; the approval with its result.

    Conflict `already_resolved` where somebody was faster, Gone `approval_expired` after its time, Unprocessable for
    arguments that the action does not take. A failure of the action itself is a result like any other.
    """

    def claim(approval: Approval) -> tuple[Approval, list[Write]]:
        wanted = revised(approval.action, changes or {})
        claimed = approval.changed(
            doors.now(),
            claim=Claim(subject=subject, at=moment(doors.now())),
            action=wanted,
            proposed=None if wanted == approval.action else approval.action,
        )
        return claimed, []

    return await finish(doors, tenant, await _decided(doors, tenant, approval_id, claim))


async def reject(doors: Doors, tenant: str, subject: str, approval_id: str, reason: str | None = None) -> Approval:
    """Say no: nothing of it is done. Raises as `approve` does where it is too late for that."""

    def refuse(approval: Approval) -> tuple[Approval, list[Write]]:
        now = doors.now()
        rejected = approval.changed(
            now, status="rejected", resolved_at=moment(now), resolved_by=subject, rejection=reason
        )
        return rejected, [denied(doors, tenant, approval, subject, "The person said no.")]

    return await _decided(doors, tenant, approval_id, refuse)


async def close_expired(doors: Doors, tenant: str, approval_id: str) -> bool:
    """End a proposal that nobody answered in time; whether this call did."""
    approvals = Approvals(doors.documents, tenant)

    async def attempt() -> bool:
        stored = await approvals.get(approval_id)
        if not is_over(stored.value, doors.now()):
            return False
        await doors.documents.commit(_expiry(doors, tenant, stored))
        return True

    return await until_settled(attempt)


def is_over(approval: Approval, now: float) -> bool:
    """Whether it waited for longer than it may. What a person approved in time is done, however late."""
    return approval.status == "pending" and approval.claim is None and approval.expires_at <= moment(now)


def shown(approval: Approval, now: float) -> Approval:
    """The approval as a person should see it: one whose time is over has expired, swept or not."""
    return approval.model_copy(update={"status": "expired"}) if is_over(approval, now) else approval


async def _decided(doors: Doors, tenant: str, approval_id: str, decide: Decide) -> Approval:
    """The approval after this decision, in one commit; raises where there is nothing to decide any more."""
    approvals = Approvals(doors.documents, tenant)

    async def attempt() -> Approval | None:
        stored = await approvals.get(approval_id)
        if is_over(stored.value, doors.now()):
            await doors.documents.commit(_expiry(doors, tenant, stored))
        if is_over(stored.value, doors.now()) or stored.value.status != "pending" or stored.value.claim:
            return None
        approval, also = decide(stored.value)
        await doors.documents.commit([approvals.put(approval, stored.version), *also])
        return approval

    if decided := await until_settled(attempt):
        return decided
    found = (await approvals.get(approval_id)).value
    if found.status == "pending":
        # Approved, and whoever was at it may have died.
        found = await finish(doors, tenant, found)
    raise _too_late(found)


def _expiry(doors: Doors, tenant: str, stored: Stored[Approval]) -> list[Write]:
    now, approval = doors.now(), stored.value
    expired = approval.changed(now, status="expired", resolved_at=moment(now))
    entry = denied(doors, tenant, approval, approval.subject, "Nobody answered in time.")
    return [Approvals(doors.documents, tenant).put(expired, stored.version), entry]


def _too_late(found: Approval) -> MemexError:
    """What became of it, for whoever comes second."""
    if found.status == "expired":
        return Gone(
            "This proposal waited for too long and counts as rejected; nothing was done.",
            code="approval_expired",
            next="Ask for it again, or make the change yourself.",
        )
    when = rfc3339(found.resolved_at)[:16].replace("T", " ") if found.resolved_at else "earlier"
    became = {True: " and done", False: ", and could not be done", None: ""}[found.ok]
    detail = f": {found.result.get('message')}" if found.ok is False and found.result else "."
    return Conflict(
        f"This proposal was {found.status} at {when} (UTC){became}{detail}",
        code="already_resolved",
        next="Open it to see what came of it; nothing was done a second time.",
    )
