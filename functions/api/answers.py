"""An answer that several resources give."""

from shared.models.base import Model
from shared.models.operation import Operation


class OperationAnswer(Model):
    """An operation."""

    operation: Operation
