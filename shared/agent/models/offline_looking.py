"""The moves of requests that only look: searches, lists, digests and counts. None of them changes anything."""

from collections.abc import Iterable

from shared.agent.models.offline_days import made_on
from shared.agent.models.offline_phrases import Phrase
from shared.agent.models.offline_quotes import ROUTINE, answering
from shared.agent.models.offline_reading import (
    Fact,
    Note,
    held,
    inert,
    inner,
    link,
    matching,
    notes,
    quoted,
    sentences,
    value,
)
from shared.agent.models.offline_talk import Move, Talk
from shared.models.base import JsonDict, kebab
from shared.search import tokens, words

SHOWN = 3
"""Notes that an answer quotes."""
LISTED = 50
MOST_LISTED = 100
"""Tasks that the tool lists at most."""
DIGESTED = 12
"""Lines of a digest."""
AGES = 3650
"""Days that reach back to the first note, for a tool that counts only within days."""
FORGOTTEN = 0.75
"""Share of the words of what no longer holds that a memory must hold to be what is meant."""
ENOUGH = 0.5
"""Share of a question's words that a note must hold to be an answer; search itself is content with fewer."""


_WRITTEN: dict[str, Phrase] = {"research": "a_report", "digest": "a_digest", "review": "a_review"}


def cited(talk: Talk, note: Note) -> str:
    """The link to a note; one that the person didn't write is called what it is."""
    phrase = _WRITTEN.get(note.kind)
    return f"{link(note)} ({talk.say(phrase)})" if phrase else link(note)


def line(talk: Talk, note: Note) -> str:
    """A note in a list: how it begins, and its link."""
    first = next(iter(sentences(note.text)), "")
    return f"- {quoted(first)} — {cited(talk, note)}" if first else f"- {cited(talk, note)}"


def _lines(talk: Talk, found: Iterable[Note]) -> list[str]:
    return [line(talk, note) for note in found]


def search(talk: Talk) -> Move:
    """Sentences of the notes that answer a question, after what is remembered of the person that answers it."""
    question = talk.request.what
    known = [] if talk.request.follows else told(talk, question)
    answer = talk.answer("search_notes")
    if answer is None:
        if known and "search_notes" not in talk.tools:
            return Move("\n".join(known))
        return talk.call("search_notes", query=question, limit=8)
    fitting = _next_topic(talk, notes(answer)) if talk.request.follows else _fitting(question, notes(answer))
    asked = f"{question} {talk.earlier}" if talk.request.follows else question
    lines = [f"- {quoted(one)} — {cited(talk, note)}" for one, note in answering(fitting, asked, shown=SHOWN, each=2)]
    if not lines:
        nothing = talk.say("unclear" if talk.request.loose else "found_nothing", what=inert(question))
        return Move("\n".join(known) or nothing)
    return Move("\n".join([*known, *([""] if known else []), talk.say("found"), "", *lines]))


def memory(talk: Talk) -> Move:
    """What is remembered of the person, with its source; on a matter of which nothing is, the notes may tell."""
    about = talk.request.what
    lines = told(talk, about)
    if lines:
        return Move("\n".join(lines if about else [*lines, "", talk.say("remembered_more")]))
    return search(talk) if about else Move(talk.say("remembered_none"))


def forget(talk: Talk) -> Move:
    """Whether something of the kind is remembered: the turn's own words are what has it forgotten, as with any fact."""
    about = set(words(talk.request.what))
    facts = (set(tokens("", fact.text, [])) for fact in talk.remembered)
    known = any(about and len(about & fact) / len(about) >= FORGOTTEN for fact in facts)
    return Move(talk.say("forgotten" if known else "not_forgotten", what=inert(talk.request.what)))


def told(talk: Talk, about: str) -> list[str]:
    """The memories that hold enough of these words, as lines; all of them where there are no words."""
    wanted = words(about)
    lines: list[str] = []
    for fact in talk.remembered:
        here = set(tokens("", fact.text, []))
        if not wanted or sum(word in here for word in wanted) / len(wanted) >= ENOUGH:
            lines.append(f"- {quoted(fact.text)}{_source(talk, fact)}")
    return [talk.say("remembered"), "", *lines] if lines else []


_SOURCES: dict[str, Phrase] = {"chat": "source_chat", "edit": "source_edit", "rollback": "source_rollback"}


def _source(talk: Talk, fact: Fact) -> str:
    day = talk.today.at(fact.at) if talk.today else None
    phrase = _SOURCES.get(fact.source)
    return f" — {talk.say(phrase, day=day or inert(fact.at[:10]))}" if phrase else ""


def _fitting(question: str, found: list[Note]) -> list[Note]:
    scores = matching(question, ((one.title, one.text, one.tags) for one in found))
    return [note for note, score in zip(found, scores, strict=True) if score >= ENOUGH]


def _next_topic(talk: Talk, found: list[Note]) -> list[Note]:
    """The notes on what a follow-up names anew; those that also speak of what was asked before come first."""
    before = set(words(talk.earlier))
    asked = words(talk.request.what)
    new = [word for word in asked if word not in before] or asked
    fitting = [note for note in found if held(note, new) >= ENOUGH]
    return sorted(fitting, key=lambda note: -held(note, [*asked, *before]))


def more(talk: Talk) -> Move:
    """The sentences that the last answer to a question left out."""
    asked = talk.repeated
    if asked is None or asked.kind != "search":
        return Move(talk.say("no_more"))
    answer = talk.answer("search_notes")
    if answer is None:
        return talk.call("search_notes", query=asked.what, limit=20)
    fitting = _fitting(asked.what, notes(answer))
    found = answering(fitting, asked.what, shown=2 * SHOWN, each=4, told=talk.told)
    lines = [f"- {quoted(one)} — {cited(talk, note)}" for one, note in found]
    if not lines:
        return Move(talk.say("all_told", what=inert(asked.what)))
    return Move("\n".join([talk.say("found_more", what=inert(asked.what)), "", *lines]))


def tagged(talk: Talk) -> Move:
    """The notes with a tag."""
    try:
        tag = kebab(talk.request.what)
    except ValueError:
        return Move(talk.say("bad_tag", what=inert(talk.request.what)))
    answer = talk.answer("search_notes")
    if answer is None:
        return talk.call("search_notes", query=tag, tag=tag, limit=20)
    found = [note for note in notes(answer) if tag in note.tags]
    if not found:
        return Move(talk.say("no_tagged", tag=inert(tag)))
    return Move("\n".join([talk.say("tagged_notes", tag=inert(tag)), "", *_lines(talk, found)]))


def recent(talk: Talk) -> Move:
    """The newest notes."""
    answer = talk.answer("list_recent_notes")
    if answer is None:
        count = talk.request.what
        return talk.call("list_recent_notes", limit=min(int(count), LISTED) if count.isdecimal() and int(count) else 5)
    found = notes(answer)
    if not found:
        return Move(talk.say("no_notes"))
    return Move("\n".join([talk.say("recent"), "", *_lines(talk, found)]))


def links(talk: Talk) -> Move:
    """The pages that were saved, of some days or of all."""
    answer = talk.answer("list_recent_notes")
    if answer is None:
        return talk.call("list_recent_notes", limit=LISTED, days=talk.request.days or AGES)
    listed, ago = notes(answer), talk.request.ago
    found = [note for note in listed if note.kind == "link"]
    if talk.today and ago is not None:
        found = made_on(found, talk.today, talk.today.ago(ago))
    told = [talk.say("links"), "", *_lines(talk, found)] if found else [talk.say("no_links")]
    if inner(answer).get("more") is True:
        told += ["", talk.say("not_all", count=len(listed))]
    return Move("\n".join(told))


def count_notes(talk: Talk) -> Move:
    """How many notes there are."""
    answer = talk.answer("list_recent_notes")
    if answer is None:
        return talk.call("list_recent_notes", limit=LISTED, days=AGES)
    found, there = notes(answer), _total(answer)
    if not found:
        return Move(talk.say("no_notes"))
    return Move(talk.say("counted_least" if _unsure(answer) else "counted", count=there))


def _total(answer: JsonDict) -> int:
    """How many notes there are with those that are not listed."""
    told = value(answer, "total")
    return max(int(told) if told.isdecimal() else 0, len(notes(answer)))


def _unsure(answer: JsonDict) -> bool:
    """Whether the count is only the least: the tool ended it at a round number, or doesn't count."""
    told = value(answer, "total")
    return inner(answer).get("more") is True and (not told.isdecimal() or int(told) % 100 == 0)


def period(talk: Talk) -> str:
    """The days of a digest in words."""
    days, ago = talk.request.days, talk.request.ago
    if talk.today and ago is not None:
        return talk.say("yesterday" if ago else "today")
    return talk.say("days" if days > 1 else "day", days=days)


def digest(talk: Talk, answer: JsonDict) -> str:
    """The notes of the days, at most a dozen lines; "" where there are none."""
    listed = notes(answer)
    found = [note for note in listed if note.kind not in ROUTINE]
    ago, unsure = talk.request.ago, _unsure(answer)
    if talk.today and ago is not None:
        day = talk.today.ago(ago)
        # The list is newest first: where it reaches past the day, all of the day is in it.
        last = talk.today.of(listed[-1]) if listed else None
        unsure = inner(answer).get("more") is True and last is not None and last >= day
        found = made_on(found, talk.today, day)
        count = len(found)
    else:
        count = _total(answer) - (len(listed) - len(found))
    if not found and not unsure:
        return ""
    shown = found[:DIGESTED]
    told = talk.say("least", count=count) if unsure else str(count)
    lines = [talk.say("digest", period=period(talk), count=told), "", *_lines(talk, shown)]
    if count > len(shown):
        lines += ["", talk.say("more", count=count - len(shown))]
    if unsure:
        lines += ["", talk.say("not_all", count=len(listed))]
    return "\n".join(lines)
