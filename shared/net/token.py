"""Access tokens of the surrounding Google identity. They are kept in memory and shown to nobody."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC

from shared.errors import NotConfigured, Unreachable

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
EARLY = 300.0
"""Seconds before its end at which a token is replaced."""

Fetch = Callable[[], tuple[str, float]]
"""Blocking: a fresh token and the unix time at which it ends."""


def application_default() -> tuple[str, float]:
    """A token of the application default credentials."""
    # Imported here: google-auth and requests cost a cold start that callers without Google never need.
    import google.auth
    import google.auth.exceptions
    from google.auth.transport.requests import Request

    try:
        credentials, _ = google.auth.default(scopes=[SCOPE])
        credentials.refresh(Request())  # type: ignore[no-untyped-call]  # google-auth types it not
    except google.auth.exceptions.DefaultCredentialsError as error:
        raise NotConfigured(
            "No Google credentials were found", next="Run `gcloud auth application-default login`."
        ) from error
    except google.auth.exceptions.TransportError as error:
        raise Unreachable("Google's token service could not be reached") from error
    except google.auth.exceptions.GoogleAuthError as error:
        raise NotConfigured("Google refused the credentials", next="Sign in again.") from error
    # google-auth keeps the expiry as naive UTC.
    expiry = credentials.expiry
    ends = expiry.replace(tzinfo=UTC).timestamp() if expiry else time.time() + 600
    return str(credentials.token), ends


class GoogleToken:
    """Call it for a token that is good for a few more minutes; fetched in a thread, once for all who wait."""

    def __init__(self, fetch: Fetch = application_default, *, now: Callable[[], float] = time.time) -> None:
        self._fetch = fetch
        self._now = now
        self._token = ""
        self._ends = 0.0
        self._turn = asyncio.Lock()

    async def __call__(self) -> str:
        """The token."""
        async with self._turn:
            if self._now() > self._ends - EARLY:
                self._token, self._ends = await asyncio.to_thread(self._fetch)
            return self._token
