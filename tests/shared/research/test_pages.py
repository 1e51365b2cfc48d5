"""Pages on a run's record: what was read counts, and what a report tells of the rest."""

from itertools import count

import pytest

from shared.agent.model import ToolCall
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.gateway.gateway import Done
from shared.models.activity import Activity
from shared.models.base import JsonDict, moment
from shared.research.pages import drafts, named, nothing, pages, unread

A, B = "https://a.test/x", "https://b.test/y"
READ: JsonDict = {"data": {"url": f"{A}/moved", "title": "A", "text": "Pears.\n[cut: 7 more characters]"}, "mark": "m"}
BLOCKED: JsonDict = {"error": "egress_blocked", "message": "b.test is not among the allowed hosts.", "next": "Allow."}
DOWN: JsonDict = {"error": "page_unavailable", "message": "a.test answered 500"}


def record(*tries: tuple[str, JsonDict | None], evidence: bool = True) -> list[TraceEvent]:
    """The events of these tries; None where a person would have been asked."""
    made: list[dict[str, object]] = []
    for at, (url, result) in enumerate(tries):
        call = ToolCall(f"c{at}", "http_fetch", {"url": url})
        done = None if result is None else Done(result, "data" in result, None, True, _entry())
        made += drafts(call, done)
    if evidence:
        made.append({"type": "evidence", "text": "", "passages": []})
    numbers = count(1)
    return [TRACE_EVENT.validate_python({**one, "seq": next(numbers), "at": moment(0)}) for one in made]


def _entry() -> Activity:
    return Activity(
        id="01arz3ndektsv4rrffq69g5fab",
        at=moment(0),
        subject="me",
        session_id="",
        run_id="",
        call_id="c",
        tool="http_fetch",
        class_="external",
        decision="allowed",
        arguments={},
    )


def test_what_was_read_is_kept_whole_with_where_it_was_in_the_end() -> None:
    (page,) = pages(record((A, READ))).values()
    assert (page.url, page.address, page.title, page.text) == (A, f"{A}/moved", "A", "Pears.")


@pytest.mark.parametrize("tries", [[(A, DOWN), (A, READ)], [(A, READ), (A, DOWN)]])
def test_once_read_it_counts_as_read(tries: list[tuple[str, JsonDict | None]]) -> None:
    assert pages(record(*tries))[A].text == "Pears."
    assert unread([A], record(*tries), reads=True) == []


def test_no_model_is_shown_the_call_as_its_own() -> None:
    from shared.agent.replay import steps

    assert steps(record((A, READ), (B, None))) == ()


CLOSED = "Could not be read: https://b.test/y – b.test is not among the allowed hosts; allow it in Settings, Network,"
ASKS = "Could not be read: https://b.test/y – You would be asked before it is read, and nobody is asked while research"


@pytest.mark.parametrize(
    ("tries", "said"),
    [
        ([(A, READ), (B, BLOCKED)], [f"{CLOSED} and ask again"]),
        ([(A, DOWN), (B, READ)], ["Could not be read: https://a.test/x – a.test answered 500"]),
        ([(A, READ), (B, None)], [f"{ASKS} runs"]),
        ([(A, READ)], ["Could not be read: https://b.test/y – It took too long"]),
        ([(A, {"data": {"text": ""}}), (B, READ)], ["Could not be read: https://a.test/x – There is no text on it"]),
    ],
    ids=["not allowed", "down", "would be asked", "no answer in time", "empty"],
)
def test_a_page_that_was_not_read_is_told_with_its_reason(
    tries: list[tuple[str, JsonDict | None]], said: list[str]
) -> None:
    assert unread([f"{A},", B, f"{B}."], record(*tries), reads=True) == said


def test_where_pages_may_not_be_read_all_are_told_with_what_to_do() -> None:
    (said,) = unread([A, B], record(), reads=False)
    assert said.startswith(f"Not read: {A}, {B} – reading pages is switched off, so nothing here comes from there; ")
    assert "in Settings" in said
    assert nothing([said]).startswith("Nothing was found that answers this. Not read: reading pages is switched off")
    assert A not in nothing([said])


def test_what_was_switched_off_afterwards_was_still_read() -> None:
    assert unread([A], record((A, READ)), reads=False) == []


def test_pages_beyond_the_limit_are_told() -> None:
    urls = [f"https://a.test/{n}" for n in range(5)]
    said = unread(urls, record(*((url, READ) for url in urls[:3])), reads=True)
    assert [one.partition(" – ")[0] for one in said] == ["Not read: https://a.test/3, https://a.test/4"]


def test_a_run_that_looked_for_nothing_yet_tells_of_no_page() -> None:
    assert unread([A], record(evidence=False), reads=True) == []
    assert unread([], record(), reads=False) == []


def test_an_address_loses_what_ends_its_sentence() -> None:
    assert named([f"{A},", A, f"{B}?!"]) == (A, B)
