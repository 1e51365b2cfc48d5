"""functions/agent, served as in the cloud: whom it lets in, and what it answers the workflow."""

import pytest

from infra.local.services import LocalServices
from shared.models.base import JsonDict
from shared.models.operation import AgentInput
from shared.operations.start import start
from tests.functions.conftest import Serve
from tests.functions.test_private import captured, token

WALL = "Pears grow flat against a sunny wall when they are tied to wires every spring."


async def submitted(product: LocalServices) -> str:
    asked = AgentInput(question="How do pears grow flat against a wall?")
    return (await start(product, "default", "agent_task", asked)).id


def body(operation_id: str, execution_id: str = "e") -> JsonDict:
    return {"tenant": "default", "operation_id": operation_id, "execution_id": execution_id}


@pytest.mark.parametrize("path", ["/", "/step", "/fail"])
def test_only_the_workflow_is_let_in(serve: Serve, product: LocalServices, path: str) -> None:
    with serve("agent", key=None) as client:
        for header in (None, "Bearer test-key", f"Bearer {product.identity.sign('http://elsewhere.memex.internal')}"):
            answer = client.post(path, headers={"Authorization": header} if header else {}, json=body("0" * 26))
            assert answer.status_code in (401, 403)


async def test_a_step_of_work_that_waits_for_a_slot_is_superseded(serve: Serve, product: LocalServices) -> None:
    await captured(product, WALL)
    operation_id = await submitted(product)
    with serve("agent", key=None) as client:
        answer = client.post("/step", headers=token(product, "agent"), json=body(operation_id))
        assert answer.json() == {"status": "superseded", "wait_seconds": 0}
        assert client.post("/fail", headers=token(product, "agent"), json=body(operation_id)).json()["status"] == (
            "superseded"
        )


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 422),
        ({"tenant": "default", "operation_id": "x", "execution_id": "e", "text": "y"}, 422),
        ({"tenant": "default", "operation_id": "../x", "execution_id": "e"}, 404),
        ({"tenant": "nobody", "operation_id": "0" * 26, "execution_id": "e"}, 404),
    ],
)
def test_what_is_no_step_is_refused(serve: Serve, product: LocalServices, sent: JsonDict, status: int) -> None:
    with serve("agent", key=None) as client:
        for path in ("/step", "/fail"):
            assert client.post(path, headers=token(product, "agent"), json=sent).status_code == status


async def test_another_tenants_operation_is_not_found(serve: Serve, product: LocalServices) -> None:
    operation_id = await submitted(product)
    with serve("agent", key=None) as client:
        sent = {**body(operation_id), "tenant": "other"}
        answer = client.post("/step", headers=token(product, "agent"), json=sent)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "operation_not_found")
