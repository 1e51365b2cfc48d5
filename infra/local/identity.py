"""Tokens of this machine's own services: signed by a local key, checked like Google's."""

from collections.abc import Callable

from shared.errors import Unauthorized

ISSUER = "https://memex.local"
ACCOUNT = "services@memex.local"
"""The one service account of the local product."""
_LIVE_SECONDS = 3600
_FRESH_SECONDS = 1800


class LocalIdentity:
    """Signs and verifies with one Ed25519 key."""

    issuers = (ISSUER,)

    def __init__(self, private_pem: bytes, now: Callable[[], float]) -> None:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        self._private = load_pem_private_key(private_pem, password=None)
        self._now = now
        self._tokens: dict[str, tuple[float, str]] = {}

    async def key(self, key_id: str | None) -> object:
        """The public key."""
        if key_id != "local":
            raise Unauthorized("The identity token was signed by a key we don't know.")
        return self._private.public_key()

    def sign(self, audience: str) -> str:
        """A token for this audience; kept while it is fresh."""
        import jwt

        now = self._now()
        kept = self._tokens.get(audience)
        if kept and now - kept[0] < _FRESH_SECONDS:
            return kept[1]
        claims = {
            "iss": ISSUER,
            "aud": audience,
            "email": ACCOUNT,
            "email_verified": True,
            "sub": ACCOUNT,
            "iat": int(now),
            "exp": int(now) + _LIVE_SECONDS,
        }
        token = jwt.encode(claims, self._private, algorithm="EdDSA", headers={"kid": "local"})  # type: ignore[arg-type]
        self._tokens[audience] = (now, token)
        return token
