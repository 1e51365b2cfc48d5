"""A filter that drops long base64 runs from a JSON byte stream, so that inline images never fill memory.

It refuses to parse: whatever it lets through is still the same JSON, with each long run cut to its head.
"""

import re

LONG = 4096
"""A run of base64 characters of this length is an image (or a file), not text."""
HEAD = 16
"""What stays of a long run: enough that an escape sequence which the run's first bytes end is whole."""

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_RUN = re.compile(rb"([A-Za-z0-9+/=_-]{%d})[A-Za-z0-9+/=_-]{%d,}" % (HEAD, LONG - HEAD))
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)


def _plain_slash(match: re.Match[bytes]) -> bytes:
    return b"/" if match[1] == b"/" else match[0]


class BlobFilter:
    """Feed it chunks as they come; it never holds more than one short run back."""

    def __init__(self) -> None:
        self._held = b""
        self._dropping = False

    def feed(self, chunk: bytes) -> bytes:
        """What may pass of everything so far."""
        data = self._held + chunk
        slashes = len(data) - len(data.rstrip(b"\\"))
        # An odd backslash at the end begins an escape whose second half is in the next chunk.
        escape = b"\\" if slashes % 2 else b""
        # Some writers escape every slash of base64 (`\/`), which would cut a run into short ones.
        data = _ESCAPE.sub(_plain_slash, data[: len(data) - len(escape)])
        if self._dropping:
            data = data.lstrip(_BASE64)
            if not data:
                self._held = escape
                return b""
            self._dropping = False
        kept = data.rstrip(_BASE64)
        tail = data[len(kept) :]
        kept = _RUN.sub(rb"\1", kept)
        if len(tail) >= LONG:
            kept, tail, self._dropping = kept + tail[:HEAD], b"", True
        self._held = tail + escape
        return kept

    def end(self) -> bytes:
        """What was held back, once no more comes."""
        held, self._held = self._held, b""
        return held
