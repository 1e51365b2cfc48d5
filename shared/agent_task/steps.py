"""The steps that workflows/agent_task.yaml calls, for tasks and routines. Each may be called twice, or die half-way.

An answer says what comes next: `running` (sleep `wait_seconds`, then the next step), anything else: it is over here.
"""

from shared.agent_task import task
from shared.agent_task.failure import failure
from shared.agent_task.finish import finish
from shared.agent_task.kind import WORKFLOW
from shared.agent_task.standing import standing
from shared.models.operation import Operation, Status
from shared.operations.amend import amend
from shared.operations.drive import give_up, overdue
from shared.operations.ending import fail
from shared.operations.retries import used_up
from shared.operations.step import Answer, Request, enter
from shared.operations.transition import Change
from shared.services import Services
from shared.store.operations import Operations
from shared.store.runs import Runs


async def step(services: Services, request: Request) -> Answer:
    """Do the next thing for an operation that this execution drives."""
    entered = await enter(services, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    if entered.kind == "routine":
        from shared.routines import run as routine

        return _seen(await routine.step(services, request.tenant, entered))
    return Answer.model_validate((await task.step(services, request.tenant, entered)).model_dump())


def _seen(status: Status) -> Answer:
    """An operation's status as the workflow is told of it."""
    match status:
        case "running":
            return Answer(status="running", wait_seconds=1)
        case "completed" | "failed" | "cancelled":
            return Answer(status=status)
        case "waiting_for_input":
            return Answer(status="waiting")
        case _:
            return Answer(status="superseded")


async def abandon(services: Services, request: Request) -> Answer:
    """The workflow failed, or its time is over: end the operation, or hand it to a new execution."""
    entered = await enter(services, request, WORKFLOW)
    if isinstance(entered, Answer):
        return entered
    tenant = request.tenant

    def counted(change: Change) -> bool:
        change.set(attempts=change.operation.attempts + 1)
        return change.operation.status == "running"

    operation, _ = await amend(services, tenant, entered.id, counted)
    if not overdue(services, operation) and await used_up(services, tenant, operation.attempts):
        # An error that comes again at once would start one execution after the other until the time is over.
        await _end(services, tenant, operation)
    else:
        await give_up(services, tenant, operation)
    status = (await Operations(services.documents, tenant).get(operation.id)).value.status
    return Answer(status=status if status in ("completed", "failed", "cancelled") else "superseded")


async def _end(services: Services, tenant: str, operation: Operation) -> None:
    """End one whose steps fail again and again; what a task had worked out is kept."""
    why = failure("steps_failed")
    events = await Runs(services.documents, tenant).events(operation.id) if operation.kind == "agent_task" else []
    if standing(events, operation.id).worked:
        await finish(services, tenant, operation, events, partial=why.message, otherwise=why)
    else:
        await fail(services, tenant, operation.id, why)
