"""A conversation in the shape that every service takes. It changes no text."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from shared.agent.model import Message


def settled(messages: Sequence[Message]) -> list[Message]:
    """The messages without calls that nobody answered and answers that nobody asked for.

    A turn that broke off leaves such halves behind, and a service refuses the whole conversation for one of them.
    """
    kept: list[Message] = []
    asked: set[str] = set()
    for at, message in enumerate(messages):
        if message.role == "tool":
            answers = tuple(one for one in message.answers if one.call_id in asked)
            asked -= {one.call_id for one in answers}
            if answers:
                kept.append(replace(message, answers=answers))
            continue
        answered = _answered(messages[at + 1 :]) if message.calls else set()
        calls = tuple(call for call in message.calls if call.id in answered)
        asked = {call.id for call in calls}
        if message.text or calls:
            kept.append(replace(message, calls=calls))
    return kept


def _answered(following: Iterable[Message]) -> set[str]:
    tools = takewhile(lambda one: one.role == "tool", following)
    return {answer.call_id for message in tools for answer in message.answers}
