"""What an operation's answer looks like; all else that lists share is in shared/paging.py."""

from shared.models.base import Model
from shared.models.operation import Operation
from shared.paging import Cursor, IfMatch, Key, Limit, answer, before, cursor_after, revision

__all__ = ["Cursor", "IfMatch", "Key", "Limit", "OperationAnswer", "answer", "before", "cursor_after", "revision"]


class OperationAnswer(Model):
    """An operation."""

    operation: Operation
