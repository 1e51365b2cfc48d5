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
        "Nothing that is noted here speaks of this yet, so there is no report.",
        "Capture a note or two about it, or ask with other words; then start it anew.",
    ),
    "budget_exceeded": (
        "One run is estimated to cost more than MEMEX_OPERATION_BUDGET_USD allows, so nothing was bought.",
        "Raise that limit, then start anew.",
    ),
}


_OWN: dict[str, tuple[str, str]] = {
    "budget_exceeded": (
        "A limit kept the model from being asked, and nothing that was read without it answers the question.",
        f"Raise the limit, or wait for the next day where it is the day's. {_AGAIN}",
    ),
    "deadline_exceeded": (
        "Its time limit was over before anything was written, and nothing that was read answers the question.",
        f"{_AGAIN} A narrower question takes less time.",
    ),
    "not_configured": (
        "The model that is chosen can't be used, and nothing that was read without it answers the question.",
        f"Choose another model in Settings. {_AGAIN}",
    ),
    "unavailable": (
        "The model could not be reached, or was overloaded, several times in a row, and nothing that was read without "
        "it answers the question.",
        _AGAIN,
    ),
    "steps_failed": (
        "A step of it was begun several times and never ended, and nothing that was read answers the question.",
        _AGAIN,
    ),
    "model_failed": (
        "The model gave no answer that can be used, and nothing that was read without it answers the question.",
        f"{_AGAIN} Another model (Settings) may do better.",
    ),
}
"""Of research by our own agents: no service failed there."""
_SAID = 600
"""Characters of what is said of pages that were not read."""


def failure(code: str, detail: str = "") -> Failure:
    """The failure with this code; `detail` is what the service itself said."""
    message, following = FAILURES[code]
    return Failure(code=code, message=f"{message} It said: {detail}" if detail else message, next=following)


def own_failure(code: str, why: str) -> Failure:
    """How research by our own agents failed; `why` is the reason in their words, naming the limit or the model."""
    code = code if code in _OWN else "model_failed"
    message, following = _OWN[code]
    return Failure(code=code, message=f"{message} {why}".strip(), next=following)


def nothing_found(said: str) -> Failure:
    """Nothing answers; `said` is a sentence that says so, and behind it what kept pages from being read."""
    plain = failure("no_sources")
    unread = said.partition(". ")[2].strip()[:_SAID]
    if not unread:
        return plain
    # To name pages is what the person did.
    following = "Once the page can be read, start it anew; or write down what it says, and ask again."
    return Failure(code=plain.code, message=f"{plain.message} {unread}", next=following)
