from itertools import product
from typing import get_args

import pytest

from shared.models.base import moment
from shared.models.ids import ulid
from shared.models.operation import ACTIVE, TERMINAL, TRANSITIONS, Failure, Operation, ResearchInput, Status
from shared.operations.transition import Change, IllegalTransition

STATES: tuple[Status, ...] = get_args(Status)
WANTED = {
    ("created", "queued"),
    ("queued", "running"),
    ("running", "waiting_for_input"),
    ("waiting_for_input", "running"),
    ("running", "completed"),
    ("running", "failed"),
    *((state, "cancelled") for state in ("created", "queued", "running", "waiting_for_input")),
}


def operation(status: Status) -> Operation:
    return Operation(
        id=ulid(1),
        created_at=moment(1),
        updated_at=moment(1),
        kind="deep_research",
        status=status,
        input=ResearchInput(note_id=ulid(1), question="q"),
    )


def move(change: Change, status: Status) -> None:
    match status:
        case "queued":
            change.queue()
        case "running":
            change.start(100.0)
        case "completed":
            change.complete({}, partial=None, result_note_id=ulid(2))
        case "failed":
            change.fail(Failure(code="x", message="y"))
        case "cancelled":
            change.cancel()
        case _:
            change._move(status)


@pytest.mark.parametrize(("before", "after"), list(product(STATES, STATES)))
def test_only_the_transitions_of_the_specification_are_allowed(before: Status, after: Status) -> None:
    change = Change(operation(before), 2.0)
    if (before, after) in WANTED:
        move(change, after)
        assert change.operation.status == after
    else:
        with pytest.raises(IllegalTransition):
            move(change, after)


def test_the_table_is_complete() -> None:
    assert set(TRANSITIONS) == set(STATES)
    assert {*ACTIVE, *TERMINAL} == set(STATES)
    assert all(not TRANSITIONS[state] for state in TERMINAL)


@pytest.mark.parametrize("state", TERMINAL)
def test_an_operation_that_ended_says_nothing_more(state: Status) -> None:
    change = Change(operation(state), 2.0)
    with pytest.raises(IllegalTransition):
        change.progress(50, "still there")
    assert change.events == []


def test_events_are_numbered_without_a_gap_and_end_once() -> None:
    change = Change(operation("created"), 2.0)
    change.queue()
    change.start(100.0)
    change.progress(10, "looking")
    change.progress(10, "looking")
    change.progress(5, "looking back")
    change.complete({"summary": "s"}, partial=None, result_note_id=ulid(2))
    assert [event.seq for event in change.events] == list(range(1, 6))
    assert change.operation.events == 5
    assert [event.event for event in change.events][-1] == "task.completed"
    assert change.operation.progress.percent == 100
