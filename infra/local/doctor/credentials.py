"""Whoever is signed in at this machine, by Google's application default credentials. The token is shown to nobody."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from infra.local.doctor.finding import Unanswered

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
LOGIN = "gcloud auth application-default login"
PATIENCE = 20.0
"""Seconds; where there are no credentials, google-auth first looks for the metadata server of a virtual machine."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks."""

    token: str = field(repr=False)
    account: str = ""
    """Address of a service account; of a person, credentials don't tell it."""
    personal: bool = False
    """Whether it is a person, whose requests need a project that pays for them."""


class NobodyThere(Unanswered):
    """There are no credentials, or they are no longer taken; LOGIN mends it."""


Fetch = Callable[[], Identity]
"""Blocking: a fresh token and whose it is. Raises Unanswered."""


def application_default() -> Identity:
    """The application default credentials."""
    # Imported here: google-auth and requests take their time, and most calls of this command don't need them.
    import google.auth
    import google.auth.exceptions
    from google.auth.transport.requests import Request
    from google.oauth2.credentials import Credentials

    try:
        credentials, _ = google.auth.default(scopes=[SCOPE])
        credentials.refresh(Request())  # type: ignore[no-untyped-call]  # google-auth types it not
    except google.auth.exceptions.TransportError:
        raise Unanswered("Google can't be reached") from None
    except google.auth.exceptions.DefaultCredentialsError:
        raise NobodyThere("there are no Google credentials here") from None
    except google.auth.exceptions.GoogleAuthError:
        raise NobodyThere("Google no longer takes the credentials of this machine") from None
    account = getattr(credentials, "service_account_email", "")
    return Identity(str(credentials.token), str(account or ""), isinstance(credentials, Credentials))


async def token(fetch: Fetch) -> Identity:
    """An identity, without holding up the other checks."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Identity] = loop.create_future()

    def settle(identity: Identity | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if identity:
            answer.set_result(identity)
        else:
            answer.set_exception(error or RuntimeError("nothing was fetched"))

    def work() -> None:
        found: tuple[Identity | None, BaseException | None]
        try:
            found = fetch(), None
        except BaseException as error:
            found = None, error
        # Too late means that nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, *found)

    # Not asyncio's own threads: the command's end would wait for one that hangs.
    threading.Thread(target=work, daemon=True).start()
    try:
        return await asyncio.wait_for(answer, PATIENCE)
    except TimeoutError:
        raise Unanswered("Google's token service did not answer in time") from None
