"""The data folder: where everything is kept, and the secrets that are made in it on first start."""

import json
import os
import secrets
import stat
from collections.abc import Callable
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
                f"The data folder {path} can't be made ({error.strerror}).", next="Choose another with --data."
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
        key = chosen or self._secret(self.device_key_file, lambda: secrets.token_urlsafe(32)).strip()
        digest = sha256(key.encode()).hexdigest()
        table = {"local": {"key_sha256": digest, "tenant": "default", "subject": "me"}}
        if self.device_keys_file.exists():
            # Devices that a person added stay.
            known = json.loads(self.device_keys_file.read_text())
            table = {**known, **table}
        _replace(self.device_keys_file, json.dumps(table, indent=1))
        return key

    def signing_key(self) -> bytes:
        """The private key (PEM) with which this machine's services sign their tokens."""

        def make() -> str:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
            from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

            key = Ed25519PrivateKey.generate()
            return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

        return self._secret(self.path / "signing-key.pem", make).encode()

    def _secret(self, file: Path, make: Callable[[], str]) -> str:

        if not file.exists():
            _replace(file, make())
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077:
            raise NotConfigured(
                f"{file} can be read by others (mode {mode:04o}).", next=f"Run `chmod 600 {file}` and start again."
            )
        return file.read_text()


def _replace(file: Path, text: str) -> None:
    """Write a whole file or nothing, readable by its owner only."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)
