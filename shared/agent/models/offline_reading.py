"""What tools answered, read for quoting. Its text is only ever shown, as words: it starts nothing and links nowhere."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote as percent

from pydantic import JsonValue

from shared.agent.models.letters import whole
from shared.enrichment.proposal import cut, plain, visible
from shared.enrichment.sentences import split
from shared.enrichment.text import read
from shared.models.base import JsonDict
from shared.models.memory import REMEMBERED
from shared.search import tokens, words

LONGEST = 400
"""Characters of one quoted sentence."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note as a tool tells it."""

    id: str
    title: str
    text: str
    tags: tuple[str, ...]
    kind: str
    created: str = ""
    """When it was made, RFC 3339; empty where the tool doesn't tell."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task as a tool tells it."""

    id: str
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page, or a result of a search in the web."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as a turn is told it: what it says, where it comes from, and when that was (RFC 3339)."""

    text: str
    source: str
    at: str


def facts(material: str) -> list[Fact]:
    """The memories in a message of material; none where it holds something else."""
    try:
        found = json.loads(material)["data"][REMEMBERED]
    except (ValueError, TypeError, KeyError):
        return []
    entries = found if isinstance(found, list) else []
    told = [one for one in entries if isinstance(one, dict)]
    return [Fact(text, _text(one, "source"), _text(one, "at")) for one in told if (text := _text(one, "fact"))]


def inner(result: JsonDict) -> JsonDict:
    """A result without the wrapper that marks it as data."""
    data = result.get("data")
    return data if isinstance(data, dict) and "mark" in result else result


def notes(result: JsonDict) -> list[Note]:
    """The notes in a result: several, or the one."""
    found = inner(result)
    return [note for entry in _entries(found, "notes", "note") if (note := _note(entry)).id]


def _note(entry: JsonDict) -> Note:
    text = _text(entry, "body") or _text(entry, "excerpt") or _text(entry, "text")
    return Note(
        _text(entry, "note_id", "id"),
        _text(entry, "title"),
        text,
        _texts(entry),
        _text(entry, "kind"),
        _text(entry, "created_at"),
    )


def tasks(result: JsonDict) -> list[Task]:
    """The tasks in a result."""
    found = inner(result)
    entries = _entries(found, "tasks", "task")
    return [Task(id, _text(one, "title"), _texts(one)) for one in entries if (id := _text(one, "task_id", "id"))]


def pages(result: JsonDict) -> list[Page]:
    """The pages in a result: those that a search found, or the one that was read."""
    found = inner(result)
    entries = _entries(found, "results", "page") or [found]
    return [
        Page(url, _text(one, "title"), _text(one, "text", "snippet", "excerpt", "body", "content"))
        for one in entries
        if (url := _text(one, "url", "final_url", "link")).startswith(("http://", "https://"))
    ]


def value(result: JsonDict, *names: str) -> str:
    """The first of these values that is there, as text."""
    found = inner(result)
    return next((str(found[name]) for name in names if isinstance(found.get(name), str | int | float)), "")


def _entries(found: JsonDict, several: str, one: str) -> list[JsonDict]:
    entries = found.get(several)
    if isinstance(entries, list):
        return [entry for entry in entries if isinstance(entry, dict)]
    entry = found.get(one)
    return [entry] if isinstance(entry, dict) else []


def _text(entry: JsonDict, *names: str) -> str:
    return next((whole(text) for name in names if isinstance(text := entry.get(name), str) and text), "")


def _texts(entry: JsonDict) -> tuple[str, ...]:
    tags: JsonValue = entry.get("tags")
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


# -- which of them is meant


def matching(about: str, known: Iterable[tuple[str, str, Sequence[str]]]) -> list[float]:
    """For each (title, text, tags): how much of the words it holds, 0 to 1; more for words in its title."""
    wanted = words(about)
    scores: list[float] = []
    for title, text, tags in known:
        here, titled = set(tokens(title, text, list(tags))), set(tokens(title, "", []))
        held = sum(word in here for word in wanted) / len(wanted) if wanted else 0.0
        scores.append(held + sum(word in titled for word in wanted) / len(wanted) / 1000 if held else 0.0)
    return scores


def held(note: Note, wanted: Sequence[str]) -> float:
    """How much of these search words a note holds, 0 to 1."""
    here = set(tokens(note.title, note.text, list(note.tags)))
    return sum(word in here for word in wanted) / len(wanted) if wanted else 0.0


# -- what is shown of them

# An excerpt may end within a link; what is left of it is no word of anybody's.
_HALF_LINK = re.compile(r"[\s—–-]{0,4}\[[^\[\]]*(?:\]\([^()\s]*)?…\Z")
# A report's marks of its sources; behind the last one an excerpt may have been cut.
_CITE = re.compile(r"\s?\[cite:[\d\s,;–-]{0,500}(?:\]|…?\Z)", re.I)


def sentences(text: str) -> list[str]:
    """The sentences of a text, as a reader sees them; one that an excerpt cut off in front comes last, marked."""
    text = _CITE.sub("", text).strip()
    found = [
        _unmarked(sentence)
        for block in read(text.removeprefix("…")).blocks
        if block.kind in ("prose", "item", "row") and block.text
        for sentence in split(block.text)
        if any(map(str.isalnum, sentence))
    ]
    return [*found[1:], f"…{found[0]}"] if found and text.startswith("…") else found


def _unmarked(sentence: str) -> str:
    """A sentence without halves of marks: an excerpt, or the end of a sentence, may stand between the two."""
    sentence = _HALF_LINK.sub("", sentence.replace("[[", "").replace("**", ""))
    return sentence if "[" in sentence else sentence.replace("]]", "")


def best(found: Sequence[str], question: str, count: int) -> list[str]:
    """Of these sentences those with most of the question's words, in their order; the first where none holds any."""
    wanted = set(words(question))
    scored = [(len(wanted & set(tokens("", sentence, []))), -at, sentence) for at, sentence in enumerate(found)]
    chosen = sorted(sorted((one for one in scored if one[0]), reverse=True)[:count], key=lambda one: -one[1])
    return [sentence for _, _, sentence in chosen] or list(found[:1])


# What would be a link, code, HTML or an entity on the page; what is escaped already stays so.
_ACTIVE = re.compile(r"\\[^\w\s]|<(?=[a-zA-Z!?/])|&(?=#?\w{1,32};)|\](?=[(\[:])|`+")
_LABEL = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "'", "\\": "/"})


def inert(text: str) -> str:
    """Text on one line that can't pass for anything but words."""
    return _ACTIVE.sub(
        lambda sign: sign[0] if sign[0][0] == "\\" else "".join(f"\\{one}" for one in sign[0]), plain(text)
    )


def quoted(text: str) -> str:
    """A sentence in quotation marks."""
    return f"“{inert(cut(text, LONGEST))}”"


def label(title: str, text: str = "", otherwise: str = "Untitled") -> str:
    """Words for a link: the title, or how the text begins."""
    words = _unmarked(plain(_CITE.sub("", title))) or plain(next(iter(sentences(text)), ""))
    return cut(words, 80).translate(_LABEL) or otherwise


def link(note: Note) -> str:
    """A link to a note by its title. Ids are letters and digits; nothing else gets into an address."""
    shown = label(note.title, note.text)
    return f"[{shown}](#/notes/{note.id})" if note.id.isalnum() else shown


def web_link(page: Page) -> str:
    """A link to a page."""
    shown = label(page.title, otherwise=label(page.url))
    return f"[{shown}]({percent(visible(page.url), safe=':/?#@!$&*+,;=%~')})"
