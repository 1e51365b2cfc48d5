"""The gateway: every tool call passes it, and nothing runs beside it. It holds no state and knows no tool by name.

The order is lookup, class, permission, input schema, egress, approval, timeout, output schema, redacted audit. The
design names approval right after the class; it comes later here, because a person should only be asked about a call
that could run, and be shown arguments that were checked. What a person said yes to passes all the other steps again.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import ValidationError

from shared.agent.model import ToolCall, ToolSpec
from shared.errors import MemexError
from shared.events.trace import cut
from shared.gateway import policy as rules
from shared.gateway import schema
from shared.gateway.marks import marked
from shared.gateway.policy import Policy, error
from shared.gateway.redact import redacted, text
from shared.gateway.size import fitted, size
from shared.gateway.tool import Errand, Outcome, Quoted, Tool
from shared.log import described
from shared.models.activity import Activity, Decision
from shared.models.base import JsonDict, Model, moment
from shared.models.ids import ulid

__all__ = ["Asks", "Done", "Gateway", "Policy"]

_CODE = re.compile(r"[a-z][a-z0-9_]{0,59}")
_LOOK = "Outcome unknown: look before you repeat it."

log = logging.getLogger("memex.gateway")


@dataclass(frozen=True, slots=True)
class Done:
    """A call that has its result, good or bad.

    `result` is what the model reads. `outcome` is what the tool did, where it came to that: its `undo` counts even
    where its answer had to be refused. `outside`: the result holds text that others may have written.
    """

    result: JsonDict
    ok: bool
    outcome: Outcome | None
    outside: bool
    entry: Activity


@dataclass(frozen=True, slots=True)
class Asks:
    """A call that waits for a person's word. Nothing ran; `shown` are its arguments without secrets."""

    why: str
    shown: JsonDict
    entry: Activity


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call that has passed everything but the approval."""

    tool: Tool[Any]
    arguments: Model
    errand: Errand
    price: float | None = None
    left: float | None = None


@dataclass(frozen=True, slots=True)
class _Audit:
    """What the entry about one call will say."""

    errand: Errand
    call: ToolCall
    began: float
    now: Callable[[], float]
    shown: JsonDict = field(default_factory=dict)

    def entry(self, decision: Decision, *, ok: bool | None, code: str = "") -> Activity:
        """The entry; it belongs into the commit of the call's event."""
        tool = self.call.tool
        try:
            kind = rules.class_of(tool)
        except LookupError:
            kind = None
        return Activity(
            id=ulid(self.began),
            at=moment(self.began),
            subject=self.errand.subject,
            session_id=self.errand.session_id,
            run_id=self.errand.run_id,
            call_id=text(self.call.id)[:100],
            tool=text(tool)[:100],
            class_=kind,
            decision=decision,
            arguments=self.shown,
            ok=ok,
            code=code,
            duration_ms=max(0, round((self.now() - self.began) * 1000)),
        )

    def refused(self, result: JsonDict) -> Done:
        """A call that a rule kept from running."""
        code = _code(result)
        return Done(result, ok=False, outcome=None, outside=False, entry=self.entry("refused", ok=False, code=code))


class Gateway:
    """The way to one turn's tools. Calls may run beside each other."""

    def __init__(self, tools: Mapping[str, Tool[Any]], policy: Policy, now: Callable[[], float]) -> None:
        for name, tool in tools.items():
            rules.class_of(name)
            if tool.name != name:
                raise LookupError(f"The tool {tool.name} is listed as {name}: list it under its own name.")
        self._tools = dict(tools)
        self._policy = policy
        self._now = now

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that a model is shown: only those that this turn may use."""
        return tuple(ToolSpec(tool.name, tool.description, _schema(tool)) for tool in self._open())

    def carried(self) -> JsonDict:
        """What outside servers say of their tools, by tool: data for a marked block, never a description."""
        return {
            tool.name: {name[:100]: cut(words, 2_000) for name, words in tool.carried.items()}
            for tool in self._open()
            if tool.carried
        }

    def _open(self) -> list[Tool[Any]]:
        policy = self._policy
        return [
            tool
            for tool in self._tools.values()
            if rules.permitted(policy, tool.name) and (policy.egress_enabled or not rules.outward(tool.name))
        ]

    async def call(self, errand: Errand, call: ToolCall, *, outside: bool, approved: bool = False) -> Done | Asks:
        """Run a call, refuse it, or say that a person has to be asked. `outside`: this turn has read others' text.

        `approved`: a person said yes to this very call. Only cancellation is raised.
        """
        audit = _Audit(errand, call, self._now(), self._now, redacted(call.arguments))
        ready = await self._checked(audit)
        if isinstance(ready, Done):
            return ready
        tool, kind = ready.tool, rules.class_of(call.tool)
        left = ready.left
        why = rules.reasons(self._policy, kind, tool=call.tool, outside=outside, price=ready.price, left=left)
        if why and not approved:
            # The price is always named: whoever says yes for another reason says yes to it, too.
            priced = [f"It costs about {ready.price:.2f} USD."] if ready.price else []
            return Asks(" ".join([*why, *priced]), audit.shown, audit.entry("asked", ok=None))
        if approved and rules.beyond(ready.price, ready.left):
            ready = replace(ready, errand=replace(ready.errand, beyond_budget=True))
        result, outcome, own_words = await _run(ready)
        code = _code(result)
        entry = audit.entry("approved" if approved else "allowed", ok=not code, code=code)
        strange = (tool.outside or tool.name.startswith(rules.MCP_PREFIX)) and not own_words
        outside = strange or "mark" in result  # a failure of ours may quote others
        return Done(marked(result) if strange else result, not code, outcome, outside, entry)

    def denied(self, errand: Errand, call: ToolCall, why: str) -> Done:
        """A person said no, or nobody said anything in time: nothing ran."""
        audit = _Audit(errand, call, self._now(), self._now, redacted(call.arguments))
        result = error("denied", why, "Don't call it again unless the person asks for it.")
        return Done(result, ok=False, outcome=None, outside=False, entry=audit.entry("denied", ok=False, code="denied"))

    async def _checked(self, audit: _Audit) -> "_Ready | Done":
        """Every step before the approval."""
        call, policy = audit.call, self._policy
        tool = self._tools.get(call.tool)
        if tool is None:
            return audit.refused(error("unknown_tool", "There is no such tool.", "Use one of those that are listed."))
        if not rules.permitted(policy, tool.name):
            return audit.refused(error("not_permitted", "This tool may not be used here.", "Do without it."))
        arguments = _arguments(tool, call)
        if not isinstance(arguments, Model):
            return audit.refused(arguments)
        if refusal := rules.closed(policy, tool.name, call.arguments):
            return audit.refused(refusal)
        # Hosts come from here alone, so that nothing is reachable while the outside is closed.
        hosts = policy.allowed_hosts if policy.egress_enabled else ()
        errand = replace(audit.errand, allowed_hosts=hosts, beyond_budget=False)
        return await self._priced(audit, _Ready(tool, arguments, errand))

    async def _priced(self, audit: _Audit, ready: _Ready) -> "_Ready | Done":
        estimate, budget_left = ready.tool.price, self._policy.budget_left
        if estimate is None:
            return ready
        result, left = JsonDict(), None
        try:
            async with asyncio.timeout(ready.tool.seconds):
                price = await estimate(ready.errand, ready.arguments)
                left = await budget_left() if budget_left else None
        except MemexError as failed:
            result = error(failed.code, failed.message, failed.next)
        except Exception as failed:
            log.error("the price of a call of %s is unknown: %s", ready.tool.name, described(failed))
            result = error("tool_failed", "What it would cost can't be found out, so it was not run.", "Try it later.")
        return audit.refused(result) if result else replace(ready, price=price, left=left)


def _schema(tool: Tool[Any]) -> JsonDict:
    arguments: type[Model] = tool.arguments
    return _of_ours(arguments) if tool.schema is None else schema.of_outside(tool.schema)


@cache
def _of_ours(arguments: type[Model]) -> JsonDict:
    """Made once a process: a tool's shape is shown in every turn, and whoever is shown it changes nothing of it."""
    return schema.of_model(arguments)


def _arguments(tool: Tool[Any], call: ToolCall) -> Model | JsonDict:
    """The arguments, checked; or the error that says which of them are wrong, and never quotes one."""
    if call.broken:
        return _invalid([f"They can't be read: {text(call.broken)[:200]}"])
    if tool.schema is not None and (found := schema.problems(call.arguments, schema.of_outside(tool.schema))):
        return _invalid(found)
    try:
        arguments = tool.arguments.model_validate(call.arguments)
    except ValidationError as wrong:
        return _invalid(schema.explained(wrong))
    return arguments  # type: ignore[no-any-return]  # of a model, whichever it is


def _invalid(found: list[str]) -> JsonDict:
    told = "; ".join(found[:5]) + (f"; and {len(found) - 5} more" if len(found) > 5 else "")
    return error("invalid_arguments", cut(told, 1_000), "Correct the arguments and call it again.")


async def _run(ready: _Ready) -> tuple[JsonDict, Outcome | None, bool]:
    """The result, what was done, and whether the result is in our own words."""
    tool = ready.tool
    harmless = rules.class_of(tool.name) == "read"
    clock = asyncio.timeout(tool.seconds)
    try:
        async with clock:
            outcome = await tool.run(ready.errand, ready.arguments)
    except MemexError as failed:
        # What an MCP server says of its failure is its own text.
        ours = not tool.name.startswith(rules.MCP_PREFIX)
        words = marked(fitted(failed.words)) if isinstance(failed, Quoted) else {}
        return {**error(failed.code, cut(failed.message, 1_000), cut(failed.next, 1_000)), **words}, None, ours
    except Exception as failed:
        if isinstance(failed, TimeoutError) and clock.expired():
            told = f"It took longer than {tool.seconds:g} seconds and was stopped."
            return error("timeout", told, "Try it later." if harmless else _LOOK), None, True
        log.error("the tool %s failed: %s", tool.name, described(failed))
        return error("tool_failed", "The tool failed.", "Try another way." if harmless else _LOOK), None, True
    return _answered(tool, outcome, harmless)


def _answered(tool: Tool[Any], outcome: Outcome, harmless: bool) -> tuple[JsonDict, Outcome | None, bool]:
    try:
        if tool.answer is not None:
            tool.answer.model_validate(outcome.result)
        size(outcome.result)
    except (ValueError, TypeError, RecursionError) as wrong:
        log.error("the tool %s answered with something else than it should: %s", tool.name, described(wrong))
        told = error("bad_answer", "The tool answered with something else than it should.", "" if harmless else _LOOK)
        # What it changed it has changed: the way back stays.
        return told, Outcome(told, undo=outcome.undo), True
    return fitted(outcome.result), outcome, False


def _code(result: JsonDict) -> str:
    """The code of a result that is an error; empty for one that is none. Never text from outside."""
    found = result.get("error")
    if not found:
        return ""
    return found if isinstance(found, str) and _CODE.fullmatch(found) else "tool_error"
