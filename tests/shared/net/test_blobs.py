"""The filter drops images and nothing else, however the stream is cut."""

import base64
import json
import random

import pytest

from shared.net.blobs import HEAD, LONG, BlobFilter

IMAGE = base64.b64encode(random.Random(1).randbytes(30_000)).decode()
TEXT = 'Ein Bericht – mit Umlauten, "Zitaten", C:\\\\Pfaden und [Links](https://example.test/a/b). ' * 20


def passed(data: bytes, size: int) -> bytes:
    blobs = BlobFilter()
    pieces = [blobs.feed(data[at : at + size]) for at in range(0, len(data), size)]
    return b"".join(pieces) + blobs.end()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 4095, 4096, 4097, 65_536, 10**6])
@pytest.mark.parametrize("slash", ["/", "\\/"])
def test_long_base64_is_cut_to_its_head_at_any_chunk_size(size: int, slash: str) -> None:
    data = json.dumps({"text": TEXT, "data": IMAGE, "more": [TEXT, f"data:image/png;base64,{IMAGE}", 1.5, None]})
    data = data.replace("/", slash)
    read = json.loads(passed(data.encode(), size))
    assert read["text"] == read["more"][0] == TEXT
    assert read["data"] == IMAGE[:HEAD]
    assert read["more"][1] == f"data:image/png;base64,{IMAGE}"[: len("data:image/png;")] + f"base64,{IMAGE[:HEAD]}"
    assert read["more"][2:] == [1.5, None]


@pytest.mark.parametrize("size", [1, 5, 4096, 10**6])
@pytest.mark.parametrize("start", ["\n", "\u00e9", "\\", '"', "\t/"])
@pytest.mark.parametrize("end", ["\n", "\u2028", "\\", '"', "\\/", "\\\\"])
def test_an_escape_beside_a_run_stays_whole(size: int, start: str, end: str) -> None:
    read = json.loads(passed(json.dumps({"a": start + "A" * (2 * LONG) + end, "b": 1}).encode(), size))
    assert read["b"] == 1
    assert read["a"].startswith(start)
    assert read["a"].rstrip("A").endswith(end) or read["a"].endswith(end)
    assert len(read["a"]) < 2 * HEAD + len(start + end)


@pytest.mark.parametrize("size", [1, 1000, 10**6])
def test_what_is_shorter_passes_untouched(size: int) -> None:
    data = json.dumps({"id": "A" * (LONG - 1), "text": TEXT}).encode()
    assert passed(data, size) == data


def test_it_never_holds_more_than_a_short_run() -> None:
    blobs = BlobFilter()
    out = sum(len(blobs.feed(b"A" * 65_536)) for _ in range(200))
    assert out + len(blobs.end()) <= LONG
