"""The tools that the chat has, and which of them ask first."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from shared import services
from shared.gateway.classes import Class
from shared.gateway.policy import Policy, asks, class_of
from shared.http import Person
from shared.models.base import Model
from shared.preferences import preferences

router = APIRouter(prefix="/api/v1/tools")


class ToolEntry(Model):
    """A tool: what it does, what it touches, and whether each of its calls asks a person first."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    name: str
    class_: Annotated[Class, Field(alias="class")]
    description: str
    asks: bool


class ToolsAnswer(Model):
    """All tools."""

    tools: list[ToolEntry]


@router.get("")
async def page(person: Person) -> ToolsAnswer:
    """The built-in tools, in the order in which a model sees them."""
    # What tools need is loaded by whoever asks for them, not by every start of this function.
    from shared.tools.catalog import built_in

    current = services.current()
    mine = await preferences(current.documents, current.settings, person.tenant)
    policy = Policy(
        tools=None,
        approve_tools=mine.approve_tools,
        egress_enabled=mine.egress_enabled,
        allowed_hosts=mine.allowed_hosts,
        budget_left=None,
    )
    return ToolsAnswer(
        tools=[
            ToolEntry(name=name, class_=class_of(name), description=tool.description, asks=asks(policy, name))
            for name, tool in built_in().items()
        ]
    )
