"""Which Memex is meant, and with which key. It never hands this machine's key to another machine."""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from infra.local.command.failure import UNREACHABLE, USAGE, Failure

PORT = "8765"
DATA = ".memex"


@dataclass(frozen=True, slots=True)
class Target:
    """An address, its key, and where that key was found."""

    url: str
    key: str
    key_from: str
    named: bool
    """Whether a person named the address; if not, it is this machine's own product."""

    @property
    def local(self) -> bool:
        """Whether it is on this machine."""
        return is_loopback(self.url)

    def note(self, note_id: str) -> str:
        """Address at which a browser shows a note."""
        return f"{self.url}/#/notes/{note_id}"


def is_loopback(url: str) -> bool:
    """Whether an address leads to this very machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def resolve(url: str | None, key: str | None, data: str | None) -> Target:
    """The target that options and environment name."""
    named = url or os.environ.get("MEMEX_URL")
    address = _address(named) if named else f"http://127.0.0.1:{os.environ.get('PORT') or PORT}"
    if key:
        return Target(address, _usable(key, "--key"), "--key", bool(named))
    if found := os.environ.get("MEMEX_DEVICE_KEY"):
        return Target(address, _usable(found, "MEMEX_DEVICE_KEY"), "MEMEX_DEVICE_KEY", bool(named))
    file = Path(data or os.environ.get("MEMEX_DATA") or DATA) / "device-key"
    if not is_loopback(address):
        raise Failure(f"There is no key for {address}.", "Set MEMEX_DEVICE_KEY, or give --key.", exit_code=USAGE)
    try:
        return Target(address, _usable(file.read_text("utf-8"), str(file)), str(file), bool(named))
    except OSError as error:
        raise Failure(
            f"There is no device key: {file} can't be read ({error.strerror}).",
            "Start Memex with `make run` (its first start makes the key), or say where its data are with --data;\n"
            "for one that runs elsewhere set MEMEX_URL and MEMEX_DEVICE_KEY.",
            exit_code=UNREACHABLE,
        ) from None


def _address(text: str) -> str:
    # Copied from the line that `serve` prints, an address may carry the key: that is not for us to guess at.
    try:
        parts = urlsplit(text.strip())
        usable = parts.port != 0
    except ValueError:
        parts, usable = urlsplit(""), False
    if not usable or parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise Failure(
            f"{text!r} is not an address of Memex.",
            "Give it like http://127.0.0.1:8765 or https://api-123.europe-west1.run.app.",
            exit_code=USAGE,
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


def _usable(key: str, source: str) -> str:
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise Failure(f"The device key from {source} is not one.", "Copy it again, whole.", exit_code=USAGE)
    return key
