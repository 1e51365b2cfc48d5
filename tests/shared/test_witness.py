"""Which notes bear witness: the one rule of research, tasks, digests and search."""

from typing import Any

import pytest

from shared.models.base import moment
from shared.models.note import Note
from shared.witness import asks, is_own, may_be_a_source, reports


@pytest.mark.parametrize(
    ("fields", "witness"),
    [
        ({}, True),
        ({"kind": "link"}, True),
        ({"kind": "thesis"}, True),
        ({"tags": ["garden", "researcher"]}, True),
        ({"kind": "research"}, False),
        ({"kind": "digest"}, False),
        ({"kind": "review"}, False),
        ({"tags": ["garden", "research"]}, False),
        ({"tags": ["research-report"]}, False),
        ({"body": " \n"}, False),
        ({"deleted_at": moment(1)}, False),
    ],
)
def test_what_a_person_kept_may_be_a_source(fields: dict[str, Any], witness: bool) -> None:
    assert may_be_a_source(note(**fields)) is witness


def test_a_report_that_was_imported_again_is_a_report_and_no_question() -> None:
    again = note(tags=["research", "research-report"])
    assert (reports(again), asks(again), is_own(again)) == (True, False, False)


def note(**fields: Any) -> Note:
    made: dict[str, Any] = {"id": "0" * 26, "created_at": moment(0), "updated_at": moment(0), "kind": "capture"}
    return Note(**made | {"body": "Pears ripen early."} | fields)
