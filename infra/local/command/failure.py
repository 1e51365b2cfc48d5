"""The one shape of an error in the terminal: what happened, what to do, and the exit code."""

FAILED, USAGE, UNREACHABLE, INTERRUPTED = 1, 2, 3, 130


class Failure(Exception):
    """The command can't go on."""

    def __init__(self, message: str, next: str = "", *, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.next = next
        self.exit_code = exit_code


class Unreachable(Failure):
    """Nothing usable answers at the address; what was asked for may or may not have been done."""

    def __init__(self, message: str, next: str = "") -> None:
        super().__init__(message, next, exit_code=UNREACHABLE)


class Refused(Failure):
    """Memex answered with an error of its own."""

    def __init__(self, status: int, code: str, message: str, next: str = "", *, exit_code: int = FAILED) -> None:
        super().__init__(message, next, exit_code=exit_code)
        self.status = status
        self.code = code


def passes(status: int, code: str) -> bool:
    """Whether an error answer may be another one in a moment; a limit of the day or a missing set-up is not."""
    if status == 429:
        return code in ("", "too_many")
    return status >= 500 and code != "not_configured"
