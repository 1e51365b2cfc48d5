from typing import get_args

import pytest
from pydantic import ValidationError

from shared.agent_task.kind import AGENT_TASK
from shared.gateway.classes import CLASSES
from shared.models.approval import Action
from shared.tools.catalog import applied, built_in, for_tasks

OF_OTHERS = {"search_notes", "get_note", "list_recent_notes", "list_tasks", "web_search", "http_fetch"}


EVERY = {**applied(), **for_tasks("because")}


def test_the_catalog_and_the_table_of_classes_name_the_same_tools() -> None:
    assert set(EVERY) == set(CLASSES)
    for roster in (built_in(), applied(), for_tasks("because")):
        assert all(name == tool.name for name, tool in roster.items())


def test_an_agent_task_has_the_tools_that_its_kind_lists_and_changes_nothing_with_them() -> None:
    tasks = for_tasks("because")
    assert set(tasks) == AGENT_TASK.tools
    writes = {name for name in tasks if CLASSES[name] in ("write", "destructive")}
    assert writes == {"create_note", "create_thesis", "add_evidence"}
    for name in writes:
        assert tasks[name].run is not applied()[name].run
        assert tasks[name].arguments is applied()[name].arguments
        assert set(tasks[name].answer.model_fields) == {"queued_for_approval", "message"}  # type: ignore[union-attr]


def test_whatever_can_be_proposed_can_be_applied() -> None:
    (union, _) = get_args(Action)
    proposable = {get_args(action.model_fields["tool"].annotation)[0] for action in get_args(union)}
    assert proposable <= set(applied())


def test_a_tool_that_shows_stored_text_says_so() -> None:
    assert {name for name, tool in built_in().items() if tool.outside} == OF_OTHERS
    more = {"search_research", "fetch_market_data"}
    assert {name for name, tool in for_tasks("because").items() if tool.outside} <= OF_OTHERS | more
    assert all(for_tasks("because")[name].outside for name in more)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_a_tool_has_closed_arguments_a_short_description_and_a_checked_answer(name: str) -> None:
    tool = EVERY[name]
    with pytest.raises(ValidationError):
        tool.arguments.model_validate({"unheard_of": 1})
    assert tool.arguments.model_json_schema()["additionalProperties"] is False
    assert 10 < len(tool.description) <= 200
    assert tool.answer is not None


def test_only_research_has_a_price() -> None:
    assert [name for name, tool in built_in().items() if tool.price] == ["start_research"]
