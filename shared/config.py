"""Settings: read once from the environment (prefix MEMEX_), validated, frozen. A bad or missing one is named."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

from shared.errors import NotConfigured

ResearchService = Literal["vertex", "gemini", "none"]
AgentMode = Literal["single", "multi", "custom"]
"""`custom` is reserved and behaves like `multi`."""
Accuracy = Literal["standard", "accurate"]
Engine = Literal["deep", "local"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the environment decides. A field's name in capitals with MEMEX_ before it is its variable."""

    project: str
    """Google Cloud project (or any name, locally)."""
    region: str
    """Region of the functions, the workflow and the database."""
    device_keys_file: str
    """File with `{device_id: {key_sha256, tenant, subject}}`; re-read each minute."""
    functions_url: str = ""
    """Base address of private functions and audience of calls to them; `{name}` is replaced by the function's."""
    same_origin: bool = False
    """Whether one origin serves all functions (the local product)."""
    callers: tuple[str, ...] = ()
    """Service-account addresses that private functions accept."""
    identity_keys_url: str = "https://www.googleapis.com/oauth2/v3/certs"
    """Where the public keys (JWKS) lie that sign our services' identity tokens."""
    identity_issuer: str = "https://accounts.google.com"
    """Who signs them."""
    executions_endpoint: str = ""
    """HOST:PORT that serves the Workflows Executions API without TLS, instead of Google (tests)."""
    cors_origins: tuple[str, ...] = ()
    """Origins that may call from a browser besides our own."""
    gemini_api_key: str = ""
    """Key of the Gemini API; chooses it for research and enrichment."""
    vertex_project: str = ""
    """Project whose Agent Platform does research; chooses it over the Gemini API."""
    research_url: str = ""
    """Address of the Interactions API instead of Google's (the stand-in, a proxy)."""
    research_agent: str = "deep-research-preview-04-2026"
    """Agent that is asked."""
    research_cost_usd: float = 3.0
    """Estimated price of one paid run, reserved when it is claimed."""
    research_paid: bool = True
    """Whether a run costs money: false for the stand-in."""
    research_minutes: int = 120
    """Hard cap of one run."""
    first_event_seconds: float = 30.0
    """How long the create stream may take to name the interaction."""
    max_running: int = 2
    """Operations of one tenant that run at once."""
    max_retries: int = 5
    """Transient failures in a row before a run is given up."""
    daily_paid_runs: int = 10
    """Paid runs of one tenant in one day (UTC)."""
    daily_budget_usd: float = 10.0
    """What one tenant's runs may cost in one day (UTC), estimates included."""
    operation_budget_usd: float = 5.0
    """What one operation may cost."""
    enrich_model: str = ""
    """Model that enriches; empty means the deterministic way, from the note's own words."""
    openai_url: str = ""
    """Base address of an OpenAI-compatible server (`http://127.0.0.1:11434/v1`)."""
    openai_api_key: str = ""
    """Its key, where it wants one."""
    egress_enabled: bool = False
    """Whether pages may be read: by the chat's tools, and by local research those that a note names."""
    allowed_hosts: tuple[str, ...] = ()
    """Hosts that may be read; `*.example.org` covers subdomains."""
    chat_model: str = ""
    """Model that answers in the chat; empty means the default one of the service that is configured."""
    use_tools: bool = True
    """Whether the chat has tools."""
    approve_tools: bool = True
    """Whether tools that leave the house or cost money run without asking, within the budget."""
    think: bool = False
    """Whether the model is asked to reason before it answers."""
    context_tokens: int = 32_768
    """Tokens that the model is given at most, the conversation's window included."""
    max_iterations: int = 8
    """Calls of the model in one turn."""
    turn_timeout_seconds: int = 300
    """How long one turn may take."""
    gate_hours: int = 24
    """How long a turn waits for a person's word before that counts as a no."""
    time_zone: str = "UTC"
    """Whose date and time the chat goes by (IANA name)."""
    agent_mode: AgentMode = "single"
    """One agent, or several that plan, search and check each other."""
    agent_graph_enabled: bool = False
    """The older word for `agent_mode` multi; counts where that one is not set."""
    human_gate: bool = False
    """Whether several agents wait for a person's yes before their answer counts."""
    accuracy_mode: Accuracy = "standard"
    """`accurate` adds a verifier to several agents."""
    verifier_check: bool = True
    """Whether whoever judges an answer of several agents looks its facts up once more."""
    task_timeout_seconds: int = 300
    """How long one agent task may take."""
    research_engine: Engine = "deep"
    """Who does research: the service that is configured (`deep`), or our own agents (`local`)."""
    memory_enabled: bool = False
    """Whether the agent remembers across conversations."""
    memory_engine: str = ""
    """The Memory Bank: `projects/P/locations/L/reasoningEngines/E`; empty means that there is none."""
    memory_url: str = ""
    """Address of its API up to the version, instead of Google's (the stand-in, a proxy)."""
    operation_budget_tokens: int = 1_000_000
    """Tokens that one operation may use."""
    market_url: str = ""
    """Address of a provider of market data, for agent tasks; empty means that there is none."""
    prices: tuple[str, ...] = (
        "gemini-2.5-flash-lite=0.10/0.40",
        "gemini-2.5-flash=0.30/2.50",
        "gemini-2.5-pro=1.25/10",
    )
    """What models cost: `NAME=IN/OUT`, USD per million tokens; one that is not named costs nothing."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """The settings of this process; NotConfigured names every variable that is missing or unusable."""
        environ = os.environ if environ is None else environ
        values: dict[str, object] = {}
        problems: list[str] = []
        for spec in fields(cls):
            variable = f"MEMEX_{spec.name.upper()}"
            raw = environ.get(variable)
            if raw is None or raw == "":
                if spec.name in REQUIRED:
                    problems.append(f"{variable} is not set")
                continue
            try:
                values[spec.name] = _parse(spec.type, raw)
            except ValueError as error:
                problems.append(f"{variable}: {error}")
        if problems:
            raise NotConfigured("; ".join(problems), next="Set these variables and start again.")
        if values.get("agent_graph_enabled"):
            values.setdefault("agent_mode", "multi")
        return cls(**values)  # type: ignore[arg-type]  # each value was parsed by its field's type

    def __post_init__(self) -> None:
        for name, low, high in BOUNDS:
            value = getattr(self, name)
            if not low <= value <= high:  # not a number is in no range either
                raise NotConfigured(f"MEMEX_{name.upper()} is {value}; it may be {low} to {high}")
        for name, choices in CHOICES:
            if getattr(self, name) not in choices:
                raise NotConfigured(f"MEMEX_{name.upper()} may be {' or '.join(choices)}")
        for entry in self.prices:
            if not is_price(entry):
                raise NotConfigured(f"MEMEX_PRICES: {entry} is no price; write NAME=IN/OUT, USD per million tokens")
        if not is_time_zone(self.time_zone):
            raise NotConfigured("MEMEX_TIME_ZONE is no time zone; it may be UTC, or a name such as Europe/Berlin")

    @property
    def research_service(self) -> ResearchService:
        """Which service does research with what is configured."""
        if self.vertex_project:
            return "vertex"
        return "gemini" if self.gemini_api_key or self.research_url else "none"


REQUIRED = ("project", "region", "device_keys_file")
BOUNDS: tuple[tuple[str, float, float], ...] = (
    ("research_minutes", 1, 120),
    ("first_event_seconds", 0.1, 100),
    ("max_running", 1, 100),
    ("max_retries", 0, 50),
    ("daily_paid_runs", 0, 10_000),
    ("daily_budget_usd", 0, 100_000),
    ("operation_budget_usd", 0, 100_000),
    ("research_cost_usd", 0, 1_000),
    ("context_tokens", 2_048, 2_000_000),
    ("max_iterations", 1, 50),
    ("turn_timeout_seconds", 30, 3_600),
    ("gate_hours", 1, 720),
    ("task_timeout_seconds", 30, 3_600),
    ("operation_budget_tokens", 1_000, 1_000_000_000),
)
CHOICES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("agent_mode", get_args(AgentMode)),
    ("accuracy_mode", get_args(Accuracy)),
    ("research_engine", get_args(Engine)),
)
_PRICE = re.compile(r"\s*[^\s=]+\s*=\s*\d+(\.\d+)?\s*/\s*\d+(\.\d+)?\s*")
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


_NO_PLACES = ("Factory", "localtime", "posixrules")
"""Files beside the time zones: whose clock they tell differs from machine to machine. `right/` counts leap seconds."""


def is_price(entry: str) -> bool:
    """Whether this is `NAME=IN/OUT` with two plain numbers."""
    return _PRICE.fullmatch(entry) is not None


def is_time_zone(name: str) -> bool:
    """Whether this names a time zone. UTC is one even where the system has no list of them."""
    if name == "UTC":
        return True
    if name in _NO_PLACES or name.startswith(("posix/", "right/")):
        return False
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (OSError, ValueError, LookupError):  # no such file or a folder, no path that may be one, no such zone
        return False
    return True


def _parse(kind: object, raw: str) -> object:
    if kind is bool:
        if raw.lower() in _TRUE:
            return True
        if raw.lower() in _FALSE:
            return False
        raise ValueError("expected true or false")
    if kind is int:
        return int(raw)
    if kind is float:
        return float(raw)
    if kind == tuple[str, ...]:
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    return raw
