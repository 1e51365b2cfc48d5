"""What the entries of a review or a digest are."""

import pytest

from shared.routines.write import entries


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("## Captured\n\n- A [note](#/notes/x)\n- B", 2),
        ("- A\n- And 54 more.", 1),
        ("- A\n- Und 3 weitere.\n\nAnd 2 older notes.", 1),
        ("- And more of the same.", 1),
    ],
)
def test_what_was_left_out_is_no_entry(text: str, count: int) -> None:
    assert entries(text) == count
