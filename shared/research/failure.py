"""Why a run failed, in words for the person who waits for it: what happened, and what to do next."""

from shared.models.operation import Failure

_AGAIN = "Start it anew from the note."

FAILURES: dict[str, tuple[str, str]] = {
    "start_unknown": (
        "The research service was asked to start, and its answer never arrived. It may be running (and costing) "
        "where we can't see it, so it was not asked again.",
        "Your note is unchanged. Start anew if you want it researched; that may be paid for a second time.",
    ),
    "deadline_exceeded": (
        "The research took longer than its time limit and was stopped; a last look found no finished report.",
        f"{_AGAIN} A narrower question takes less time.",
    ),
    "steps_failed": (
        "The run's own steps could not be carried out, before anything was bought.",
        _AGAIN,
    ),
    "rejected": (
        "The research service refused the request.",
        "Change the note's text, or the settings, and start anew.",
    ),
    "wrong_key": (
        "The research service does not take our key, so nothing was bought.",
        "Set another key (MEMEX_GEMINI_API_KEY; `memex doctor` looks at it), or have Memex's own agents do it "
        '(Settings, "Research is done by"); then start anew.',
    ),
    "not_configured": (
        "The research service can't be used with the settings as they are, so nothing was bought.",
        "Set it up (see Settings in the README), then start anew.",
    ),
    "too_large": (
        "The report was fetched, and it is larger than can be stored.",
        "Ask a narrower question, and start anew.",
    ),
    "unavailable": ("The research service could not be reached, or was overloaded, several times in a row.", _AGAIN),
    "lost": (
        "The research service won't let us see this run.",
        f"Check the service account's permissions. {_AGAIN}",
    ),
    "expired": (
        "The research service no longer has this run: its retention time is over, or it was deleted there.",
        _AGAIN,
    ),
    "provider_failed": ("The research service failed on its side.", _AGAIN),
    "provider_cancelled": ("The run was cancelled at the research service, not by Memex.", _AGAIN),
    "needs_action": (
        "The research service stopped and asks for something that a background run can't give.",
        "Make the question complete in itself, then start anew.",
    ),
    "empty_report": ("The research service says that it finished, and its report holds no text.", _AGAIN),
    "no_sources": (
        "Nothing was found that answers this question, so no report was written.",
        "Capture more about it, name pages in the note, or ask with other words; then start anew.",
    ),
    "budget_exceeded": (
        "One run is estimated to cost more than MEMEX_OPERATION_BUDGET_USD allows, so nothing was bought.",
        "Raise that limit, then start anew.",
    ),
}


def failure(code: str, detail: str = "") -> Failure:
    """The failure with this code; `detail` is what the service itself said."""
    message, following = FAILURES[code]
    return Failure(code=code, message=f"{message} It said: {detail}" if detail else message, next=following)
