"""What can go wrong, as a tree; each class carries its HTTP status and whether trying again can help.

MemexError 500
├── Invalid 400 ── TooLarge 413, Unprocessable 422
├── Unauthorized 401
├── Forbidden 403
├── NotFound 404
├── Conflict 409 ── NeedsApproval 409
├── Gone 410
├── TooMany 429
├── NotConfigured 503
└── Upstream 502 ── UpstreamTimeout 504, Unreachable 503
"""

from typing import ClassVar


class MemexError(Exception):
    """Something failed; `code` is stable, `message` says what happened, `next` says what to do."""

    status: ClassVar[int] = 500
    code: str = "internal"
    retryable: ClassVar[bool] = False
    next: str = "Try again; where it stays so, the log of the function says why."
    """What is said where whoever raises it knows no better."""

    def __init__(self, message: str, *, code: str | None = None, next: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.next = next or type(self).next


class Invalid(MemexError):
    """The request can't be understood."""

    status = 400
    code = "invalid"
    next = "Correct the request as the message says, and send it again."


class TooLarge(Invalid):
    """The request is larger than we take."""

    status = 413
    code = "too_large"
    next = "Send less at once, or several smaller ones."


class Unprocessable(Invalid):
    """The request is well formed and asks for something that can't be."""

    status = 422
    code = "invalid_field"
    next = "Correct what the message names, and send it again."


class Unauthorized(MemexError):
    """Nobody we know is asking."""

    status = 401
    code = "unauthorized"
    next = "Come with a device key or an identity token that this deployment knows."


class Forbidden(MemexError):
    """We know who is asking, and they may not."""

    status = 403
    code = "forbidden"
    next = "Ask whoever runs this deployment for that permission."


class NotFound(MemexError):
    """There is no such thing, or it belongs to someone else."""

    status = 404
    code = "not_found"
    next = "Check its id, and look through the list: it may have been deleted."


class Conflict(MemexError):
    """Someone else changed it first, or it is already so."""

    status = 409
    code = "conflict"
    next = "Read it again, and decide on what is there now."


class NeedsApproval(Conflict):
    """It may be done once a person has said yes."""

    code = "needs_approval"
    next = "Say yes or no to it where it asks."


class Gone(MemexError):
    """It was here, and its time is over."""

    status = 410
    code = "expired"
    next = "Start it anew."


class TooMany(MemexError):
    """A limit is reached; later it works again."""

    status = 429
    code = "too_many"
    retryable = True
    next = "Try again later."


class NotConfigured(MemexError):
    """The service is closed until someone sets it up."""

    status = 503
    code = "not_configured"
    next = "Set it up (see Settings in the README), and start again."


class Upstream(MemexError):
    """An outside service answered with an error; `upstream_status` is its HTTP status, 0 without one."""

    status = 502
    code = "upstream"
    next = "Try again later; where it stays so, check the settings and the keys of that service."

    def __init__(self, message: str, *, code: str | None = None, next: str = "", upstream_status: int = 0) -> None:
        super().__init__(message, code=code, next=next)
        self.upstream_status = upstream_status


class UpstreamTimeout(Upstream):
    """An outside service got our request and did not answer in time: what it did is unknown."""

    status = 504
    code = "upstream_timeout"
    retryable = True
    next = "See whether it was done all the same, then try again."


class Unreachable(Upstream):
    """An outside service was never reached: nothing was sent, so trying again is safe."""

    status = 503
    code = "unreachable"
    retryable = True
    next = "Try again in a moment; nothing was done."
