"""Captures that this machine's command kept because they could not be sent. It sends none."""

from infra.local.command import unsent
from infra.local.doctor.finding import Finding, Unanswered, ok, warning

MOST = 5
"""How many are shown with their commands."""


def captures() -> Finding:
    """Whether some wait to be sent."""
    try:
        found = unsent.waiting()
    except OSError as error:
        raise Unanswered(f"{unsent.folder()} can't be read ({error.strerror})") from None
    if not found:
        return ok("none waits")
    told = "1 capture waits" if len(found) == 1 else f"{len(found)} captures wait"
    more = f" (the oldest {MOST} are shown)" if len(found) > MOST else ""
    return warning(
        f"{told} to be sent, kept in {unsent.folder()}{more}", "\n".join(one.command() for one in found[:MOST])
    )
