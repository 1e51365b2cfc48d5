"""What a first look has to fetch: under 200 kB of compressed script, however many rooms there are."""

import gzip
import re

from tests.web.conftest import need
from tests.web.fake_api import DIST

MOST = 200_000


def test_the_first_load_stays_small() -> None:
    """The start, and the renderer of text, which is fetched right after it; every room else waits to be entered."""
    need(DIST / "index.html", "the built web client")
    start = re.findall(r'src="/(assets/[^"]+\.js)"', (DIST / "index.html").read_text())
    assert len(start) == 1
    text = [f"assets/{path.name}" for path in (DIST / "assets").glob("Markdown-*.js")]
    assert len(text) == 1
    sizes = {name: len(gzip.compress((DIST / name).read_bytes())) for name in (*start, *text)}
    assert sum(sizes.values()) < MOST, sizes
    code = (DIST / start[0]).read_text()
    for words in ("Edit, then approve", "Ask an agent", "Run it by itself", "Forget everything", "Add a server"):
        assert words not in code, f"{words!r} belongs to a room, which has to be a chunk of its own"
