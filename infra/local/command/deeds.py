"""What a tool does, in plain words, as the web client says it. What is not in the table is called by its name."""

import json
from collections.abc import Callable
from typing import NamedTuple

from infra.local.command.answers import Json, child, children, text

_LONG = 80


class _Words(NamedTuple):
    doing: str
    did: str
    what: Callable[[Json], str]
    """What it is done to, as the arguments say it."""
    found: str = ""
    """The list of its result that is counted."""


def doing(tool: str, arguments: Json) -> str:
    """Such as `searching your notes for “pears”`."""
    words = _words(tool)
    return f"{words.doing} {words.what(arguments)}"


def did(tool: str, arguments: Json) -> str:
    """Such as `searched your notes for “pears”`."""
    words = _words(tool)
    return f"{words.did} {words.what(arguments)}"


def came(tool: str, result: Json) -> str:
    """What came of a call that found something or worked it out, such as `3 found`; empty for others."""
    if tool == "calculator":
        return f"it is {_short(text(result, 'result'))}" if text(result, "result") else ""
    if tool == "http_fetch":
        return _quoted(text(result, "title")).strip()
    if tool == "get_note":
        return _quoted(text(child(result, "note"), "title")).strip()
    if not (name := _words(tool).found) or not isinstance(result.get(name), list):
        return ""
    count = len(children(result, name))
    return f"{count} found" if count else "nothing found"


def sentence(words: str) -> str:
    """With a capital letter."""
    return words[:1].upper() + words[1:]


def _words(tool: str) -> _Words:
    return _TOOLS.get(tool) or _Words(
        "using", "used", lambda asked: f"{tool}: {json.dumps(asked, ensure_ascii=False)}" if asked else tool
    )


def _short(value: str) -> str:
    whole = " ".join(value.split())
    return whole if len(whole) <= _LONG else whole[: _LONG - 1].rstrip() + "…"


def _quoted(value: str) -> str:
    return f" “{_short(value)}”" if value.strip() else ""


def _about(of: str) -> Callable[[Json], str]:
    return lambda asked: of + (f" for{_quoted(text(asked, 'query'))}" if text(asked, "query").strip() else "")


def _just(words: str) -> Callable[[Json], str]:
    return lambda _asked: words


def _tasks(asked: Json) -> str:
    names = [text(one, "title") for one in children(asked, "tasks")]
    if len(names) == 1:
        return f"the task{_quoted(names[0])}"
    return f"{len(names)} tasks:{','.join(map(_quoted, names))}" if names else "tasks"


def _fields(of: str) -> Callable[[Json], str]:
    def what(asked: Json) -> str:
        names = [name.removeprefix("add_").replace("body", "text") for name in child(asked, "changes")]
        *others, last = dict.fromkeys(names) or ("",)
        if not last:
            return of
        return f"the {', the '.join(others)} and the {last} of {of}" if others else f"the {last} of {of}"

    return what


def _new_note(asked: Json) -> str:
    name = text(asked, "title") or text(asked, "text")
    return f"the note{_quoted(name)}" if name.strip() else "a note"


def _address(asked: Json) -> str:
    url = text(asked, "url")
    return _short(url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")) or "a page"


def _approval(asked: Json) -> str:
    action = child(asked, "action")
    tool = text(action, "tool")
    return f"for your approval of {doing(tool, child(action, 'arguments'))}" if tool else "for your approval"


def _shown(asked: Json) -> str:
    artifact = child(asked, "artifact")
    kind = text(artifact, "kind")
    return (f"a {kind}" if kind else "what it found") + _quoted(text(artifact, "title"))


def _prices(asked: Json) -> str:
    symbols = asked.get("symbols")
    names = ", ".join(str(one) for one in symbols) if isinstance(symbols, list) else ""
    return f"the price of {_short(names)}" if names else "prices"


_TOOLS: dict[str, _Words] = {
    "search_notes": _Words("searching", "searched", _about("your notes"), "notes"),
    "search_research": _Words("searching", "searched", _about("your reports"), "notes"),
    "get_note": _Words("reading", "read", _just("a note")),
    "list_recent_notes": _Words("looking", "looked", _just("through your latest notes"), "notes"),
    "list_tasks": _Words("looking", "looked", _just("through your tasks"), "tasks"),
    "calculator": _Words("working out", "worked out", lambda asked: _short(text(asked, "expression")) or "a number"),
    "current_time": _Words("looking", "looked", _just("at the clock")),
    "create_note": _Words("writing", "wrote", _new_note),
    "update_note": _Words("changing", "changed", _fields("a note")),
    "create_tasks": _Words("adding", "added", _tasks),
    "update_task": _Words("changing", "changed", _fields("a task")),
    "undo_change": _Words("taking", "took", _just("back the last change")),
    "queue_approval": _Words("asking", "asked", _approval),
    "start_research": _Words("starting", "started", _just("research on a note")),
    "web_search": _Words("searching", "searched", _about("the web"), "results"),
    "http_fetch": _Words("reading", "read", _address),
    "delete_note": _Words("moving", "moved", _just("a note to the bin")),
    "create_thesis": _Words("writing", "wrote", lambda asked: f"down the thesis{_quoted(text(asked, 'statement'))}"),
    "add_evidence": _Words("adding", "added", _just("evidence to a thesis")),
    "generate_artifact": _Words("laying out", "laid out", _shown),
    "ask_user": _Words("asking", "asked", lambda asked: f"you{_quoted(text(asked, 'question'))}"),
    "fetch_market_data": _Words("looking up", "looked up", _prices, "quotes"),
}
