"""The log of an operation: nine kinds of event, numbered without gaps, ending in exactly one terminal event."""

from typing import Annotated, Literal

from pydantic import Field

from shared.models.base import JsonDict, Model, Time


class _Event(Model):
    seq: int = Field(ge=1)
    at: Time
    task_id: str


class Started(_Event):
    """The operation got a slot and runs."""

    event: Literal["task.started"] = "task.started"


class Thinking(_Event):
    """A thought of the agent or the service."""

    event: Literal["task.thinking"] = "task.thinking"
    message: str


class ToolCalled(_Event):
    """A tool is about to run."""

    event: Literal["task.tool_call"] = "task.tool_call"
    tool_name: str
    input: JsonDict


class ToolAnswered(_Event):
    """What the tool answered."""

    event: Literal["task.tool_result"] = "task.tool_result"
    tool_name: str
    output: JsonDict


class Streaming(_Event):
    """A piece of the answer, stored at most once a second."""

    event: Literal["task.streaming"] = "task.streaming"
    chunk: str


class Progressed(_Event):
    """Queued, waiting, going on, or further."""

    event: Literal["task.progress"] = "task.progress"
    percent: int = Field(ge=0, le=100)
    message: str


class Completed(_Event):
    """It ended with a result."""

    event: Literal["task.completed"] = "task.completed"
    output: JsonDict


class Failed(_Event):
    """It ended without one."""

    event: Literal["task.failed"] = "task.failed"
    error_code: str
    error_message: str


class Cancelled(_Event):
    """A person, or a wait that ran out, ended it."""

    event: Literal["task.cancelled"] = "task.cancelled"


OperationEvent = Annotated[
    Started | Thinking | ToolCalled | ToolAnswered | Streaming | Progressed | Completed | Failed | Cancelled,
    Field(discriminator="event"),
]
