"""The bus port: tell others that something happened. Messages carry ids, never text, and may be lost or repeated."""

from typing import Literal, Protocol

Topic = Literal["note-events", "operation-events"]


SUBSCRIPTIONS: dict[str, tuple[Topic, dict[str, str]]] = {
    "enrich": ("note-events", {"enrich": "true"}),
    "research": ("note-events", {"research": "true"}),
    "dispatch": ("operation-events", {}),
}
"""Which function hears which topic, and the attributes that a message must have; here as in infra/gcp/pubsub.tf."""


class Bus(Protocol):
    """Where messages go."""

    async def publish(self, topic: Topic, attributes: dict[str, str]) -> None:
        """Hand one message over; it is delivered at least once to every subscription that wants it."""
        ...
