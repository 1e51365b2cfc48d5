import pytest

from infra.local.command.answers import Json
from infra.local.command.deeds import came, did, doing, sentence
from shared.tools.catalog import applied, for_tasks


@pytest.mark.parametrize(
    ("tool", "arguments", "now", "done"),
    [
        ("search_notes", {"query": "pears"}, "searching your notes for “pears”", "searched your notes for “pears”"),
        ("create_tasks", {"tasks": [{"title": "Call Y"}]}, "adding the task “Call Y”", "added the task “Call Y”"),
        ("create_tasks", {"tasks": [{"title": "A"}, {"title": "B"}]}, "adding 2 tasks: “A”, “B”", None),
        ("create_note", {"text": "Long\nwords"}, "writing the note “Long words”", None),
        ("update_note", {"changes": {"title": "a", "add_tags": []}}, "changing the title and the tags of a note", None),
        ("update_note", {}, "changing a note", None),
        ("http_fetch", {"url": "https://www.example.org/a/"}, "reading example.org/a", "read example.org/a"),
        (
            "queue_approval",
            {"action": {"tool": "delete_note"}},
            "asking for your approval of moving a note to the bin",
            None,
        ),
        ("current_time", {}, "looking at the clock", "looked at the clock"),
        ("mcp_x_y", {"a": 1}, 'using mcp_x_y: {"a": 1}', 'used mcp_x_y: {"a": 1}'),
        ("search_notes", {"query": 7}, "searching your notes", None),
    ],
)
def test_a_call_in_words(tool: str, arguments: Json, now: str, done: str | None) -> None:
    assert doing(tool, arguments) == now
    assert done is None or did(tool, arguments) == done


@pytest.mark.parametrize(
    ("tool", "result", "told"),
    [
        ("search_notes", {"notes": [{}, {}, {}]}, "3 found"),
        ("search_notes", {"notes": []}, "nothing found"),
        ("search_notes", {}, ""),
        ("calculator", {"result": "42"}, "it is 42"),
        ("get_note", {"note": {"title": "Pears"}}, "“Pears”"),
        ("create_note", {"note": {}}, ""),
    ],
)
def test_what_came_of_it(tool: str, result: Json, told: str) -> None:
    assert came(tool, result) == told


def test_every_tool_of_ours_has_words() -> None:
    for name in {*applied(), *for_tasks("")}:
        assert name not in doing(name, {}), name
        assert sentence(did(name, {}))[0].isupper()
