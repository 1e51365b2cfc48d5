"""The calls of one answer, one after the other, each through the gateway and on record; or the wait for a person."""

import json
from collections.abc import Mapping
from datetime import timedelta

from shared.agent.model import ToolCall
from shared.agent_task.asked import errand as errand_of
from shared.agent_task.asked import result_draft
from shared.agent_task.cast import Cast
from shared.agent_task.record import LOGGED, Record
from shared.agent_task.standing import Standing, standing
from shared.events.trace import ApprovalRequest
from shared.gateway.gateway import Asks, Done
from shared.gateway.size import fitted
from shared.models.base import JsonDict, moment
from shared.models.operation import Operation
from shared.operations import drive, waiting
from shared.operations.transition import Change
from shared.services import Services
from shared.store.activity import Activities
from shared.tools import ask

SECONDS = 60.0
"""For how long one step begins further calls."""
_SHOWN = 500
_YES = frozenset({"yes", "y", "yes please", "ok", "okay", "sure", "allow", "approve", "approved", "ja", "ja bitte"})


def says_yes(answer: str) -> bool:
    """Whether a person's answer is a plain yes. Whatever else they say is none."""
    return " ".join(answer.replace(",", " ").split()).strip(" .!").casefold() in _YES


class Calls:
    """The open calls of a run."""

    def __init__(self, services: Services, tenant: str, record: Record, cast: Cast) -> None:
        self._services = services
        self._tenant = tenant
        self._record = record
        self._cast = cast

    async def run(self, broken: Mapping[str, str]) -> Operation:
        """Answer them in order, for a while; the operation afterwards, which waits where a person has to speak.

        `broken` says of a call, by its id, why its arguments can't be read.
        """
        began = self._services.now()
        while (stand := standing(self._record.events, self._record.operation.id)).open:
            called = stand.open[0]
            call = ToolCall(called.call_id, called.tool, called.arguments, broken=broken.get(called.call_id, ""))
            waits = await self._answer(stand, call)
            operation = waits or self._record.operation
            if waits or self._services.now() - began > SECONDS or drive.overdue(self._services, operation):
                return operation
        return self._record.operation

    async def _answer(self, stand: Standing, call: ToolCall) -> Operation | None:
        """Put the call's answer on record; the operation as it waits where there is none yet."""
        said = self._record.operation.answer
        errand = errand_of(self._services, self._tenant, self._record.operation.id, call, frozenset(stand.addresses))
        if said is not None and call.tool != ask.NAME and not says_yes(said):
            await self._store(call, self._cast.gateway.denied(errand, call, f"The person did not say yes: {said}"))
            return None
        approved = said is not None and call.tool != ask.NAME
        reply = await self._cast.gateway.call(errand, call, outside=stand.outside, approved=approved)
        if isinstance(reply, Asks):
            return await self._ask_whether(call, reply)
        if call.tool == ask.NAME and reply.ok:
            if said is None:
                return await self._wait(str(reply.result["question"]), reply.result["options"])
            await self._store(call, reply, {**reply.result, "answer": said})
            return None
        await self._store(call, reply)
        return None

    async def _store(self, call: ToolCall, reply: Done, result: JsonDict | None = None) -> None:
        told = reply.result if result is None else result

        def say(change: Change) -> None:
            change.answered(call.tool, fitted(told, LOGGED))
            # What a person said counts for this call alone.
            change.set(asked=None, answer=None)

        activities = Activities(self._services.documents, self._tenant)
        draft = result_draft(call, reply, told)
        await self._record.add([draft], say, also=[activities.put(reply.entry)])

    async def _ask_whether(self, call: ToolCall, asks: Asks) -> Operation:
        """A person has to allow this call."""
        asked = [event for event in self._record.events if isinstance(event, ApprovalRequest)]
        if all(event.call_id != call.id for event in asked):
            hours = self._cast.preferences.gate_hours
            draft = {
                "type": "approval_request",
                "run_id": self._record.operation.id,
                "reason": "approve_tool",
                "tool": call.tool,
                "call_id": call.id,
                "arguments": asks.shown,
                "why": asks.why,
                "expires_at": moment(self._services.now()) + timedelta(hours=hours),
            }
            activities = Activities(self._services.documents, self._tenant)
            await self._record.add([draft], lambda _: None, also=[activities.put(asks.entry)])
        shown = json.dumps(asks.shown, ensure_ascii=False)[:_SHOWN]
        return await self._wait(f"May the agent use {call.tool} with {shown}? {asks.why}", ["yes", "no"])

    async def _wait(self, text: str, options: object) -> Operation:
        choices = [str(one) for one in options] if isinstance(options, list) else []
        return await waiting.wait(self._services, self._tenant, self._record.operation.id, text, choices)
