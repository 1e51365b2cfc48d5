"""A review or a digest put together by rule: sentences of the notes, quoted, each with its link. It invents nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from shared.agent.models.offline_reading import Note as Source
from shared.agent.models.offline_reading import inert, link, quoted, sentences
from shared.enrichment.sentences import ENDED
from shared.enrichment.words import language
from shared.models.note import Task
from shared.routines.material import Material
from shared.search import words

BULLETS = 15
"""Of the whole note, so that it is read in a minute; what is left out of a part is counted there."""
_ENGLISH = {
    "captured": "Captured",
    "asked": "Questions",
    "reports": "Research that came in",
    "tasks": "Open tasks",
    "note": "note",
    "other": "Other",
    "more": "And {count} more.",
    "left": "And {count} older notes.",
    "left_one": "And an older note.",
    "daily_review": "Review of {day}",
    "nightly_digest": "Digest of {day}",
}
_GERMAN = {
    "captured": "Notiert",
    "asked": "Fragen",
    "reports": "Neue Rechercheberichte",
    "tasks": "Offene Aufgaben",
    "note": "Notiz",
    "other": "Sonstiges",
    "more": "Und {count} weitere.",
    "left": "Und {count} ältere Notizen.",
    "left_one": "Und eine ältere Notiz.",
    "daily_review": "Rückblick vom {day}",
    "nightly_digest": "Zusammenfassung vom {day}",
}
_REST = re.compile("|".join(f"- {said['more']}" for said in (_ENGLISH, _GERMAN)).replace("{count}", r"\d+"))


def title(material: Material, day: date) -> str:
    """What the note is called."""
    return _words(material)[material.routine].format(day=day.isoformat())


def written(material: Material) -> str:
    """The note's body, Markdown; empty where there is nothing to say."""
    if not material.is_news:
        return ""
    said = _words(material)
    parts = _review(material, said) if material.routine == "daily_review" else _digest(material, said)
    text = _laid_out([(heading, bullets) for heading, bullets in parts if bullets], said)
    if material.left:
        text.append(said["left_one"] if material.left == 1 else said["left"].format(count=material.left))
    return "\n\n".join(text)


_Part = tuple[str, list[str]]
"""A heading, and its bullets, the newest first: those behind them are only counted."""


def _review(material: Material, said: dict[str, str]) -> list[_Part]:
    return [
        (said["captured"], _bullets(material.captured)),
        *_beside(material, said),
        (said["tasks"], [_task_bullet(material, task) for task in material.tasks]),
    ]


def _digest(material: Material, said: dict[str, str]) -> list[_Part]:
    themes = by_theme(material.captured)
    parts = [(f"#{inert(theme)}" if theme else said["other"], _bullets(members, theme)) for theme, members in themes]
    return [*parts, *_beside(material, said)]


def _beside(material: Material, said: dict[str, str]) -> list[_Part]:
    """What says nothing of its own: questions, by their titles, and what research made of some."""
    asked = [f"- {link(note)}" for note in reversed(material.asked)]
    return [(said["asked"], asked), (said["reports"], _bullets(material.reports))]


def by_theme(notes: Sequence[Source]) -> list[tuple[str, list[Source]]]:
    """The notes under the tag that they share with most others, the largest theme first; `""` is for the rest."""
    counts = Counter(tag for note in notes for tag in note.tags)
    themes: dict[str, list[Source]] = {}
    for note in notes:
        shared = [tag for tag in note.tags if counts[tag] > 1]
        theme = max(shared, key=lambda tag: (counts[tag], tag), default="")
        themes.setdefault(theme, []).append(note)
    return sorted(themes.items(), key=lambda theme: (theme[0] == "", -len(theme[1]), theme[0]))


def entries(text: str) -> int:
    """How many bullets a note has, without those that count what was left out."""
    return sum(line.startswith("- ") and not _REST.fullmatch(line) for line in text.splitlines())


def _laid_out(parts: Sequence[_Part], said: dict[str, str]) -> list[str]:
    """Heading and bullets of each part as far as there is room, which the parts share evenly."""
    text: list[str] = []
    unnamed = 0
    for (heading, bullets), room in zip(parts, shares([len(bullets) for _, bullets in parts], BULLETS), strict=True):
        if not room:
            unnamed += len(bullets)
            continue
        more = [f"- {said['more'].format(count=len(bullets) - room)}"] if len(bullets) > room else []
        text += [f"## {heading}", "\n".join([*bullets[:room], *more])]
    return [*text, said["more"].format(count=unnamed)] if unnamed else text


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """How many of its entries each part may show: one after the other gets one more, as long as there is room."""
    given = [0] * len(sizes)
    while room and any(one < size for one, size in zip(given, sizes, strict=True)):
        for at, size in enumerate(sizes):
            if room and given[at] < size:
                given[at] += 1
                room -= 1
    return given


def _bullets(notes: Sequence[Source], theme: str = "") -> list[str]:
    return [_bullet(note, theme) for note in reversed(notes)]


def _bullet(note: Source, theme: str) -> str:
    """A sentence of the note and its link; the link alone where no sentence says more than the title does."""
    # A note whose only sentence is its title would say it twice.
    telling = [one for one in sentences(note.text) if not _repeats(one, note.title)]
    telling = [one for one in telling if not one.endswith("?")] or telling
    if about := set(words(theme.replace("/", " "))):
        held = [one for one in telling if about & set(words(one))]
        # Where the title says why it is here, another sentence would speak of something else.
        telling = held if held or about & set(words(note.title)) else telling
    first = telling[0] if telling else ""
    if first.endswith(":"):
        # It only announces a list.
        first = next((one for one in telling if ENDED.search(one)), first)
    return f"- {quoted(first)} {link(note)}" if first else f"- {link(note)}"


def _task_bullet(material: Material, task: Task) -> str:
    known = next((note for note in material.notes if note.id == task.source_note_id), None)
    if known:
        return f"- {link(known)}" if _repeats(task.title, known.title) else f"- {inert(task.title)} {link(known)}"
    where = f" [{_words(material)['note']}](#/notes/{task.source_note_id})" if task.source_note_id else ""
    return f"- {inert(task.title)}{where}"


def _repeats(sentence: str, title: str) -> bool:
    """Whether a sentence says its note's title again, or goes on where the title was cut off."""
    said, named = _bare(sentence), _bare(title)
    return said == named or (title.endswith("…") and bool(named) and said.startswith(named))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _words(material: Material) -> dict[str, str]:
    """In the language of most of the material, where that is one of the two that are spoken here."""
    texts: Iterable[str] = (
        *(note.text for note in material.notes),
        *(task.title for task in material.tasks),
    )
    return _GERMAN if language([word.lower() for text in texts for word in text.split()]) == "de" else _ENGLISH
