"""Workflow executions: the port, and its client of Google's service. It knows nothing of operations."""

import json
from typing import TYPE_CHECKING, Literal, Protocol

from shared.errors import Unreachable, Upstream, UpstreamTimeout

if TYPE_CHECKING:
    from google.cloud.workflows.executions_v1 import ExecutionsAsyncClient

ExecutionState = Literal["ACTIVE", "SUCCEEDED", "FAILED", "CANCELLED", "UNAVAILABLE", "QUEUED"]
ALIVE: tuple[ExecutionState, ...] = ("ACTIVE", "QUEUED")
CALL_SECONDS = 20.0


class Executions(Protocol):
    """Where workflows run. Implementations raise Upstream and its kinds."""

    def name(self, workflow: str, execution_id: str) -> str:
        """`projects/P/locations/L/workflows/W/executions/E`."""
        ...

    async def create(self, workflow: str, argument: dict[str, str]) -> str:
        """Start one execution; its full name. Nothing prevents a second one: the caller must bear it."""
        ...

    async def state(self, name: str) -> ExecutionState | None:
        """The execution's state, None where there is no such execution."""
        ...

    async def cancel(self, name: str) -> None:
        """Ask it to stop; one that has ended, or is unknown, is fine."""
        ...


class WorkflowExecutions:
    """Executions in Cloud Workflows, or in anything that serves its gRPC API at `endpoint` without TLS."""

    def __init__(self, project: str, location: str, *, endpoint: str = "") -> None:
        self._parent = f"projects/{project}/locations/{location}/workflows"
        self._endpoint = endpoint
        self._client: ExecutionsAsyncClient | None = None

    def name(self, workflow: str, execution_id: str) -> str:
        """Full name of an execution."""
        return f"{self._parent}/{workflow}/executions/{execution_id}"

    async def create(self, workflow: str, argument: dict[str, str]) -> str:
        """Start one execution."""
        from google.api_core.exceptions import GoogleAPICallError, RetryError
        from google.auth.exceptions import GoogleAuthError
        from google.cloud.workflows.executions_v1 import Execution

        try:
            made = await self._executions().create_execution(
                parent=f"{self._parent}/{workflow}",
                execution=Execution(argument=json.dumps(argument)),
                timeout=CALL_SECONDS,
            )
        except (GoogleAPICallError, RetryError, GoogleAuthError) as error:
            raise _translated(error) from None
        return str(made.name)

    async def state(self, name: str) -> ExecutionState | None:
        """The execution's state."""
        from google.api_core.exceptions import GoogleAPICallError, NotFound, RetryError
        from google.auth.exceptions import GoogleAuthError

        try:
            found = await self._executions().get_execution(name=name, timeout=CALL_SECONDS)
        except NotFound:
            return None
        except (GoogleAPICallError, RetryError, GoogleAuthError) as error:
            raise _translated(error) from None
        state: ExecutionState = found.state.name
        return state

    async def cancel(self, name: str) -> None:
        """Ask it to stop."""
        from google.api_core.exceptions import FailedPrecondition, GoogleAPICallError, NotFound, RetryError
        from google.auth.exceptions import GoogleAuthError

        try:
            await self._executions().cancel_execution(name=name, timeout=CALL_SECONDS)
        except (NotFound, FailedPrecondition):
            return
        except (GoogleAPICallError, RetryError, GoogleAuthError) as error:
            raise _translated(error) from None

    async def close(self) -> None:
        """Close the channel."""
        if self._client is not None:
            await self._client.transport.close()  # type: ignore[no-untyped-call]  # the library has no types here
            self._client = None

    def _executions(self) -> "ExecutionsAsyncClient":
        if self._client is None:
            from google.cloud.workflows.executions_v1 import ExecutionsAsyncClient

            if self._endpoint:
                import grpc.aio
                from google.cloud.workflows.executions_v1.services.executions.transports import (
                    ExecutionsGrpcAsyncIOTransport,
                )

                # An address with api_endpoint alone would still get TLS.
                channel = grpc.aio.insecure_channel(self._endpoint)
                self._client = ExecutionsAsyncClient(transport=ExecutionsGrpcAsyncIOTransport(channel=channel))
            else:
                self._client = ExecutionsAsyncClient()
        return self._client


def _translated(error: Exception) -> Upstream:
    from google.api_core.exceptions import DeadlineExceeded, GoogleAPICallError, ServiceUnavailable

    if isinstance(error, ServiceUnavailable):
        return Unreachable("Cloud Workflows can't be reached.", next="It is tried again by itself.")
    if isinstance(error, DeadlineExceeded):
        return UpstreamTimeout("Cloud Workflows did not answer in time.", next="It is tried again by itself.")
    status = int(error.code or 0) if isinstance(error, GoogleAPICallError) else 0
    return Upstream(
        f"Cloud Workflows refused ({type(error).__name__}).",
        next="Check that the workflow is deployed and that this function may invoke it.",
        upstream_status=status,
    )
