"""What a tool call may do, decided without doing anything: its class, whether it leaves the house, whether it asks."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from shared.errors import MemexError
from shared.gateway.classes import CLASSES, MCP, Class
from shared.models.base import JsonDict
from shared.net.guard import host_allowed, inside, split

MCP_PREFIX = "mcp_"
"""How the names of MCP servers' tools begin."""
_OUTWARD = frozenset({"web_search", "http_fetch"})
"""External tools that reach for another machine; others spend money without doing so."""
_RESEARCH = "start_research"


@dataclass(frozen=True, slots=True)
class Policy:
    """What one turn's tools may do, as the tenant has set it."""

    tools: frozenset[str] | None
    """Those that may be used; None means all."""
    approve_tools: bool
    """External tools run without asking, within the budget."""
    egress_enabled: bool
    allowed_hosts: tuple[str, ...]
    budget_left: Callable[[], Awaitable[float]] | None
    """USD left of today's budget; None where nothing limits it."""


def class_of(tool: str) -> Class:
    """A tool's class. LookupError where it has none: such a tool must not exist."""
    found = CLASSES.get(tool) or (MCP if tool.startswith(MCP_PREFIX) else None)
    if found is None:
        raise LookupError(f"The tool {tool} has no class: say in shared/gateway/classes.py what it touches.")
    return found


def permitted(policy: Policy, tool: str) -> bool:
    """Whether this turn may use the tool at all."""
    return policy.tools is None or tool in policy.tools


def outward(tool: str) -> bool:
    """Whether the tool reaches for another machine."""
    return tool in _OUTWARD or tool.startswith(MCP_PREFIX)


def only_reads(tool: str) -> bool:
    """Whether the tool looks into what is here and does nothing else, so that it may be run again."""
    return CLASSES.get(tool) == "read"


def closed(policy: Policy, tool: str, arguments: JsonDict) -> JsonDict | None:
    """Why the tool may not reach where it would, as its result; None where it may.

    The guard in shared/net checks each hop and address again when it connects; this comes before a person is asked.
    """
    if not outward(tool):
        return None
    if not policy.egress_enabled:
        return error(
            "egress_disabled", "Nothing may be read from outside.", "The person can allow it in Settings, Network."
        )
    url = arguments.get("url")
    if tool.startswith(MCP_PREFIX) or not isinstance(url, str):
        return None
    try:
        _, host, _ = split(url)
    except MemexError as refused:
        return error(refused.code, refused.message, refused.next)
    if inside(host):
        return error("address_blocked", f"{host} is an address inside a network.", "Only public addresses are asked.")
    if host_allowed(host, policy.allowed_hosts):
        return None
    told = error("egress_blocked", f"{host} is not among the allowed hosts.", "The person can allow it in Settings.")
    return {**told, "blocked_host": host}


def reasons(
    policy: Policy,
    kind: Class,
    *,
    outside: bool,
    price: float | None = None,
    left: float | None = None,
    tool: str = "",
) -> Sequence[str]:
    """Why a person has to be asked first; empty where nobody has. `price` and `left` are in USD.

    With the tool's name the reasons say what it does; what it costs is told beside them, unless it is nothing.
    """
    if kind == "destructive":
        return ["It takes something away, and that is never done without your word."]
    if kind != "external":
        return []
    found, does = [], _does(tool, price)
    if not policy.approve_tools:
        found.append(f"{does}, and you chose to be asked about that.")
    if outside:
        found.append(f"{does}, and this conversation has read text that others may have written.")
    if beyond(price, left):
        found.append(f"Of today's budget {max(0.0, left or 0.0):.2f} USD is left, and it costs more.")
    return found


def _does(tool: str, price: float | None) -> str:
    """What an external tool does that a person may want to know of."""
    free = price == 0
    if tool == _RESEARCH:
        return "It starts research, which costs nothing" if free else "It starts research"
    if outward(tool):
        return "It reaches outside"
    if free:
        return "It sets off work beyond this conversation, which costs nothing"
    return "It reaches outside or costs money"


def beyond(price: float | None, left: float | None) -> bool:
    """Whether a call costs more than is left; what costs nothing never does."""
    if price is None or left is None or price == 0:
        return False
    return not price <= left  # a price that is not a number is too high


def asks(policy: Policy, tool: str) -> bool:
    """Whether every call of the tool asks, whatever has been read or spent."""
    return bool(reasons(policy, class_of(tool), outside=False, tool=tool))


def error(code: str, message: str, next: str = "") -> JsonDict:
    """A result that says what went wrong, as the model reads it."""
    return {"error": code, "message": message, **({"next": next} if next else {})}
