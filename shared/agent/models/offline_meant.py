"""Which note or task a request means. It takes one only where nothing else fits as well, and otherwise asks."""

from collections.abc import Sequence

from shared.agent.models.offline_looking import LISTED, MOST_LISTED, line
from shared.agent.models.offline_quotes import OWN, only_asking
from shared.agent.models.offline_reading import Note, Task, inert, matching, notes, tasks
from shared.agent.models.offline_talk import Move, Talk

_WHOLE = 1.0
"""Share of the named words that a note or task must hold."""


def note_meant(talk: Talk) -> Note | Move:
    """The note that is meant, or the move that finds it or asks."""
    about = talk.request.about
    answer = talk.answer("search_notes") if about else talk.answer("list_recent_notes")
    if answer is None:
        return talk.call("search_notes", query=about, limit=8) if about else talk.call("list_recent_notes", limit=10)
    found = notes(answer)
    if not about:
        # "My last note" is one that the person wrote, unless there are only others.
        own = [note for note in found if note.kind in OWN]
        return (own or found)[0] if found else Move(talk.say("no_notes"))
    fitting = _fitting(talk, about, found)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        return Move(talk.say("found_nothing" if talk.request.kind == "gist" else "no_note", what=talk.asked()))
    return Move("\n".join([talk.say("which_note", what=talk.asked()), "", *(line(talk, note) for note in fitting)]))


def _fitting(talk: Talk, about: str, found: Sequence[Note]) -> Sequence[Note]:
    """Those that fit best: by their title where it is named in full; what the person wrote, before all else."""
    scores = matching(about, ((one.title, one.text, one.tags) for one in found))
    scored = list(zip(found, scores, strict=True))
    named = [(note, _WHOLE) for note in found if note.title.strip().casefold() == about.casefold()]
    fitting = named or [(note, score) for note, score in scored if score >= _WHOLE]
    asking = only_asking(found)
    # However well a report on it fits: it competes only with others of its kind.
    fitting = [(note, score) for note, score in fitting if note.kind in OWN and note.id not in asking] or fitting
    # What goes to the bin must be the only one that fits; elsewhere the best may be taken, since it can be undone.
    least = _WHOLE if talk.request.kind == "delete" else max((score for _, score in fitting), default=_WHOLE)
    return [note for note, score in fitting if score >= least]


def task_meant(talk: Talk, status: str) -> Task | Move:
    """The task of this status that is meant, or the move that finds it or asks."""
    listed = talk.answer("list_tasks")
    if listed is None:
        return talk.call("list_tasks", status=status, limit=MOST_LISTED)
    about = talk.request.about
    known = tasks(listed)
    same = [one for one in known if one.title.strip().casefold() == about.casefold()]
    scores = matching(about, ((one.title, "", one.tags) for one in known))
    fitting = same or [one for one, score in zip(known, scores, strict=True) if score >= _WHOLE]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        return Move(talk.say("no_task", what=talk.asked()))
    lines = [f"- {inert(one.title)}" for one in fitting[:LISTED]]
    return Move("\n".join([talk.say("which_task", what=talk.asked()), "", *lines]))
