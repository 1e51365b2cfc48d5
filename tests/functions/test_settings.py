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
        assert before.keys() == {"settings", "overrides", "defaults", "models"}
        assert (before["overrides"], before["settings"]) == ([], before["defaults"])
        changed = client.put(SETTINGS, json={"think": True, "allowed_hosts": ["*.example.org"]}).json()
        assert changed["overrides"] == ["think", "allowed_hosts"]
        assert changed["settings"] == {**before["settings"], "think": True, "allowed_hosts": ["*.example.org"]}
        assert client.get(SETTINGS).json() == changed
        assert client.put(SETTINGS, json={"think": None, "allowed_hosts": None}).json() == before


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"thinking": True}, "thinking: there is no such setting."),
        ({"think": "hunter2-secret"}, "Think before answering: has to be on or off (true or false)."),
        ({"allowed_hosts": ["https://hunter2-secret.test/"]}, "Allowed hosts: write a host such as example.org"),
        ({"allowed_hosts": ["a.test", 5]}, "Allowed hosts: has to be a text."),
        ({"daily_budget_usd": 10.01}, "Cost of a day: 10.00 USD is the most that this deployment allows."),
        ({"max_iterations": 51}, "Rounds with tools: may be 1 to 50."),
        ({"max_iterations": "x"}, "Rounds with tools: has to be a number."),
        ({"agent_mode": "hunter2"}, "Mode: has to be 'single'"),
        ({"time_zone": "hunter2-secret"}, "Time zone: there is none of that name; write one such as Europe/Berlin"),
        ({"model": "gpt-hunter2"}, "Model: nothing here serves one of that name"),
    ],
)
def test_what_can_not_be_chosen_is_422_and_changes_nothing(serve: Serve, body: dict[str, Any], message: str) -> None:
    with serve("api") as client:
        before = client.get(SETTINGS).json()
        answer = client.put(SETTINGS, json={"human_gate": True, **body})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith(message)
        assert answer.json()["error"]["next"]
        assert "hunter2" not in answer.text
        assert client.get(SETTINGS).json() == before


def test_a_body_that_is_no_json_is_told_as_everywhere(serve: Serve) -> None:
    with serve("api") as client:
        answer = client.put(SETTINGS, content="{", headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_json")


@pytest.mark.parametrize(
    ("set_up", "model", "taken"),
    [
        ({}, "offline", True),
        ({"gemini_api_key": ""}, "gpt-9", False),
        ({"same_origin": True, "gemini_api_key": ""}, "gemini-2.5-pro", False),
        # In the cloud, the key is with those functions alone that use it.
        ({"same_origin": False, "gemini_api_key": ""}, "gemini-2.5-pro", True),
        ({"same_origin": True, "gemini_api_key": "k"}, "gemini-2.5-pro", True),
        ({"same_origin": True, "gemini_api_key": "k"}, "models/gemini-2.5-pro", True),
        ({"gemini_api_key": "k"}, "gpt-9", False),
        ({"openai_url": "http://127.0.0.1:11434"}, "gpt-9", True),
    ],
)
def test_a_model_can_be_chosen_where_something_serves_it(
    serve: Serve, product: LocalServices, set_up: dict[str, Any], model: str, taken: bool
) -> None:
    product.settings = replace(product.settings, **set_up)
    with serve("api") as client:
        answer = client.put(SETTINGS, json={"model": model})
        if taken:
            assert answer.json()["settings"]["model"] == model
        else:
            assert answer.status_code == 422
            told = client.get(SETTINGS).json()
            assert told["overrides"] == [] and "offline" in told["models"]
            assert all(name in answer.json()["error"]["next"] for name in told["models"])
        # Back to the default is always possible.
        assert client.put(SETTINGS, json={"model": None}).status_code == 200


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
