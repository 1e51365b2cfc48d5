"""The agents of the graph: who there is, what each is told by default, and what the tenant chose instead."""

from fastapi import APIRouter

from shared import services
from shared.agents import AGENTS, WITH_TOOLS, AgentChoices, default_prompt, read, save
from shared.http import Person
from shared.models.base import Model

router = APIRouter(prefix="/api/v1/agents/config")


class AgentEntry(Model):
    """One agent: what it does, what it is told by default, and what the tenant chose (null, where nothing)."""

    name: str
    does: str
    default_prompt: str
    prompt: str | None
    has_tools: bool
    disabled_tools: list[str]


class AgentsAnswer(Model):
    """All agents, in the order in which they work."""

    agents: list[AgentEntry]


@router.get("")
async def config(person: Person) -> AgentsAnswer:
    """The roster."""
    return _told(await read(services.current().documents, person.tenant))


@router.put("")
async def choose(wanted: AgentChoices, person: Person) -> AgentsAnswer:
    """Change the agents that are named; an empty prompt goes back to the default one."""
    current = services.current()
    return _told(await save(current.documents, person.tenant, wanted, current.now()))


def _told(saved: AgentChoices) -> AgentsAnswer:
    found = []
    for name, does in AGENTS.items():
        choice = saved.of(name)
        found.append(
            AgentEntry(
                name=name,
                does=does,
                default_prompt=default_prompt(name),
                prompt=choice.prompt if choice else None,
                has_tools=name == WITH_TOOLS,
                disabled_tools=list(choice.disabled_tools or ()) if choice else [],
            )
        )
    return AgentsAnswer(agents=found)
