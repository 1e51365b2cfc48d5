"""What can go wrong, by who must act on it.

LoadError          the definition is wrong: its author corrects it before it runs
Raised             a step failed: the workflow's own `except` may catch it
ApiError           a request is wrong: its caller is told (status and code as Google's APIs have them)
  NotFound         404
  InvalidArgument  400
  Precondition     400
  Unimplemented    501
"""

from dataclasses import dataclass
from typing import ClassVar

from infra.local.workflow.values import Value


class LoadError(Exception):
    """A definition that can't run: names the workflow, the step's path and what is wrong."""

    def __init__(self, workflow: str, path: str, problem: str, *, line: int = 0) -> None:
        where = f"{workflow}:{line}" if line else workflow
        super().__init__(f"{where}: {path}: {problem}" if path else f"{where}: {problem}")
        self.workflow = workflow
        self.path = path
        self.problem = problem
        self.line = line


@dataclass(frozen=True)
class Place:
    """One line of a stack trace."""

    routine: str
    step: str
    line: int


class Raised(Exception):
    """An error inside a running workflow, with the value that `except` sees."""

    def __init__(self, value: Value, *, fatal: bool = False) -> None:
        super().__init__(message_of(value))
        self.value = value
        self.fatal = fatal
        """No `except` may catch it: the execution is out of steps."""
        self.trace: tuple[Place, ...] = ()

    @classmethod
    def tagged(cls, tag: str, message: str, *, fatal: bool = False) -> "Raised":
        """Build the error map that the service raises itself."""
        return cls({"message": message, "tags": [tag]}, fatal=fatal)


def message_of(value: Value) -> str:
    """Say in one line what an error value is about."""
    if isinstance(value, dict) and isinstance(message := value.get("message"), str):
        return message
    return value if isinstance(value, str) else "error raised"


class ApiError(Exception):
    """A request that can't be served."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "INTERNAL"


class NotFound(ApiError):
    """No such workflow, execution or step entry."""

    status = 404
    code = "NOT_FOUND"


class InvalidArgument(ApiError):
    """The request itself is malformed or too large."""

    status = 400
    code = "INVALID_ARGUMENT"


class Precondition(ApiError):
    """The execution is in no state for this."""

    status = 400
    code = "FAILED_PRECONDITION"


class Unimplemented(ApiError):
    """The service can do this; the local engine can't."""

    status = 501
    code = "UNIMPLEMENTED"
