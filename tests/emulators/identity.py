"""Google's identity on this machine: tokens of service accounts, the keys that prove them, and the metadata server.

The emulators send no tokens; whoever delivers for them signs here. Functions find this in place of Google's by
MEMEX_IDENTITY_KEYS_URL and GCE_METADATA_HOST.
"""

import base64
import json
import secrets
import time
from collections.abc import Mapping

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

CERTS = "/oauth2/v3/certs"
FLAVOR = "metadata-flavor"
LIVE_SECONDS = 3600


class Key:
    """An RSA key with an id, as Google has two at a time."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(8)
        self.private = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def jwk(self) -> dict[str, object]:
        """Its public part, as it is published."""
        public: dict[str, object] = jwt.algorithms.RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        return {**public, "kid": self.id, "alg": "RS256", "use": "sig"}


class Identity:
    """Signs for any account; publishes its key; gives access tokens to whoever asks the metadata server."""

    def __init__(self, issuer: str, project: str, *, key: Key | None = None) -> None:
        self.issuer = issuer
        self.access_token = f"ya29.{secrets.token_urlsafe(16)}"
        self._project = project
        self._key = key or Key()

    def sign(
        self, account: str, audience: str, changed: Mapping[str, object] | None = None, *, key: Key | None = None
    ) -> str:
        """An identity token of a service account; `changed` claims make a wrong one."""
        signing, now = key or self._key, int(time.time())
        claims: dict[str, object] = {
            "iss": self.issuer,
            "aud": audience,
            "azp": account,
            "email": account,
            "email_verified": True,
            "sub": account,
            "iat": now,
            "exp": now + LIVE_SECONDS,
            **(changed or {}),
        }
        return jwt.encode(claims, signing.private, algorithm="RS256", headers={"kid": signing.id})

    def unsigned(self, account: str, audience: str) -> str:
        """A token that says it needs no signature."""
        signed = self.sign(account, audience)
        head = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": self._key.id}).encode()).rstrip(b"=").decode()
        return f"{head}.{signed.split('.')[1]}."

    def jwk(self) -> dict[str, object]:
        """The key that it publishes."""
        return self._key.jwk()

    def certs(self) -> Route:
        """The published keys."""

        async def published(_request: Request) -> Response:
            return JSONResponse({"keys": [self.jwk()]})

        return Route(CERTS, published)

    def metadata(self) -> Starlette:
        """The metadata server, as far as google-auth asks it: whether it is there, and for an access token.

        https://cloud.google.com/compute/docs/metadata/predefined-metadata-keys
        """

        async def answer(request: Request) -> Response:
            path: str = request.path_params["path"]
            found: object = ""
            if path.endswith("/token"):
                found = {"access_token": self.access_token, "expires_in": 3599, "token_type": "Bearer"}
            elif "service-accounts" in path:
                found = {"aliases": ["default"], "email": f"default@{self._project}", "scopes": []}
            elif path.endswith("project-id"):
                found = self._project
            elif path.endswith("universe-domain"):
                found = "googleapis.com"
            headers = {"Metadata-Flavor": "Google"}
            if isinstance(found, str):
                return PlainTextResponse(found, headers=headers)
            return JSONResponse(found, headers=headers)

        return Starlette(routes=[Route("/{path:path}", answer)])
