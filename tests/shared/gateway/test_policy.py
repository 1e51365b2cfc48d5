"""The rules as tables: classes, egress, and when a person is asked."""

import math

import pytest

from shared.gateway.classes import CLASSES, Class
from shared.gateway.policy import Policy, asks, beyond, class_of, closed, outward, reasons
from shared.models.base import JsonDict
from shared.tools.catalog import built_in, for_tasks


def policy(**changed: object) -> Policy:
    values = {"tools": None, "approve_tools": True, "egress_enabled": True, "allowed_hosts": (), "budget_left": None}
    return Policy(**{**values, **changed})  # type: ignore[arg-type]  # each as the field says


def test_every_tool_has_a_class_and_every_class_a_tool() -> None:
    assert CLASSES.keys() == built_in().keys() | for_tasks("because").keys()


def test_what_an_mcp_server_offers_is_external_whatever_it_says() -> None:
    assert class_of("mcp_files_read_only") == "external"


@pytest.mark.parametrize("name", ["unknown", "", "mcp", "MCP_x", "search_notes ", "my_mcp_tool"])
def test_a_tool_without_a_class_is_an_error(name: str) -> None:
    with pytest.raises(LookupError, match=r"classes\.py"):
        class_of(name)


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("approve", [False, True])
@pytest.mark.parametrize(("price", "left"), [(None, None), (0.0, 0.0), (3.0, 3.0), (3.01, 3.0)])
@pytest.mark.parametrize("kind", ["read", "write", "external", "destructive"])
def test_who_asks(kind: Class, outside: bool, approve: bool, price: float | None, left: float | None) -> None:
    too_much = price == 3.01
    found = reasons(policy(approve_tools=approve), kind, outside=outside, price=price, left=left)
    match kind:
        case "destructive":
            assert len(found) == 1
        case "external":
            assert len(found) == (not approve) + outside + too_much
        case _:
            assert not found


@pytest.mark.parametrize(
    ("tool", "price", "told"),
    [
        ("start_research", 0.0, "It starts research, which costs nothing, and "),
        ("start_research", 3.0, "It starts research, and "),
        ("http_fetch", None, "It reaches outside, and "),
        ("mcp_a_b", None, "It reaches outside, and "),
        ("", 0.0, "It sets off work beyond this conversation, which costs nothing, and "),
        ("", 3.0, "It reaches outside or costs money, and "),
    ],
)
def test_the_reason_says_what_the_tool_does(tool: str, price: float | None, told: str) -> None:
    chosen, strange = reasons(policy(approve_tools=False), "external", outside=True, price=price, tool=tool)
    assert chosen == f"{told}you chose to be asked about that."
    assert strange == f"{told}this conversation has read text that others may have written."


@pytest.mark.parametrize(
    ("price", "left", "answer"),
    [
        (1.0, 1.0, False), (1.0, 0.99, True), (0.0, -5.0, False), (1.0, -5.0, True), (math.nan, 5.0, True),
        (None, 0.0, False), (5.0, None, False), (math.inf, 10.0, True),
    ],
)  # fmt: skip
def test_what_goes_beyond_a_budget(price: float | None, left: float | None, answer: bool) -> None:
    assert beyond(price, left) is answer


def test_only_external_tools_reach_outward() -> None:
    assert {name for name in CLASSES if outward(name)} == {"web_search", "http_fetch"}
    assert all(CLASSES[name] == "external" for name in CLASSES if outward(name))
    assert outward("mcp_x_y")


@pytest.mark.parametrize(
    ("tool", "arguments", "changed", "code"),
    [
        ("search_notes", {"url": "https://evil.test/"}, {"egress_enabled": False}, None),
        ("start_research", {"note_id": "x"}, {"egress_enabled": False}, None),
        ("web_search", {"query": "x"}, {"egress_enabled": False}, "egress_disabled"),
        ("web_search", {"query": "x"}, {}, None),
        ("mcp_a_b", {"url": "https://evil.test/"}, {"egress_enabled": False}, "egress_disabled"),
        ("mcp_a_b", {"url": "https://evil.test/"}, {}, None),
        ("http_fetch", {"url": "https://good.test/"}, {"egress_enabled": False}, "egress_disabled"),
        ("http_fetch", {"url": "https://good.test/"}, {}, None),
        ("http_fetch", {"url": "https://a.good.test/"}, {}, "egress_blocked"),
        ("http_fetch", {"url": "https://evil.test/"}, {}, "egress_blocked"),
        ("http_fetch", {"url": "https://good.test@evil.test/"}, {}, "address_blocked"),
        ("http_fetch", {"url": "http://169.254.169.254/"}, {}, "address_blocked"),
        ("http_fetch", {"url": "http://127.0.0.1/"}, {"allowed_hosts": ("127.0.0.1",)}, "address_blocked"),
        ("http_fetch", {"url": "file:///etc/passwd"}, {}, "address_blocked"),
        ("http_fetch", {"url": "https://good test/"}, {}, "address_invalid"),
    ],
)
def test_where_a_tool_may_reach(tool: str, arguments: JsonDict, changed: JsonDict, code: str | None) -> None:
    found = closed(policy(**{"allowed_hosts": ("good.test",), **changed}), tool, arguments)
    assert (found or {}).get("error") == code
    assert found is None or found.get("next")


def test_what_always_asks_can_be_told_beforehand() -> None:
    assert asks(policy(), "delete_note")
    assert not asks(policy(), "web_search")
    assert asks(policy(approve_tools=False), "web_search")
    assert not asks(policy(approve_tools=False), "create_note")
