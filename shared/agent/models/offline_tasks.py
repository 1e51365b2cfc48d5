"""The moves of requests about tasks: list, add, tick, move. Tasks have no dates: a day is words in a title."""

import re

from shared.agent.models.offline_looking import LISTED, MOST_LISTED
from shared.agent.models.offline_meant import task_meant
from shared.agent.models.offline_phrases import Phrase
from shared.agent.models.offline_reading import Task, inert, tasks
from shared.agent.models.offline_tables import SLOTS
from shared.agent.models.offline_talk import Move, Talk

MOST_TASKS = 20
"""That one call may add."""
TITLE = 500
"""Characters of a title."""
_DAY = re.compile(rf"[\s,]*\(?\b(?:{SLOTS['day']}|today|heute)\)?[\s.]*\Z", re.I)
_JOINS = frozenset("on by for until the next this coming am bis für nächsten nächste nächsten kommenden of".split())


def list_tasks(talk: Talk) -> Move:
    """The open tasks, or the finished ones; where a day was named, those that name it."""
    done = talk.request.kind == "list_done"
    answer = talk.answer("list_tasks")
    if answer is None:
        return talk.call("list_tasks", status="done" if done else "open", limit=MOST_LISTED)
    found = tasks(answer)
    day = inert(talk.request.what)
    if not found:
        return Move(talk.say("no_done" if done else "no_tasks"))
    named = [one for one in found if _names(one.title, day)] if day else []
    if named:
        return Move("\n".join([talk.say("tasks_named", day=day, count=len(named)), "", *_lines(talk, named)]))
    told = talk.say("tasks_done" if done else "tasks", count=len(found))
    none = [talk.say("none_named", day=day), ""] if day else []
    return Move("\n".join([*none, told, "", *_lines(talk, found)]))


def _lines(talk: Talk, found: list[Task]) -> list[str]:
    """Tasks as lines; the last one tells how many are not shown."""
    lines = [f"- {inert(one.title)}{''.join(f' #{inert(tag)}' for tag in one.tags)}" for one in found[:LISTED]]
    if len(found) > LISTED:
        lines.append(f"\n{talk.say('more', count=len(found) - LISTED)}")
    return lines


def _names(title: str, day: str) -> bool:
    """Whether a title holds the words of a day."""
    wanted = set(re.findall(r"\w+", day.lower())) - _JOINS
    return wanted <= set(re.findall(r"\w+", title.lower()))


def add(talk: Talk) -> Move:
    """New tasks."""
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


def set_status(talk: Talk) -> Move:
    """A task done, open again, or dropped."""
    before, after, phrase = _STATUS[talk.request.kind]
    task = task_meant(talk, before)
    if isinstance(task, Move):
        return task
    if talk.answer("update_task") is None:
        return talk.call("update_task", task_id=task.id, changes={"status": after})
    return Move(talk.say(phrase, what=inert(task.title)))


def put_off(talk: Talk) -> Move:
    """Another day in a task's title, in the place of the one that it ends with."""
    task = task_meant(talk, "open")
    if isinstance(task, Move):
        return task
    title = on_day(task.title, talk.request.what)
    if talk.answer("update_task") is None:
        return talk.call("update_task", task_id=task.id, changes={"title": title})
    return Move(talk.say("task_moved", what=inert(title)))


def on_day(title: str, day: str) -> str:
    """A title with this day behind it, and no other."""
    bare = _DAY.sub("", title) or title
    return f"{bare[: TITLE - len(day) - 3]} ({day})"


def leave_all(talk: Talk) -> Move:
    """Many at once are not changed by one word; they are listed, to be named one by one."""
    listed = talk.answer("list_tasks")
    if listed is None:
        return talk.call("list_tasks", status="open", limit=MOST_LISTED)
    lines = _lines(talk, tasks(listed))
    return Move("\n".join([talk.say("tasks_one_by_one"), "", *lines]) if lines else talk.say("no_tasks"))
