"""The agents of the graph as a person sets them up: their prompts, and which tools the researcher has. No ADK here."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from shared.errors import Unprocessable
from shared.models.base import JsonDict, Model, moment, rfc3339
from shared.store.documents import Document, Documents, Expect, Write
from shared.store.records import until_settled

AGENTS: dict[str, str] = {
    "planner": "Sets out one to three steps, and says where to look first.",
    "researcher": "Carries the plan out, with tools, and writes the draft.",
    "critic": "Reviews the draft; sends it back once where it has to be.",
    "verifier": "Where accuracy is set to accurate: gives a verdict on the draft, in a fixed form.",
}
"""Name, and what the agent does."""
WITH_TOOLS = "researcher"
MAX_PROMPT = 8_000
_PROMPTS = Path(__file__).parent / "agent" / "nodes"
ToolName = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.-]+$")]


class AgentChoice(Model):
    """What a person chose for one agent; an empty prompt, or none, is the default one."""

    name: str = Field(max_length=100)
    prompt: str | None = Field(default=None, max_length=MAX_PROMPT)
    disabled_tools: list[ToolName] | None = Field(default=None, max_length=200)
    """Tools that the researcher does without; other agents have none."""


class AgentChoices(Model):
    """Choices for some of the agents; those that are not named stay as they are."""

    agents: list[AgentChoice] = Field(max_length=len(AGENTS))

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [one.name for one in self.agents]
        if len(set(names)) != len(names):
            raise ValueError("each agent may be named once")
        return self

    def of(self, name: str) -> AgentChoice | None:
        """What was chosen for this agent."""
        return next((one for one in self.agents if one.name == name), None)

    def disabled_tools(self) -> frozenset[str]:
        """The tools that the researcher does without."""
        found = self.of(WITH_TOOLS)
        return frozenset(found.disabled_tools or () if found else ())


@cache
def default_prompt(name: str) -> str:
    """What an agent is told where nobody chose otherwise."""
    return (_PROMPTS / f"{name}.md").read_text().strip()


def prompts_of(saved: AgentChoices) -> dict[str, str]:
    """What each agent is told, and what a judge is told that checks claims."""
    chosen = {one.name: one.prompt for one in saved.agents if one.prompt}
    return {name: chosen.get(name) or default_prompt(name) for name in (*AGENTS, "check")}


async def read(documents: Documents, tenant: str) -> AgentChoices:
    """What this tenant chose."""
    return _parsed(await documents.get(_path(tenant)))


async def save(documents: Documents, tenant: str, wanted: AgentChoices, now: float) -> AgentChoices:
    """Change what is named; Unprocessable where there is no such agent, or where one without tools is given some."""
    _check(wanted.agents)

    async def attempt() -> AgentChoices:
        document = await documents.get(_path(tenant))
        before = _parsed(document)
        merged = [_merged(before.of(name), wanted.of(name), name) for name in AGENTS]
        after = AgentChoices(agents=[one for one in merged if one.prompt or one.disabled_tools])
        if after != before:
            await documents.commit([_write(tenant, document, after, now)])
        return after

    return await until_settled(attempt)


def _check(wanted: Sequence[AgentChoice]) -> None:
    for one in wanted:
        if one.name not in AGENTS:
            raise Unprocessable("agents: there is no agent of one of these names", code="unknown_agent", next=_NAMES)
        if one.disabled_tools and one.name != WITH_TOOLS:
            raise Unprocessable(
                f"agents: the {one.name} has no tools", code="no_tools", next="Give disabled_tools to the researcher."
            )


_NAMES = f"Name one of {', '.join(AGENTS)}."


def _merged(before: AgentChoice | None, wanted: AgentChoice | None, name: str) -> AgentChoice:
    kept = before or AgentChoice(name=name)
    if wanted is None:
        return kept
    given = wanted.model_fields_set
    prompt = (wanted.prompt or "").strip() or None
    if prompt == default_prompt(name):
        prompt = None
    return AgentChoice(
        name=name,
        prompt=prompt if "prompt" in given else kept.prompt,
        disabled_tools=sorted(set(wanted.disabled_tools or ())) or None
        if "disabled_tools" in given
        else kept.disabled_tools,
    )


def _path(tenant: str) -> str:
    return f"tenants/{tenant}/settings/agents"


def _parsed(document: Document | None) -> AgentChoices:
    if document is None:
        return AgentChoices(agents=[])
    return AgentChoices.model_validate({"agents": document.data["agents"]})


def _write(tenant: str, document: Document | None, choices: AgentChoices, now: float) -> Write:
    at = rfc3339(moment(now))
    agents = choices.model_dump(mode="json", exclude_none=True)["agents"]
    data: JsonDict = {"agents": agents, "created_at": at, "updated_at": at, "revision": 1}
    if document:
        data |= {"created_at": document.data["created_at"], "revision": int(str(document.data["revision"])) + 1}
    return Write(_path(tenant), data, document.version if document else Expect.ABSENT)
