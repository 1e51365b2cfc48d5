"""Deliveries as Eventarc and Pub/Sub post them, decoded: ids and attributes only, the payload is never trusted.

Shapes: Firestore events in HTTP binary mode (`ce-*` headers), their fallback in a Pub/Sub envelope, and plain push.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from shared.errors import Invalid

_WRITTEN = re.compile(r"google\.cloud\.firestore\.document\.v1\.(created|updated|deleted|written)(\.withAuthContext)?")
STALE_SECONDS = 3600
"""Older events are dropped: by then the sweep has found what they announced."""


@dataclass(frozen=True, slots=True)
class DocumentEvent:
    """A document was written or deleted; what it says now must be read."""

    id: str
    path: str
    at: float
    """Unix seconds of the write."""


class _Message(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)
    attributes: dict[str, str] = {}
    messageId: str = ""
    publishTime: datetime | None = None


class _Envelope(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)
    message: _Message
    subscription: str = ""
    deliveryAttempt: int = Field(default=1, ge=0)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A Pub/Sub message as pushed; `attempt` counts from one where the subscription counts at all."""

    id: str
    attributes: dict[str, str]
    attempt: int
    at: float | None


def pushed(body: bytes) -> Pushed:
    """A push delivery; Invalid where it is none."""
    try:
        envelope = _Envelope.model_validate_json(body)
    except ValidationError:
        raise Invalid("This is not a Pub/Sub push delivery.", code="not_a_push") from None
    message = envelope.message
    at = message.publishTime.timestamp() if message.publishTime else None
    return Pushed(message.messageId, message.attributes, max(1, envelope.deliveryAttempt), at)


def document_event(headers: Mapping[str, str], body: bytes) -> DocumentEvent:
    """A Firestore event; Invalid where it is none. Where the headers could not carry it, the envelope does."""
    fields = headers if "ce-type" in headers else pushed(body).attributes
    kind, path, event_id = fields.get("ce-type", ""), fields.get("ce-document", ""), fields.get("ce-id", "")
    if not _WRITTEN.fullmatch(kind) or not path or not event_id:
        raise Invalid("This is not a Firestore document event.", code="not_a_document_event")
    try:
        at = datetime.fromisoformat(fields.get("ce-time", "")).timestamp()
    except ValueError:
        raise Invalid("The event carries no time.", code="not_a_document_event") from None
    return DocumentEvent(event_id, path, at)
