"""The next move for a plain request: the tool to call now, or what to say of what the tools answered. It runs nothing.

Each kind of request has one function. It looks at the answers that are there and takes the step that is missing, so a
turn that was suspended goes on where it stood.
"""

from collections.abc import Callable
from datetime import datetime

from shared.agent.models import offline_edits as edits
from shared.agent.models import offline_tasks as tasks
from shared.agent.models.offline_looking import (
    LISTED,
    count_notes,
    digest,
    forget,
    line,
    links,
    memory,
    more,
    period,
    recent,
    search,
    tagged,
)
from shared.agent.models.offline_meant import note_meant
from shared.agent.models.offline_phrases import WEEKDAYS, Phrase
from shared.agent.models.offline_reading import (
    Note,
    inert,
    inner,
    label,
    link,
    notes,
    pages,
    quoted,
    sentences,
    value,
    web_link,
)
from shared.agent.models.offline_talk import Move, Talk
from shared.models.base import JsonDict

GIST = 4
"""Sentences that stand for a note."""


def next_move(talk: Talk) -> Move:
    """The next move. An error ends the request and is told as one."""
    last = talk.answers[-1] if talk.answers else None
    if last is None or not last.result.get("error"):
        return _MOVES[talk.request.kind](talk)
    told = _error(talk, last.result)
    made = talk.answer("create_note")
    if made is not None and last.tool != "create_note":  # what was done before it stays done, and is told
        told += f"\n\n{talk.say('noted', link=_made(made, talk.request.what))}"
    return Move(told)


def _error(talk: Talk, result: JsonDict) -> str:
    if result["error"] == "denied":
        return talk.say("denied")
    told = [inert(text) for name in ("message", "next") if isinstance(text := result.get(name), str) and text]
    return talk.say("failed", message=" ".join(told) or inert(str(result["error"])))


# -- looking


def _digest(talk: Talk) -> Move:
    answer = talk.answer("list_recent_notes")
    if answer is None:
        return talk.call("list_recent_notes", limit=LISTED, days=talk.request.days)
    text, days = digest(talk, answer), period(talk)
    if not text:
        return Move(talk.say("digest_empty", period=days))
    if not talk.request.save:
        return Move(text)
    title = talk.say("digest_title", period=days)
    saved = talk.answer("create_note")
    if saved is None:
        return _kept(talk, text, "digest", title)
    return Move(f"{text}\n\n{talk.say('saved', link=_made(saved, title))}")


def _gist(talk: Talk) -> Move:
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    answer = talk.answer("get_note")
    if answer is None:
        return talk.call("get_note", note_id=note.id)
    whole = next(iter(notes(answer)), note)
    lines = [f"- {quoted(sentence)}" for sentence in sentences(whole.text)[:GIST]]
    return Move("\n".join([talk.say("gist", link=link(whole)), "", *lines]) if lines else line(talk, whole))


def _sum(talk: Talk) -> Move:
    answer = talk.answer("calculator")
    if answer is None:
        return talk.call("calculator", expression=talk.request.what)
    sign = "≈" if inner(answer).get("exact") is False else "="
    asked = talk.request.what.replace("**", "^").replace("*", " × ")  # as people write it; stars would be markup
    asked = " ".join(asked.split())
    return Move(talk.say("sum", sum=asked, sign=sign, result=inert(value(answer, "result"))))


def _time(talk: Talk) -> Move:
    answer = talk.answer("current_time")
    if answer is None:
        return talk.call("current_time")
    try:
        here = datetime.fromisoformat(value(answer, "local", "utc"))
    except ValueError:
        return Move(talk.say("failed", message="current_time"))
    day = WEEKDAYS[talk.spoken][here.weekday()]
    return Move(talk.say("time", time=f"{day}, {here:%Y-%m-%d, %H:%M} ({inert(value(answer, 'time_zone') or 'UTC')})"))


def _web(talk: Talk) -> Move:
    answer = talk.answer("web_search")
    if answer is None:
        return talk.call("web_search", query=talk.request.what[:400])
    lines = [f"- {web_link(page)}{f': {quoted(page.text)}' if page.text else ''}" for page in pages(answer)[:8]]
    if not lines:
        return Move(talk.say("web_empty", what=inert(talk.request.what)))
    return Move("\n".join([talk.say("web"), "", *lines]))


def _fetch(talk: Talk) -> Move:
    answer = talk.answer("http_fetch")
    if answer is None:
        return talk.call("http_fetch", url=talk.request.what)
    page = next(iter(pages(answer)), None)
    lines = [f"- {quoted(sentence)}" for sentence in sentences(page.text)[:3]] if page else []
    shown = web_link(page) if page else inert(talk.request.what)
    return Move("\n".join([talk.say("page", link=shown), "", *lines]) if lines else talk.say("page_empty", link=shown))


# -- writing


def _note(talk: Talk) -> Move:
    answer = talk.answer("create_note")
    if answer is None:
        return talk.call("create_note", text=talk.request.what)
    return Move(talk.say("noted", link=_made(answer, talk.request.what)))


def _save(talk: Talk) -> Move:
    if not talk.before.strip():
        return Move(talk.say("nothing_to_save"))
    answer = talk.answer("create_note")
    if answer is None:
        return _kept(talk, talk.before, "capture", "")
    return Move(talk.say("saved", link=_made(answer, talk.before)))


def _kept(talk: Talk, text: str, kind: str, title: str) -> Move:
    """The call that keeps an answer as a note; its kind only where the tool knows kinds."""
    arguments: dict[str, object] = {"text": text}
    if title:
        arguments["title"] = title
    properties = talk.tools.get("create_note", {}).get("properties")
    if isinstance(properties, dict) and "kind" in properties:
        arguments["kind"] = kind
    return talk.call("create_note", **arguments)


def _made(result: JsonDict, text: str) -> str:
    """A link to the note that was just made."""
    made = notes(result)
    if not made:
        return label("", text)
    return link(made[0] if made[0].title or made[0].text else Note(made[0].id, "", text, (), ""))


# -- research


def _research(talk: Talk) -> Move:
    made = talk.answer("create_note")
    if made is None:
        # Not even the note, where research can't follow: a question alone is nothing that was asked for.
        if "start_research" not in talk.tools:
            return talk.call("start_research")
        return talk.call("create_note", text=talk.request.what)
    found = notes(made)
    if not found:
        return Move(talk.say("failed", message="create_note"))
    if talk.answer("start_research") is None:
        return talk.call("start_research", note_id=found[0].id)
    return Move(talk.say("research", link=_made(made, talk.request.what)))


def _research_note(talk: Talk) -> Move:
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("start_research") is None:
        return talk.call("start_research", note_id=note.id)
    return Move(talk.say("research", link=link(note)))


# -- a step back


_TAKEN_BACK: dict[str, Phrase] = {
    "note_created": "back_made",
    "note_changed": "back_changed",
    "note_deleted": "back_deleted",
    "tasks_created": "back_tasks",
    "task_changed": "back_task",
}


def _undo(talk: Talk) -> Move:
    if _UNDO not in talk.tools:
        return Move(talk.say("undo"))
    answer = talk.answer(_UNDO)
    if answer is None:
        return talk.call(_UNDO)
    id = value(answer, "note_id")
    told = talk.say(
        _TAKEN_BACK.get(value(answer, "undone"), "back"), link=link(Note(id, talk.say("the_note"), "", (), ""))
    )
    left = int(value(answer, "left") or 0)
    return Move(f"{told} {talk.say('back_more', count=left)}" if left else told)


_UNDO = "undo_change"


# -- what needs no tool, and what it can't do


def _words(talk: Talk) -> Move:
    """Said in words, and how far the person gets without."""
    phrase = _SAID[talk.request.kind]
    return Move(talk.say(phrase, what=inert(talk.request.what), about=inert(talk.request.about)))


_SAID: dict[str, Phrase] = {
    "help": "help",
    "thanks": "thanks",
    "delete_all": "delete_all",
    "repeat": "repeat",
    "compare": "compare",
    "cannot": "cannot",
    "statement": "statement",
}
_MOVES: dict[str, Callable[[Talk], Move]] = {
    **dict.fromkeys(_SAID, _words),
    "search": search,
    "memory": memory,
    "more": more,
    "tagged": tagged,
    "recent": recent,
    "count_notes": count_notes,
    "digest": _digest,
    "gist": _gist,
    "save": _save,
    "note": _note,
    "undo": _undo,
    "forget": forget,
    "links": links,
    "tag": edits.tag,
    "untag": edits.untag,
    "title": edits.title,
    "append": edits.append,
    "rewrite": edits.rewrite,
    "delete": edits.delete,
    "research": _research,
    "research_note": _research_note,
    "tasks": tasks.add,
    "remind": tasks.add,
    "tasks_all": tasks.leave_all,
    "list_tasks": tasks.list_tasks,
    "list_done": tasks.list_tasks,
    "task_done": tasks.set_status,
    "task_open": tasks.set_status,
    "task_dropped": tasks.set_status,
    "task_moved": tasks.put_off,
    "sum": _sum,
    "time": _time,
    "web": _web,
    "fetch": _fetch,
}
