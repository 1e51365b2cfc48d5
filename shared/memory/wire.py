"""What the memory service says, as our own types. It tolerates what is missing, and refuses what it can't place."""

from collections.abc import Iterator
from datetime import datetime
from typing import get_args

from pydantic import JsonValue

from shared.memory.service import Outcome, Row, State, Trouble, Work
from shared.models.base import JsonDict
from shared.models.memory import Action

SOURCE = "source_event"
"""The key, in metadata and in revision labels, of the opaque id that a memory comes from."""
UNKNOWN = 2
"""The RPC code of an error that names none."""
_ACTIONS: tuple[Action, ...] = get_args(Action)


def work(body: JsonValue) -> Work:
    """An operation."""
    if not isinstance(body, dict) or not isinstance(body.get("name"), str):
        raise _nonsense()
    name, error, response = str(body["name"]), body.get("error"), body.get("response")
    done = body.get("done") is True
    code = error.get("code") if isinstance(error, dict) else None
    answer: JsonDict = response if done and isinstance(response, dict) else {}
    parent, below, _ = name.partition("/operations/")
    return Work(
        name,
        done,
        error_code=(code if isinstance(code, int) else UNKNOWN) if done and error is not None else None,
        # Of one memory the last counts: that is what is to be seen of it.
        outcomes=tuple({one.name: one for one in _outcomes(answer)}.values()),
        memory=_text(answer.get("name")) or (parent if below and "/memories/" in parent else None),
        purged=int(str(answer.get("purgeCount", 0))),
    )


def _outcomes(answer: JsonDict) -> Iterator[Outcome]:
    for one in dicts(answer.get("generatedMemories")):
        memory, action = one.get("memory"), one.get("action")
        name = memory.get("name") if isinstance(memory, dict) else None
        known = next((word for word in _ACTIONS if word == action), None)
        if not isinstance(name, str) or known is None:
            # Taken for nothing, it would be taken for healthy.
            raise _nonsense()
        yield Outcome(name, known)


def row(body: JsonValue) -> Row:
    """A memory."""
    if not isinstance(body, dict) or not isinstance(body.get("name"), str):
        raise _nonsense()
    scope, fact, created = body.get("scope"), body.get("fact"), _time(body.get("createTime"))
    return Row(
        name=str(body["name"]),
        fact=fact if isinstance(fact, str) else "",
        # A row without a scope belongs to nobody that we know: it compares unequal to every scope.
        scope={key: str(value) for key, value in scope.items()} if isinstance(scope, dict) else {},
        created_at=created,
        updated_at=_time(body["updateTime"]) if "updateTime" in body else created,
        expires_at=_time(body["expireTime"]) if "expireTime" in body else None,
        source=_text(_of(_of(body.get("metadata"), SOURCE), "stringValue")),
    )


def state(body: JsonDict) -> State:
    """A revision."""
    return State(
        id=str(body.get("name", "")).rpartition("/")[2],
        fact=_text(body.get("fact")) or "",
        created_at=_time(body.get("createTime")),
        expires_at=_time(body["expireTime"]) if "expireTime" in body else None,
        source=_text(_of(body.get("labels"), SOURCE)),
    )


def dicts(value: JsonValue) -> list[JsonDict]:
    """The objects of a list; a list that is missing is empty."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _of(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


def _time(value: JsonValue) -> datetime:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        raise _nonsense() from None
    if found.tzinfo is None:
        raise _nonsense()
    return found


def _nonsense() -> Trouble:
    return Trouble("The memory service's answer can't be read", next="Try again; the notes are not affected.")
