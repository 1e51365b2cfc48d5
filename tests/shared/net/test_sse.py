"""The event reader, on every way to cut a stream."""

import pytest

from shared.errors import Upstream
from shared.net.sse import MAX_FRAME, EventReader, ServerEvent

STREAM = (
    "\ufeff: ping\n\n"
    'event: created\ndata: {"a":\ndata: 1}\nid: 7\n\n'
    "data: läuft\r\n\r\n"
    "retry: 10\rdata\r\r"
    "event: empty\n\n"
    "data:half"
).encode()


@pytest.mark.parametrize("size", [1, 2, 3, 10, 10_000])
def test_whole_events_come_out_whatever_the_chunks(size: int) -> None:
    reader = EventReader()
    found = [event for at in range(0, len(STREAM), size) for event in reader.feed(STREAM[at : at + size])]
    assert [(event.name, event.data) for event in found] == [
        ("created", '{"a":\n1}'),
        ("message", "läuft"),
        ("message", ""),
    ]
    assert found[0] == ServerEvent("created", '{"a":\n1}', "7")


def test_an_event_without_end_is_refused() -> None:
    reader = EventReader()
    with pytest.raises(Upstream):
        for _ in range(MAX_FRAME // 1000 + 2):
            list(reader.feed(b"data: " + b"x" * 1000 + b"\n"))
