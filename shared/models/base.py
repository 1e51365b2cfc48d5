"""What every model shares: closed shapes, no input in error texts, UTC times that sort as text."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue, PlainSerializer

JsonDict = dict[str, JsonValue]


def rfc3339(moment: datetime) -> str:
    """A time in UTC with microseconds always: the text order is the time order."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment(seconds: float) -> datetime:
    """Unix seconds as an aware time."""
    return datetime.fromtimestamp(seconds, UTC)


Time = Annotated[datetime, PlainSerializer(rfc3339, return_type=str, when_used="json")]


LATER = ConfigDict(defer_build=True)
"""Built at its first use: a function that has just been started needs few of the shapes that it knows."""


class Model(BaseModel):
    """A closed, immutable shape."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, **LATER)


class Record(Model):
    """A stored document: what is common to all."""

    id: str
    created_at: Time
    updated_at: Time
    revision: int = 1
    """Counts the document's changes; clients send it as If-Match."""

    def changed(self, now: float, **fields: object) -> Self:
        """The record with new values, validated, one revision further: the only way in which a record changes."""
        stamp = {"revision": self.revision + 1, "updated_at": moment(now)}
        return type(self).model_validate({**dict(self), **fields, **stamp})

    def document(self) -> JsonDict:
        """The document as stored: plain JSON, without what the path already says."""
        return self.model_dump(mode="json", exclude={"id"})


_SEPARATORS = re.compile(r"[\s_]+")
_RUNS = re.compile(r"-{2,}")


def _kept(char: str) -> bool:
    # Marks belong to the letter before them: without them Hindi and Thai words lose their vowels.
    return char in "-/" or unicodedata.category(char)[0] in "LNM"


def _one_tag(text: str) -> str:
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise ValueError("a tag may not hold control characters")
    tag = unicodedata.normalize("NFKC", text).strip().lstrip("#").lower()
    tag = "".join(filter(_kept, _SEPARATORS.sub("-", tag)))
    tag = "/".join(part for raw in tag.split("/") if (part := _RUNS.sub("-", raw).strip("-")))
    if not tag:
        raise ValueError("a tag needs at least one letter or digit")
    if len(tag) > 64:
        raise ValueError("a tag may have at most 64 characters")
    return tag


def kebab(text: str) -> str:
    """A tag in kebab-case, nested parts separated by `/`; ValueError where nothing usable is left."""
    return _one_tag(text)


def _distinct(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


Tag = Annotated[str, AfterValidator(_one_tag)]
Tags = Annotated[list[Tag], AfterValidator(_distinct)]

RESEARCH = "research"
"""The tag with which a user asks for research; nobody else may add it."""
REPORT = "research-report"
"""The tag of what research wrote."""
RESERVED_TAGS = frozenset({RESEARCH, REPORT})
