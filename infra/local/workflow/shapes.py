"""Executions, steps and workflows in the JSON of Google's REST API. It reads no request.

https://cloud.google.com/workflows/docs/reference/executions/rest
"""

from collections.abc import Mapping
from typing import Any

from infra.local.workflow.errors import ApiError
from infra.local.workflow.records import Deployment, Execution, StepEntry
from infra.local.workflow.timestamps import rfc3339


def execution(record: Execution, *, full: bool) -> dict[str, Any]:
    """Show an execution; without `full` only what a list shows."""
    shape: dict[str, Any] = {
        "name": record.name,
        "createTime": rfc3339(record.created),
        "startTime": rfc3339(record.created),
        "state": record.state,
        "workflowRevisionId": record.revision,
    }
    if record.ended is not None:
        shape["endTime"] = rfc3339(record.ended)
        shape["duration"] = f"{record.ended - record.created:.6f}s"
    if not full:
        return shape
    shape["argument"] = record.argument
    shape["callLogLevel"] = record.call_log_level
    shape["status"] = {"currentSteps": [{"routine": one.routine, "step": one.step} for one in record.positions]}
    if record.labels:
        shape["labels"] = record.labels
    if record.result is not None:
        shape["result"] = record.result
    if record.error is not None:
        elements = [
            {"routine": one.routine, "step": one.step, "position": {"line": str(one.line)}}
            for one in record.error.trace
        ]
        shape["error"] = {
            "payload": record.error.payload,
            "context": record.error.context,
            "stackTrace": {"elements": elements},
        }
    return shape


def step_entry(record: StepEntry, execution_name: str) -> dict[str, Any]:
    """Show a step entry."""
    shape: dict[str, Any] = {
        "name": f"{execution_name}/stepEntries/{record.id}",
        "entryId": str(record.id),
        "routine": record.routine,
        "step": record.step,
        "stepType": record.type,
        "state": record.state,
        "createTime": rfc3339(record.created),
        "updateTime": rfc3339(record.updated),
    }
    if record.parent is not None:
        shape["navigationInfo"] = {"parent": str(record.parent)}
    if record.exception is not None:
        shape["exception"] = {"payload": record.exception}
    return shape


def workflow(record: Deployment, environment: Mapping[str, str], *, full: bool) -> dict[str, Any]:
    """Show a workflow; without `full` without its source."""
    shape: dict[str, Any] = {
        "name": record.name,
        "state": "ACTIVE",
        "revisionId": record.revision,
        "createTime": rfc3339(record.created),
        "updateTime": rfc3339(record.created),
        "revisionCreateTime": rfc3339(record.created),
    }
    if full:
        shape["sourceContents"] = record.source
        shape["userEnvVars"] = dict(environment)
    return shape


def error(problem: ApiError) -> dict[str, Any]:
    """Show an error in Google's envelope."""
    return {"error": {"code": problem.status, "message": str(problem), "status": problem.code}}
