"""What enrichment proposes, and the gate that makes any proposal safe. It never sees a stored note."""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from shared.errors import MemexError, Upstream
from shared.models.base import RESERVED_TAGS, Model, kebab

TITLE, SUMMARY, TASK = 120, 400, 200
"""Characters that each may have."""
TAGS, TASKS = 8, 10
"""Tags of a note in all, and tasks of one proposal."""
TAG_LENGTH, TAG_WORDS = 40, 4
ANSWER = 200_000
"""Characters of a model's answer that are looked at; a longer one is not an answer to our question."""

_MARKED = re.compile(
    r"<!--|-->|</?[A-Za-z][^<>]{0,300}>|!?\[\[|\]\]|```+|`|\*\*|~~|==+|<\|[^|<>]{0,40}\|>"
    r"|!?\[(?=[^\[\]\n]{0,300}\]\()|\]\([^()\s]{0,500}\)"
)
_LEADING = re.compile(r"^(?:#{1,6}\s+|>+\s*|[-*+•]\s+(?:\[.\]\s*)?|\d{1,3}[.)]\s+)+")
_LABEL = re.compile(r"^(?:title|titel|summary|task)\s*:\s*", re.IGNORECASE)
_NOTHING = frozenset({"", "null", "none", "n/a", "na", "nil", "undefined", "untitled", "no title", "no summary"})
_FENCED = re.compile(r"\A```[a-z]{0,10}\s*\n(.*?)\n?```\Z", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\A<think>.{0,100000}?</think>", re.DOTALL)
_REFUSAL = re.compile(
    r"\b(?:i['’]?m|i am)\s+(?:very\s+|really\s+)?(?:sorry|unable|not able)\b"
    r"|\bi\s+(?:can['’]?t|cannot|can not|won['’]?t|will not)\s+"
    r"(?:help|assist|comply|do|fulfil|provide|process|summari[sz]e|create|generate|answer|continue)"
    r"|\bas an ai\b|\b(?:ich kann|kann ich) (?:dabei|dir|ihnen|das|diese) .{0,30}nicht\b"
    r"|\btut mir leid, (?:aber )?ich\b|\bje (?:suis désolé|ne peux pas)\b|\blo siento, (?:pero )?no puedo\b",
    re.IGNORECASE,
)
_HIDDEN = re.compile("[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_SIMPLE = re.compile(r"[^\W\d_](?:[\w,.'’?!%-]| (?! ))*(?<! )")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")

_FIELDS = frozenset({"title", "summary", "tag", "tags", "task", "tasks", "null", "json", "note", "text", "kind"})

Given = JsonValue | object
"""An answer's text, or the object it was read into."""


class Proposal(Model):
    """A title, a summary, tags to add and things to do. Only a proposal: nothing of it must be taken."""

    title: str | None = None
    summary: str | None = None
    tags: list[str] = []
    tasks: list[str] = []

    @property
    def empty(self) -> bool:
        """Whether it proposes nothing at all."""
        return not (self.title or self.summary or self.tags or self.tasks)


class BadAnswer(Upstream):
    """The model answered with something that is no proposal; asked again, it may do better."""

    code = "model_malformed"
    retryable = True


class Refused(Upstream):
    """The model will not work on this note; asking again changes nothing."""

    code = "model_refused"


def malformed(why: str) -> MemexError:
    """The error for an answer that is no proposal."""
    return BadAnswer(f"The model's answer could not be used: {why}.", next="It is tried again later.")


def nothing() -> MemexError:
    """The error for an answer without content."""
    return BadAnswer("The model answered with nothing.", code="model_empty", next="It is tried again later.")


def refused(why: str = "") -> MemexError:
    """The error for a refusal."""
    return Refused(
        f"The model refused to describe this note{f' ({why})' if why else ''}.",
        next="Write title and tags yourself, or choose another model.",
    )


def visible(text: str) -> str:
    """Text without characters that hide in words or change its direction."""
    return _HIDDEN.sub("", text)


def plain(text: str) -> str:
    """Text on one line, without control, hidden or direction-changing characters."""
    return _SPACE.sub(" ", _BREAKS.sub(" ", visible(text))).strip()


def one_line(text: str, limit: int) -> str:
    """Text on one line without markup, list marks and labels, at most `limit` characters."""
    text = text[: 4 * limit]
    if _SIMPLE.fullmatch(text):
        return cut(text, limit)
    while (bare := _MARKED.sub(lambda mark: " " if mark[0].startswith("<") else "", text)) != text:
        text = bare
    text = plain(text)
    while (bare := _LABEL.sub("", _LEADING.sub("", text))) != text:
        text = bare
    return cut(text, limit)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words and marked; text without spaces is cut where it must."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    at = head.rfind(" ")
    if at < limit // 3:
        at = limit - 1
        while at > 0 and (unicodedata.combining(text[at]) or text[at] == "\u200d"):
            at -= 1
    return head[:at].rstrip(" ,;:–—-([{«„“\"'") + "…"


def usable_tags(proposed: Iterable[str], existing: Iterable[str]) -> list[str]:
    """Proposed tags in kebab-case without those that may not be added, within the limit of the note."""
    present = set(_kebabs(existing))
    found: list[str] = []
    for tag in _kebabs(proposed):
        fits = len(tag) <= TAG_LENGTH and tag.count("-") + tag.count("/") < TAG_WORDS
        if fits and not is_reserved(tag) and tag not in present and any(map(str.isalpha, tag)):
            present.add(tag)
            found.append(tag)
    return found[: max(0, TAGS - len(set(_kebabs(existing))))]


def is_reserved(tag: str) -> bool:
    """Whether only a user may set this tag, however it is spelt."""
    letters = re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", tag)).casefold()
    return letters in _RESERVED


_RESERVED = frozenset(re.sub(r"\W", "", tag) for tag in RESERVED_TAGS)


def admit(proposed: Given, note_text: str, existing_tags: Sequence[str]) -> Proposal:
    """A model's answer made safe. Raises with code model_malformed, model_empty or model_refused."""
    answer = _object(proposed)
    title = _line(answer, "title", TITLE)
    summary = _line(answer, "summary", SUMMARY)
    for line in (title, summary):
        if line and _REFUSAL.search(line) and line.casefold() not in note_text.casefold():
            raise refused()
        if line and _echoes(line, note_text, run=6):
            raise malformed("it repeats the instructions")
    candidates = [plain(tag) for tag in _strings(answer, "tags") if not _MARKED.search(tag)]
    candidates = [tag for tag in candidates if not _foreign(tag, note_text)]
    tags = usable_tags(candidates, ())
    tasks = [one_line(task, TASK) for task in _strings(answer, "tasks")]
    tasks = [task for task in dict.fromkeys(tasks) if task and not _echoes(task, note_text, run=6)]
    if not (title or summary or tags or tasks):
        raise nothing()
    return Proposal(title=title, summary=summary, tags=usable_tags(tags, existing_tags), tasks=tasks[:TASKS])


@cache
def instruction() -> str:
    """What a model is told. Holds nothing of any note."""
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8").strip()


def _object(proposed: Given) -> dict[str, object]:
    if isinstance(proposed, Proposal):
        return proposed.model_dump()
    if isinstance(proposed, str | bytes):
        proposed = _parsed(proposed if isinstance(proposed, str) else proposed.decode("utf-8", "replace"))
    if proposed is None:
        raise nothing()
    if not isinstance(proposed, dict):
        raise malformed("it is not an object")
    return {str(key): value for key, value in proposed.items()}


def _parsed(text: str) -> object:
    if len(text) > ANSWER:
        raise malformed("it is far too long")
    text = _THOUGHT.sub("", text.strip().lstrip("\ufeff")).strip()
    if fenced := _FENCED.match(text):
        text = fenced[1].strip()
    if not text:
        raise nothing()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if _REFUSAL.search(text[:500]):
            raise refused() from None
        raise malformed("it is not JSON") from None


def _line(answer: dict[str, object], field: str, limit: int) -> str | None:
    value = answer.get(field)
    if value is None:
        return None
    if not isinstance(value, str):
        raise malformed(f"{field} is not text")
    text = one_line(value, limit)
    return None if text.casefold().strip(".") in _NOTHING or not any(map(str.isalnum, text)) else text


def _strings(answer: dict[str, object], field: str) -> list[str]:
    value = answer.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise malformed(f"{field} is not a list")
    if not all(isinstance(entry, str) for entry in value):
        raise malformed(f"{field} holds something that is not text")
    return [entry for entry in value[:100] if entry.strip().casefold() not in _NOTHING]


def _kebabs(tags: Iterable[str]) -> list[str]:
    found: list[str] = []
    for tag in tags:
        if any(unicodedata.category(char) in ("Mn", "Mc") for char in unicodedata.normalize("NFKC", tag)):
            continue  # kebab-case would take the vowel signs out of the word
        try:
            found.append(kebab(plain(tag)[:200]))
        except ValueError:
            continue
    return found


@cache
def _instruction_words() -> tuple[str, ...]:
    return tuple(_WORD.findall(instruction().casefold()))


@cache
def _instruction_runs(run: int) -> frozenset[tuple[str, ...]]:
    words = _instruction_words()
    return frozenset(words[at : at + run] for at in range(len(words) - run + 1))


def _foreign(tag: str, note_text: str) -> bool:
    """Whether a tag speaks of our question instead of the note."""
    if tag.casefold().strip("# ") in _FIELDS and tag.casefold().strip("# ") not in note_text.casefold():
        return True
    return _echoes(tag.replace("-", " ").replace("_", " "), note_text, run=3)


def _echoes(text: str, note_text: str, *, run: int) -> bool:
    """Whether `text` repeats a run of words of the instruction that is not the note's own."""
    words = tuple(_WORD.findall(text.casefold()))
    runs = _instruction_runs(run)
    echoed = [words[at : at + run] for at in range(len(words) - run + 1) if words[at : at + run] in runs]
    if not echoed:
        return False
    own = " ".join(_WORD.findall(note_text[:200_000].casefold()))
    return any(" ".join(part) not in own for part in echoed)
