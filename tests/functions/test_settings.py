"""Settings and tools over HTTP."""

from dataclasses import replace
from typing import Any

import pytest

from infra.local.services import LocalServices
from shared.capture import Capture, capture
from shared.errors import TooMany
from shared.gateway.classes import CLASSES
from shared.operations.dispatch import dispatch
from shared.preferences import Choices, choose
from shared.research import claim
from shared.store.operations import Operations
from shared.tools.catalog import built_in
from tests.functions.conftest import Serve

SETTINGS = "/api/v1/settings"


def test_settings_are_read_changed_and_taken_back(serve: Serve) -> None:
    with serve("api") as client:
        before = client.get(SETTINGS).json()
        assert before.keys() == {"settings", "overrides", "defaults"}
        assert (before["overrides"], before["settings"]) == ([], before["defaults"])
        changed = client.put(SETTINGS, json={"think": True, "allowed_hosts": ["*.example.org"]}).json()
        assert changed["overrides"] == ["think", "allowed_hosts"]
        assert changed["settings"] == {**before["settings"], "think": True, "allowed_hosts": ["*.example.org"]}
        assert client.get(SETTINGS).json() == changed
        assert client.put(SETTINGS, json={"think": None, "allowed_hosts": None}).json() == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"thinking": True}, "thinking"),
        ({"think": "hunter2-secret"}, "think"),
        ({"allowed_hosts": ["https://hunter2-secret.test/"]}, "allowed_hosts"),
        ({"daily_budget_usd": 10.01}, "daily_budget_usd"),
        ({"time_zone": "hunter2-secret"}, "time_zone"),
    ],
)
def test_what_can_not_be_chosen_is_422_and_changes_nothing(serve: Serve, body: dict[str, Any], field: str) -> None:
    with serve("api") as client:
        before = client.get(SETTINGS).json()
        answer = client.put(SETTINGS, json={"human_gate": True, **body})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith(field)
        assert answer.json()["error"]["next"]
        assert "hunter2" not in answer.text
        assert client.get(SETTINGS).json() == before


def test_tools_are_listed_with_their_class_and_whether_they_ask(serve: Serve) -> None:
    with serve("api") as client:
        tools = {tool["name"]: tool for tool in client.get("/api/v1/tools").json()["tools"]}
        # The table knows the tools of agent tasks, too.
        assert {name: tool["class"] for name, tool in tools.items()} == {name: CLASSES[name] for name in built_in()}
        assert [name for name, tool in tools.items() if tool["asks"]] == ["delete_note"]
        assert all(tool["description"] for tool in tools.values())
        client.put(SETTINGS, json={"approve_tools": False})
        careful = client.get("/api/v1/tools").json()["tools"]
        assert {tool["name"] for tool in careful if tool["asks"]} == {
            name for name in built_in() if CLASSES[name] in ("external", "destructive")
        }


async def test_a_tenants_own_limits_hold_for_research(product: LocalServices) -> None:
    product.settings = replace(product.settings, research_paid=True)

    async def note(text: str) -> str:
        return (await capture(product.documents, "t", Capture(text=text), product.now())).note.id

    async def limit(**wanted: Any) -> None:
        await choose(product.documents, product.settings, "t", Choices.model_validate(wanted), product.now())

    await limit(daily_budget_usd=4.0)
    await claim.request(product, "t", await note("a"))
    with pytest.raises(TooMany, match=r"the limit for one day is 4\.00"):
        await claim.request(product, "t", await note("b"))
    await limit(daily_budget_usd=None, daily_paid_runs=1)
    with pytest.raises(TooMany) as caught:
        await claim.request(product, "t", await note("b"))
    assert caught.value.code == "daily_runs_reached"
    await limit(daily_paid_runs=None)
    await claim.request(product, "t", await note("b"))


async def test_a_tenants_own_number_of_slots_holds(product: LocalServices) -> None:
    for text in "abc":
        note = (await capture(product.documents, "t", Capture(text=text), product.now())).note.id
        await claim.request(product, "t", note)
    wanted = Choices(max_running=1)
    await choose(product.documents, product.settings, "t", wanted, product.now())
    await dispatch(product, "t")
    assert len((await Operations(product.documents, "t").slots()).holders) == 1
