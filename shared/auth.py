"""Who is calling: people by device key, our own services by OIDC token. The one place that decides identity."""

import hmac
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from shared.errors import Forbidden, NotConfigured, Unauthorized

log = logging.getLogger("memex.auth")

KEYS_LIVE_SECONDS = 60
"""How long a read key table is trusted: a revoked key is refused after this at the latest."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, through one of their devices."""

    tenant: str
    subject: str
    device: str


class _Device(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    key_sha256: str = Field(pattern="^[0-9a-f]{64}$")
    tenant: str = Field(pattern="^[a-z0-9][a-z0-9-]{0,62}$")
    subject: str = Field(min_length=1, max_length=200)


_TABLE = TypeAdapter(dict[str, _Device])


def _bearer(authorization: str | None) -> str:
    scheme, _, credential = (authorization or "").partition(" ")
    return credential.strip() if scheme.lower() == "bearer" else ""


class DeviceKeys:
    """The table of devices and the hashes of their keys; keys themselves are kept nowhere."""

    def __init__(self, file: Path, now: Callable[[], float]) -> None:
        self._file = file
        self._now = now
        self._read_at = float("-inf")
        self._devices: dict[str, _Device] = {}

    def caller(self, authorization: str | None) -> Caller:
        """The person behind an Authorization header; Unauthorized, or NotConfigured while there is no key."""
        devices = self._table()
        key = _bearer(authorization)
        if not key:
            raise Unauthorized("The request carries no device key.", next="Send `Authorization: Bearer <device key>`.")
        digest = sha256(key.encode()).hexdigest()
        found: Caller | None = None
        for device_id, device in devices.items():
            # Every entry is compared, so that the time taken tells nothing about where a match is.
            if hmac.compare_digest(device.key_sha256, digest):
                found = Caller(tenant=device.tenant, subject=device.subject, device=device_id)
        if found is None:
            raise Unauthorized(
                "This device key is not known.", next="Sign in again with the address that `make run` prints."
            )
        return found

    def _table(self) -> dict[str, _Device]:
        now = self._now()
        if now - self._read_at >= KEYS_LIVE_SECONDS:
            try:
                self._devices = _TABLE.validate_python(json.loads(self._file.read_bytes()))
            except FileNotFoundError:
                self._devices = {}
            except (OSError, ValueError) as error:
                self._devices = {}
                log.error("the table of device keys can't be used: %s", type(error).__name__)
            # An unusable table is looked at again at once, so that setting one up works without a restart.
            self._read_at = now if self._devices else float("-inf")
        if not self._devices:
            raise NotConfigured(
                "No usable device key is configured, so nobody can be let in.",
                next="Put a key table where MEMEX_DEVICE_KEYS_FILE points; the log says what is wrong with it.",
            )
        return self._devices


class SigningKeys(Protocol):
    """The public keys behind tokens: Google's, or the local product's own."""

    @property
    def issuers(self) -> Sequence[str]:
        """Whose tokens these keys sign."""
        ...

    async def key(self, key_id: str | None) -> object:
        """The public key with this id; Unauthorized where there is none."""
        ...


class ServiceTokens:
    """OIDC tokens of our own services: signature, issuer, audience, time and caller are all checked."""

    def __init__(self, keys: SigningKeys, callers: Sequence[str], now: Callable[[], float]) -> None:
        self._keys = keys
        self._callers = frozenset(callers)
        self._now = now

    async def caller(self, authorization: str | None, audiences: Sequence[str]) -> str:
        """The calling service account's address."""
        import jwt

        token = _bearer(authorization)
        if not token:
            raise Unauthorized("The request carries no identity token.")
        try:
            key = await self._keys.key(jwt.get_unverified_header(token).get("kid"))
            claims = jwt.decode(
                token,
                key,  # type: ignore[arg-type]  # PyJWT's key types are those of cryptography, loaded lazily
                algorithms=["RS256", "EdDSA"],
                audience=list(audiences),
                issuer=list(self._keys.issuers),
                options={"require": ["exp", "iat", "aud", "iss"], "verify_exp": False, "verify_iat": False},
            )
        except (jwt.PyJWTError, TypeError):
            # TypeError: the key named in the token is of another kind than its algorithm.
            raise Unauthorized("The identity token is not valid for this function.") from None
        # Checked here and not by the library, so that tests can set the time.
        issued, expires = claims["iat"], claims["exp"]
        if not (isinstance(issued, int | float) and isinstance(expires, int | float)):
            raise Unauthorized("The identity token is not valid for this function.")
        if not issued - 60 <= self._now() < expires:
            raise Unauthorized("The identity token's time is over.")
        email = str(claims.get("email", ""))
        if email not in self._callers or not claims.get("email_verified", False):
            raise Forbidden("This caller may not use this function.")
        return email
