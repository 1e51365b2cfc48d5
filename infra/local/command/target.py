"""Which Memex is meant, and with which key. It never hands this machine's key to another machine."""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from infra.local.command.failure import UNREACHABLE, USAGE, Failure
from infra.local.store.lock import holder

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


def port_from(text: str) -> int:
    """The port that PORT names."""
    if not text.isdecimal() or int(text) > 65535:
        raise Failure(f"PORT is {text!r}, which is no port.", "Set it to a number up to 65535.", exit_code=USAGE)
    return int(text)


def served(folder: Path) -> str:
    """Where the process that has a data folder says it serves; empty where none does."""
    try:
        found = holder(folder)
    except OSError:
        return ""
    # What a file says is followed on this machine only.
    return found.address if found and is_loopback(found.address) else ""


def resolve(url: str | None, key: str | None, data: str | None) -> Target:
    """The target that options and environment name, or else the one that serves the data folder."""
    named = url or os.environ.get("MEMEX_URL")
    folder = Path(data or os.environ.get("MEMEX_DATA") or DATA)
    port = port_from(os.environ.get("PORT") or "0")
    if named:
        address = _address(named)
    elif port and not (data and served(folder)):
        # The environment says more than what happens to be there, and less than a folder named just now.
        address = f"http://127.0.0.1:{port}"
    else:
        address = served(folder) or f"http://127.0.0.1:{PORT}"
    if key:
        return Target(address, _usable(key, "--key"), "--key", bool(named))
    if found := os.environ.get("MEMEX_DEVICE_KEY"):
        return Target(address, _usable(found, "MEMEX_DEVICE_KEY"), "MEMEX_DEVICE_KEY", bool(named))
    file = folder / "device-key"
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
