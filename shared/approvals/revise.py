"""A proposal as a person changed it: other arguments for the same action on the same thing. Pure."""

from collections.abc import Iterator

from pydantic import JsonValue, ValidationError

from shared.edit import not_reserved
from shared.errors import Unprocessable
from shared.gateway.schema import explained
from shared.models.approval import Action, Approval
from shared.models.base import JsonDict

FIRST_LINES = 600
"""Characters of a text that a list carries."""


def arguments_of(action: Action) -> JsonDict:
    """The arguments as its tool takes them."""
    return action.arguments.model_dump(mode="json", exclude_none=True)


def revised(action: Action, changes: JsonDict) -> Action:
    """The action with these arguments in place of its own; null leaves one out.

    Unprocessable where the action's own model does not take them, where they name another note or task, or where
    they add a reserved tag.
    """
    asked = arguments_of(action)
    # What the person was shown would say nothing of another note or task.
    if fixed := [name for name in changes if name.endswith("_id") and changes[name] != asked.get(name)]:
        raise Unprocessable(
            f"changes.{fixed[0][:80]}: what the action is about can't be changed",
            next="Leave it out; reject this proposal and make the change yourself where you mean another one.",
        )
    merged = {name: value for name, value in {**asked, **changes}.items() if value is not None}
    try:
        arguments = type(action.arguments).model_validate(merged)
    except ValidationError as wrong:
        raise Unprocessable(f"changes: {'; '.join(explained(wrong)[:5])}", next="Correct it and send again.") from None
    wanted = action.model_copy(update={"arguments": arguments})
    before = set(_tags(asked))
    not_reserved(tag for tag in _tags(arguments_of(wanted)) if tag not in before)
    return wanted


def _tags(value: JsonValue, name: str = "") -> Iterator[str]:
    """Every tag in some arguments, wherever it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _tags(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _tags(inner, name)
    elif isinstance(value, str) and name in ("tags", "add_tags"):
        yield value


def shortened(approval: Approval) -> Approval:
    """The approval for a list: of long texts only the first lines."""
    arguments = arguments_of(approval.action)
    action = approval.action.model_copy(
        update={"arguments": type(approval.action.arguments).model_validate(_first_lines(arguments))}
    )
    return approval.model_copy(update={"action": action, "proposed": None})


def _first_lines(value: JsonValue, name: str = "") -> JsonValue:
    if isinstance(value, dict):
        return {key: _first_lines(inner, key) for key, inner in value.items()}
    if isinstance(value, str) and name in ("text", "body") and len(value) > FIRST_LINES:
        return f"{value[:FIRST_LINES]}…"
    return value
