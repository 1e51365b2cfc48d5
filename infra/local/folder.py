"""The data folder: where everything is kept, and the secrets that are made in it on first start."""

import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from shared.errors import NotConfigured


class Folder:
    """Paths inside the data folder, and its two secrets."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise NotConfigured(
                f"The data folder {path} can't be made ({error.strerror}).",
                next="Choose another: make run DATA=FOLDER, or memex serve --data FOLDER.",
            ) from None

    @property
    def device_key_file(self) -> Path:
        """The key itself, for this machine's owner only."""
        return self.path / "device-key"

    @property
    def device_keys_file(self) -> Path:
        """The table that functions read: hashes only."""
        return self.path / "device-keys.json"

    def device_key(self, chosen: str | None) -> str:
        """The device key: the chosen one, or the one made on first start. The table of hashes follows it."""
        source = "MEMEX_DEVICE_KEY" if chosen else str(self.device_key_file)
        key = (chosen or self._secret(self.device_key_file, lambda: secrets.token_urlsafe(32))).strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise NotConfigured(
                f"{source} holds no device key.",
                next="Put one word of plain letters and digits there, or remove it: the next start makes a new key.",
            )
        file = self.device_keys_file
        ours = {"key_sha256": sha256(key.encode()).hexdigest(), "tenant": "default", "subject": "me"}
        with usable(file, "Correct it, or move it away: the next start makes one for this machine's own key."):
            known = json.loads(file.read_bytes()) if file.exists() else {}
            if not isinstance(known, dict):
                raise ValueError("a table is wanted")
            if known.get("local") != ours:
                # Devices that a person added stay.
                keep(file, json.dumps({**known, "local": ours}, indent=1))
        return key

    def key_in_use(self, *guesses: str | None) -> str:
        """The one of these keys, or of the key kept here, that this machine is let in with; empty where none is."""
        try:
            wanted = json.loads(self.device_keys_file.read_bytes())["local"]["key_sha256"]
            kept = self.device_key_file.read_text("utf-8") if self.device_key_file.exists() else None
        except (OSError, ValueError, LookupError, TypeError):
            return ""
        keys = [key.strip() for key in (*guesses, kept) if key]
        return next((key for key in keys if sha256(key.encode()).hexdigest() == wanted), "")

    @property
    def signing_key_file(self) -> Path:
        """The private key of this machine's services."""
        return self.path / "signing-key.pem"

    def signing_key(self) -> bytes:
        """The private key (PEM) with which this machine's services sign their tokens."""

        def make() -> str:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
            from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

            key = Ed25519PrivateKey.generate()
            return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

        return self._secret(self.signing_key_file, make).encode()

    def _secret(self, file: Path, make: Callable[[], str]) -> str:
        with usable(file):
            if not file.exists():
                keep(file, make())
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077:
                raise NotConfigured(
                    f"{file} can be read by others (mode {mode:04o}).", next=f"Run `chmod 600 {file}` and start again."
                )
            return file.read_text("utf-8")


@contextmanager
def usable(
    file: Path, next: str = "Restore it from a copy, or move it away: the next start makes a new one."
) -> Iterator[None]:
    """Say in words that a file is not what it should be; it is left as it is."""
    try:
        yield
    except OSError as error:
        raise NotConfigured(
            f"{file} can't be used ({error.strerror}).", next="Check who owns it and its folder, and their modes."
        ) from None
    except ValueError:
        raise NotConfigured(f"{file} is damaged; it was left as it is.", next=next) from None


def keep(file: Path, text: str) -> None:
    """Write a whole file or nothing, readable by its owner only."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)
