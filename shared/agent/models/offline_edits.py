"""The moves of requests that change a note. Each changes one, and of its text only what was named."""

from shared.agent.models.offline_meant import note_meant
from shared.agent.models.offline_reading import Note, inert, label, link, notes, quoted, sentences
from shared.agent.models.offline_talk import Move, Talk
from shared.models.base import kebab
from shared.search import tokens, words

_ENDS = ".!?…:;"


def _tags(talk: Talk) -> list[str] | Move:
    """The tags that were named, as tags are written, or that one can't be a tag."""
    named: list[str] = []
    for tag in talk.request.values:
        try:
            named.append(kebab(tag))
        except ValueError:
            return Move(talk.say("bad_tag", what=inert(tag)))
    return named


def tag(talk: Talk) -> Move:
    """Tags beside those that are there."""
    added = _tags(talk)
    if isinstance(added, Move):
        return added
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    tags = list(dict.fromkeys([*note.tags, *added]))
    if talk.answer("update_note") is None:
        return talk.call("update_note", note_id=note.id, changes={"add_tags": added})
    return Move(talk.say("tagged", link=link(note), tags=_hashed(tags)))


def untag(talk: Talk) -> Move:
    """Tags off."""
    gone = _tags(talk)
    if isinstance(gone, Move):
        return gone
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    left = [tag for tag in note.tags if tag not in gone]
    if talk.answer("update_note") is None:
        if len(left) == len(note.tags):
            return Move(talk.say("not_tagged", link=link(note), tags=_hashed(gone)))
        return talk.call("update_note", note_id=note.id, changes={"tags": left})
    if not left:
        return Move(talk.say("untagged_all", link=link(note)))
    return Move(talk.say("tagged", link=link(note), tags=_hashed(left)))


def _hashed(tags: list[str]) -> str:
    return " ".join(f"#{inert(tag)}" for tag in tags)


def title(talk: Talk) -> Move:
    """Another title."""
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("update_note") is None:
        return talk.call("update_note", note_id=note.id, changes={"title": talk.request.what})
    return Move(talk.say("titled", link=link(Note(note.id, talk.request.what, "", (), ""))))


def append(talk: Talk) -> Move:
    """The words below what the note says."""
    note = _whole(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("update_note") is None:
        body = f"{note.text.rstrip()}\n\n{talk.request.what}".lstrip()
        return talk.call("update_note", note_id=note.id, changes={"body": body})
    return Move(talk.say("appended", link=link(note), new=quoted(talk.request.what)))


def rewrite(talk: Talk) -> Move:
    """The words in the place of the one sentence that says something of the same; where that is not clear, none."""
    note = _whole(talk)
    if isinstance(note, Move):
        return note
    old = replaced(note.text, talk.request.what)
    if not old:
        return Move(talk.say("which_sentence", link=link(note)))
    new = _ended(talk.request.what, old)
    if talk.answer("update_note") is None:
        return talk.call("update_note", note_id=note.id, changes={"body": note.text.replace(old, new)})
    return Move(talk.say("rewritten", link=link(note), old=quoted(old), new=quoted(new)))


def _whole(talk: Talk) -> Note | Move:
    """The note that is meant, with all of its text, or the move that reads it."""
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    answer = talk.answer("get_note")
    if answer is None:
        return talk.call("get_note", note_id=note.id)
    return next(iter(notes(answer)), note)


def replaced(body: str, new: str) -> str:
    """The sentence of a text that a new one replaces: the only one, or the only one that shares a word; else ""."""
    found = sentences(body)
    wanted = set(words(new))
    near = found if len(found) == 1 else [one for one in found if wanted & set(tokens("", one, []))]
    # What a reader sees as one sentence may stand in marks: then it is not there word for word.
    return near[0] if len(near) == 1 and body.count(near[0]) == 1 else ""


def _ended(new: str, old: str) -> str:
    """The new sentence, ended as the old one was."""
    return f"{new}{old[-1]}" if old[-1] in ".!" and new[-1] not in _ENDS else new


def delete(talk: Talk) -> Move:
    """A note into the bin."""
    note = note_meant(talk)
    if isinstance(note, Move):
        return note
    if talk.answer("delete_note") is None:
        return talk.call("delete_note", note_id=note.id)
    return Move(talk.say("deleted", what=f"“{label(note.title, note.text)}”"))
