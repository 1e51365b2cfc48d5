"""Why an agent task failed, or is only half done, in words for the person who waits: what happened, what to do next."""

from shared.models.operation import Failure

_AGAIN = "Start it anew: it goes on from what it had found."

FAILURES: dict[str, tuple[str, str]] = {
    "no_sources": (
        "Nothing was found in your notes that answers this question, so there is no result.",
        "Capture more about it, pick notes for the task, or ask with other words; then start anew.",
    ),
    "budget_exceeded": (
        "It stopped before it had found anything, because it may not cost more.",
        "Raise the limit in Settings, then start it anew.",
    ),
    "deadline_exceeded": (
        "It took longer than its time limit and was stopped before it had found anything.",
        "Ask for less at once, or raise task_timeout_seconds in Settings; then start anew.",
    ),
    "unavailable": ("The model's service could not be reached, or was overloaded, several times in a row.", _AGAIN),
    "model_failed": ("The model gave no answer that can be used.", _AGAIN),
    "not_configured": (
        "The model that is chosen can't be used with the settings as they are.",
        "Choose another one in Settings, then start anew.",
    ),
    "steps_failed": (
        "Its steps could not be carried out: the same one was begun several times and never came to its end.",
        _AGAIN,
    ),
}


def failure(code: str, detail: str = "") -> Failure:
    """The failure with this code; `detail` is what happened in this very case."""
    message, following = FAILURES[code]
    return Failure(code=code, message=f"{message} {detail}".strip(), next=following)
