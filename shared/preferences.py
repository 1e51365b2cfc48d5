"""What a tenant has chosen for itself, over what the deployment decided. Unset means the deployment's default.

Limits of money and load (`CAPS`) can only be lowered: they protect whoever pays for the deployment, and a tenant's key
must not be able to lift them. Everything else is the tenant's own affair.
"""

from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictStr

from shared.config import BOUNDS, Accuracy, AgentMode, Engine, Settings, is_time_zone
from shared.errors import MemexError, Unprocessable
from shared.models.base import JsonDict, Model, moment, rfc3339
from shared.net.guard import inside, split
from shared.store.documents import Document, Documents, Expect, Write
from shared.store.records import until_settled

CAPS = ("max_running", "operation_budget_usd", "operation_budget_tokens", "daily_budget_usd", "daily_paid_runs")
"""Where the deployment's value is the highest that a tenant may choose."""
MAX_HOSTS = 200


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings that count for one tenant; what each means is said in shared/config.py."""

    model: str
    """`chat_model` of the deployment; empty means the default one of the service that is configured."""
    use_tools: bool
    approve_tools: bool
    think: bool
    agent_mode: AgentMode
    human_gate: bool
    accuracy_mode: Accuracy
    verifier_check: bool
    egress_enabled: bool
    allowed_hosts: tuple[str, ...]
    context_tokens: int
    max_iterations: int
    turn_timeout_seconds: int
    task_timeout_seconds: int
    gate_hours: int
    max_retries: int
    research_engine: Engine
    memory_enabled: bool
    max_running: int
    operation_budget_usd: float
    operation_budget_tokens: int
    daily_budget_usd: float
    daily_paid_runs: int
    time_zone: str


NAMES = tuple(field.name for field in fields(Preferences))
LABELS = {
    "model": "Model",
    "use_tools": "Use tools",
    "approve_tools": "Run outside tools without asking",
    "think": "Think before answering",
    "agent_mode": "Mode",
    "human_gate": "Show me each answer before it counts",
    "accuracy_mode": "Accuracy",
    "verifier_check": "Look facts up again",
    "egress_enabled": "Read from the web",
    "allowed_hosts": "Allowed hosts",
    "context_tokens": "Tokens that the model is given",
    "max_iterations": "Rounds with tools",
    "turn_timeout_seconds": "Time for an answer",
    "task_timeout_seconds": "Time for a question to an agent",
    "gate_hours": "Time to answer a question",
    "max_retries": "Failures in a row",
    "research_engine": "Research is done by",
    "memory_enabled": "Remember what conversations say of me",
    "max_running": "At the same time",
    "operation_budget_usd": "Cost of one piece of work",
    "operation_budget_tokens": "Tokens of one piece of work",
    "daily_budget_usd": "Cost of a day",
    "daily_paid_runs": "Paid runs of a day",
    "time_zone": "Time zone",
}
"""What a person reads where a setting is named; the web client calls them the same."""


def _bounded(name: str) -> AfterValidator:
    """The deployment's own bounds hold for a tenant, too."""
    low, high = next((low, high) for known, low, high in BOUNDS if known == name)

    def check(value: float) -> float:
        if not low <= value <= high:
            raise ValueError(f"may be {low:,} to {high:,}")
        return value

    return AfterValidator(check)


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("has to be a number")
    return value


def _zone(value: str) -> str:
    if not is_time_zone(value):
        raise ValueError("there is none of that name; write one such as Europe/Berlin, or UTC")
    return value


def host_pattern(text: str) -> str:
    """A pattern of hosts in its normal form: a host, or `*.` and one for its subdomains. ValueError otherwise."""
    wrong = "write a host such as example.org, or *.example.org for its subdomains, without scheme, port or path"
    name = text.strip().removeprefix("*.")
    try:
        _, host, _ = split(f"https://{name}/")
    except MemexError:
        raise ValueError(wrong) from None
    # Whatever was more than a host has been read as something else: a port, a path, a number in disguise.
    if host != name.encode("idna").decode().lower().removesuffix(".") or inside(host):
        raise ValueError(wrong if not inside(host) else "only hosts of the internet can be allowed")
    if "*." in text and (host.count(".") < 1 or host.replace(".", "").isdigit()):
        raise ValueError("a pattern has to name a domain, such as *.example.org")
    return f"*.{host}" if text.strip().startswith("*.") else host


def _hosts(value: list[str]) -> list[str]:
    return list(dict.fromkeys(map(host_pattern, value)))


def _label(value: str) -> str:
    if not value.isprintable() or any(char.isspace() for char in value):
        raise ValueError("a model's name has no spaces")
    return value


Number = BeforeValidator(_number)


class Choices(Model):
    """A tenant's choices: any subset; null goes back to the deployment's default."""

    model: Annotated[StrictStr, Field(max_length=200), AfterValidator(_label)] | None = None
    use_tools: StrictBool | None = None
    approve_tools: StrictBool | None = None
    think: StrictBool | None = None
    agent_mode: AgentMode | None = None
    human_gate: StrictBool | None = None
    accuracy_mode: Accuracy | None = None
    verifier_check: StrictBool | None = None
    egress_enabled: StrictBool | None = None
    allowed_hosts: Annotated[list[StrictStr], Field(max_length=MAX_HOSTS), AfterValidator(_hosts)] | None = None
    context_tokens: Annotated[int, Number, _bounded("context_tokens")] | None = None
    max_iterations: Annotated[int, Number, _bounded("max_iterations")] | None = None
    turn_timeout_seconds: Annotated[int, Number, _bounded("turn_timeout_seconds")] | None = None
    task_timeout_seconds: Annotated[int, Number, _bounded("task_timeout_seconds")] | None = None
    gate_hours: Annotated[int, Number, _bounded("gate_hours")] | None = None
    max_retries: Annotated[int, Number, _bounded("max_retries")] | None = None
    research_engine: Engine | None = None
    memory_enabled: StrictBool | None = None
    max_running: Annotated[int, Number, _bounded("max_running")] | None = None
    operation_budget_usd: Annotated[float, Number, _bounded("operation_budget_usd")] | None = None
    operation_budget_tokens: Annotated[int, Number, _bounded("operation_budget_tokens")] | None = None
    daily_budget_usd: Annotated[float, Number, _bounded("daily_budget_usd")] | None = None
    daily_paid_runs: Annotated[int, Number, _bounded("daily_paid_runs")] | None = None
    time_zone: Annotated[StrictStr, Field(max_length=64), AfterValidator(_zone)] | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A tenant's settings: what counts, which of it the tenant chose, and what counts without that."""

    settings: Preferences
    overrides: list[str]
    defaults: Preferences


def defaults(settings: Settings) -> Preferences:
    """What the deployment decided."""
    return Preferences(**{name: getattr(settings, _SETTINGS.get(name, name)) for name in NAMES})


_SETTINGS = {"model": "chat_model"}


def resolved(settings: Settings, choices: JsonDict) -> Chosen:
    """The choices over the defaults; a limit that the deployment has lowered since then counts."""
    ours = defaults(settings)
    values: dict[str, Any] = {name: choices[name] for name in NAMES if name in choices}
    overrides = list(values)
    for name in CAPS:
        if name in values:
            values[name] = min(getattr(ours, name), float(str(values[name])))
            values[name] = type(getattr(ours, name))(values[name])
    if isinstance(hosts := values.get("allowed_hosts"), list):
        values["allowed_hosts"] = tuple(hosts)
    return Chosen(replace(ours, **values), overrides, ours)


async def preferences(documents: Documents, settings: Settings, tenant: str) -> Preferences:
    """The settings that count for a tenant now."""
    return (await chosen(documents, settings, tenant)).settings


async def chosen(documents: Documents, settings: Settings, tenant: str) -> Chosen:
    """The same, and where each comes from."""
    return resolved(settings, _values(await documents.get(_path(tenant))))


async def choose(documents: Documents, settings: Settings, tenant: str, wanted: Choices, now: float) -> Chosen:
    """Change what is named, and leave the rest; Unprocessable where a limit would be raised."""
    _within_caps(settings, wanted)
    changes = wanted.model_dump(mode="json", exclude_unset=True)

    async def attempt() -> Chosen:
        document = await documents.get(_path(tenant))
        merged = {**_values(document), **changes}
        values: JsonDict = {name: value for name, value in merged.items() if value is not None}
        if changes and values != _values(document):
            await documents.commit([_write(tenant, document, values, now)])
        return resolved(settings, values)

    return await until_settled(attempt)


async def allow_host(
    documents: Documents, settings: Settings, tenant: str, host: str, now: float, entry: Write
) -> None:
    """Put a host on the tenant's list and open the outside, in one commit with the entry that says who allowed it.

    Once an entry is there nothing is done any more: the person may have taken the host off since. ValidationError
    where the list is full, or that is no host.
    """

    async def attempt() -> None:
        if await documents.get(entry.path):
            return
        document = await documents.get(_path(tenant))
        hosts = resolved(settings, _values(document)).settings.allowed_hosts
        wanted = Choices(allowed_hosts=list(dict.fromkeys([*hosts, host])), egress_enabled=True)
        values = {**_values(document), **wanted.model_dump(mode="json", exclude_unset=True)}
        # Written even where the host is there: whoever takes it off at this moment has to look again.
        await documents.commit([_write(tenant, document, values, now), entry])

    await until_settled(attempt)


def _within_caps(settings: Settings, wanted: Choices) -> None:
    ours = defaults(settings)
    for name in CAPS:
        value, cap = getattr(wanted, name), getattr(ours, name)
        if value is not None and value > cap:
            most = f"{cap:,.2f} USD" if name.endswith("_usd") else f"{cap:,}"
            raise Unprocessable(
                f"{LABELS[name]}: {most} is the most that this deployment allows.",
                next=f"Choose at most that, or have whoever runs it raise MEMEX_{name.upper()}.",
            )


def _path(tenant: str) -> str:
    return f"tenants/{tenant}/settings/preferences"


def _values(document: Document | None) -> JsonDict:
    found = document.data.get("values") if document else None
    return found if isinstance(found, dict) else {}


def _write(tenant: str, document: Document | None, values: JsonDict, now: float) -> Write:
    at = rfc3339(moment(now))
    data: JsonDict = {"values": values, "created_at": at, "updated_at": at, "revision": 1}
    if document:
        data |= {"created_at": document.data["created_at"], "revision": int(str(document.data["revision"])) + 1}
    return Write(_path(tenant), data, document.version if document else Expect.ABSENT)
