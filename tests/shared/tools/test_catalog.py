import pytest
from pydantic import ValidationError

from shared.gateway.classes import CLASSES
from shared.tools.catalog import built_in

OF_OTHERS = {"search_notes", "get_note", "list_recent_notes", "list_tasks", "web_search", "http_fetch"}


def test_the_catalog_and_the_table_of_classes_name_the_same_tools() -> None:
    assert set(built_in()) == set(CLASSES)
    assert all(name == tool.name for name, tool in built_in().items())


def test_a_tool_that_shows_stored_text_says_so() -> None:
    assert {name for name, tool in built_in().items() if tool.outside} == OF_OTHERS


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_a_tool_has_closed_arguments_a_short_description_and_a_checked_answer(name: str) -> None:
    tool = built_in()[name]
    with pytest.raises(ValidationError):
        tool.arguments.model_validate({"unheard_of": 1})
    assert tool.arguments.model_json_schema()["additionalProperties"] is False
    assert 10 < len(tool.description) <= 200
    assert tool.answer is not None


def test_only_research_has_a_price() -> None:
    assert [name for name, tool in built_in().items() if tool.price] == ["start_research"]
