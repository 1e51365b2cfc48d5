"""An answer that several functions give."""

from shared.models.base import Model
from shared.models.note import Note


class NoteAnswer(Model):
    """A note."""

    note: Note
