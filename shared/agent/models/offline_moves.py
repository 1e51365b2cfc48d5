"""The next move for a plain request: the tool to call now, or what to say of what the tools answered. It runs nothing.

Each kind of request has one function. It looks at the answers that are there and takes the step that is missing, so a
turn that was suspended goes on where it stood.
"""

from collections.abc import Callable
from datetime import datetime

from shared.agent.models.offline_looking import (
    LISTED,
    MOST_LISTED,
    count_notes,
    digest,
    line,
    list_tasks,
    memory,
    more,
    period,
    recent,
    search,
    tagged,
    task_lines,
)
from shared.agent.models.offline_phrases import WEEKDAYS, Phrase
from shared.agent.models.offline_reading import (
    Note,
    inert,
    inner,
    label,
    link,
    matching,
    notes,
    pages,
    quoted,
    sentences,
    tasks,
    value,
    web_link,
)
from shared.agent.models.offline_talk import Move, Talk
from shared.models.base import JsonDict, kebab

MOST_TASKS = 20
"""That one call may add."""
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
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    answer = talk.answer("get_note")
    if answer is None:
        return talk.call("get_note", note_id=note.id)
    whole = next(iter(notes(answer)), note)
    lines = [f"- {quoted(sentence)}" for sentence in sentences(whole.text)[:GIST]]
    return Move("\n".join([talk.say("gist", link=link(whole)), "", *lines]) if lines else line(whole))


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


def _tasks(talk: Talk) -> Move:
    wanted = talk.request.values
    if talk.answer("create_tasks") is None:
        return talk.call("create_tasks", tasks=[{"title": title} for title in wanted[:MOST_TASKS]])
    alarm = talk.say("no_alarm")
    # Once in a conversation is enough.
    note = f"\n\n{alarm}" if talk.request.kind == "remind" and alarm not in talk.told else ""
    if len(wanted) == 1:
        return Move(talk.say("task_added", what=inert(wanted[0])) + note)
    lines = [f"- {inert(title)}" for title in wanted[:MOST_TASKS]]
    told = [talk.say("tasks_added", count=len(lines)), "", *lines]
    if len(wanted) > MOST_TASKS:
        told += ["", talk.say("tasks_left", count=len(wanted) - MOST_TASKS, what=inert(wanted[MOST_TASKS]))]
    return Move("\n".join(told) + note)


_STATUS: dict[str, tuple[str, str, Phrase]] = {
    "task_done": ("open", "done", "task_done"),
    "task_open": ("done", "open", "task_open"),
    "task_dropped": ("open", "dropped", "task_dropped"),
}


def _task_status(talk: Talk) -> Move:
    before, after, phrase = _STATUS[talk.request.kind]
    listed = talk.answer("list_tasks")
    if listed is None:
        return talk.call("list_tasks", status=before, limit=MOST_LISTED)
    about = talk.request.about
    known = tasks(listed)
    same = [one for one in known if one.title.strip().casefold() == about.casefold()]
    scores = matching(about, ((one.title, "", one.tags) for one in known))
    fitting = same or [one for one, score in zip(known, scores, strict=True) if score >= 1]
    if not fitting:
        return Move(talk.say("no_task", what=talk.asked()))
    if len(fitting) > 1:
        lines = [f"- {inert(one.title)}" for one in fitting[:LISTED]]
        return Move("\n".join([talk.say("which_task", what=talk.asked()), "", *lines]))
    if talk.answer("update_task") is None:
        return talk.call("update_task", task_id=fitting[0].id, changes={"status": after})
    return Move(talk.say(phrase, what=inert(fitting[0].title)))


def _tasks_all(talk: Talk) -> Move:
    """Many at once are not changed by one word; they are listed, to be named one by one."""
    listed = talk.answer("list_tasks")
    if listed is None:
        return talk.call("list_tasks", status="open", limit=MOST_LISTED)
    lines = task_lines(talk, listed)
    return Move("\n".join([talk.say("tasks_one_by_one"), "", *lines]) if lines else talk.say("no_tasks"))


# -- changing a note


def _meant(talk: Talk) -> Note | Move:
    """The note that is meant, or the move that finds it or asks."""
    about = talk.request.about
    answer = talk.answer("search_notes") if about else talk.answer("list_recent_notes")
    if answer is None:
        return talk.call("search_notes", query=about, limit=8) if about else talk.call("list_recent_notes", limit=10)
    found = notes(answer)
    if not about:
        # "My last note" is one that the person wrote, unless there are only others.
        own = [note for note in found if note.kind in ("", "capture", "link")]
        return (own or found)[0] if found else Move(talk.say("no_notes"))
    scores = matching(about, ((one.title, one.text, one.tags) for one in found))
    top = max(scores, default=0.0)
    # What goes to the bin must be the only one that fits; elsewhere the best may be taken, since it can be undone.
    least = 1.0 if talk.request.kind == "delete" else max(top, 1.0)
    fitting = [note for note, score in zip(found, scores, strict=True) if score >= least]
    named = [note for note in found if note.title.strip().casefold() == about.casefold()]
    if len(named or fitting) == 1:
        return (named or fitting)[0]
    if not fitting:
        return Move(talk.say("found_nothing" if talk.request.kind == "gist" else "no_note", what=talk.asked()))
    return Move("\n".join([talk.say("which_note", what=talk.asked()), "", *map(line, fitting)]))


def _tags(talk: Talk) -> list[str] | Move:
    """The tags that were named, as tags are written, or that one can't be a tag."""
    named: list[str] = []
    for tag in talk.request.values:
        try:
            named.append(kebab(tag))
        except ValueError:
            return Move(talk.say("bad_tag", what=inert(tag)))
    return named


def _tag(talk: Talk) -> Move:
    added = _tags(talk)
    if isinstance(added, Move):
        return added
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    tags = list(dict.fromkeys([*note.tags, *added]))
    if talk.answer("update_note") is None:
        return talk.call("update_note", note_id=note.id, changes={"add_tags": added})
    return Move(talk.say("tagged", link=link(note), tags=_hashed(tags)))


def _untag(talk: Talk) -> Move:
    gone = _tags(talk)
    if isinstance(gone, Move):
        return gone
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    left = [tag for tag in note.tags if tag not in gone]
    if talk.answer("update_note") is None:
        if len(left) == len(note.tags):
            return Move(talk.say("not_tagged", link=link(note), tags=_hashed(gone)))
        return talk.call("update_note", note_id=note.id, changes={"tags": left})
    if not left:
        return Move(talk.say("untagged_all", link=link(note)))
    return Move(talk.say("tagged", link=link(note), tags=_hashed(left)))


def _hashed(tags: list[str]) -> str:
    return " ".join(f"#{inert(tag)}" for tag in tags)


def _title(talk: Talk) -> Move:
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("update_note") is None:
        return talk.call("update_note", note_id=note.id, changes={"title": talk.request.what})
    return Move(talk.say("titled", link=link(Note(note.id, talk.request.what, "", (), ""))))


def _delete(talk: Talk) -> Move:
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("delete_note") is None:
        return talk.call("delete_note", note_id=note.id)
    return Move(talk.say("deleted", what=f"“{label(note.title, note.text)}”"))


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
    note = _meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("start_research") is None:
        return talk.call("start_research", note_id=note.id)
    return Move(talk.say("research", link=link(note)))


# -- what needs no tool, and what it can't do


def _words(talk: Talk) -> Move:
    """Said in words, and how far the person gets without."""
    phrase = _SAID[talk.request.kind]
    return Move(talk.say(phrase, what=inert(talk.request.what), about=inert(talk.request.about)))


_SAID: dict[str, Phrase] = {
    "help": "help",
    "thanks": "thanks",
    "undo": "undo",
    "delete_all": "delete_all",
    "repeat": "repeat",
    "compare": "compare",
    "cannot": "cannot",
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
    "tag": _tag,
    "untag": _untag,
    "title": _title,
    "delete": _delete,
    "research": _research,
    "research_note": _research_note,
    "tasks": _tasks,
    "remind": _tasks,
    "tasks_all": _tasks_all,
    "list_tasks": list_tasks,
    "list_done": list_tasks,
    "task_done": _task_status,
    "task_open": _task_status,
    "task_dropped": _task_status,
    "sum": _sum,
    "time": _time,
    "web": _web,
    "fetch": _fetch,
}
