"""A review or a digest put together by rule: sentences of the notes, quoted, each with its link. It invents nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from shared.agent.models.offline_reading import Note as Source
from shared.agent.models.offline_reading import inert, link, quoted, sentences
from shared.enrichment.sentences import ENDED
from shared.enrichment.words import language
from shared.routines.material import Material

BULLETS = 15
"""Of the whole note, so that it is read in a minute; what is left out of a part is counted there."""
_ENGLISH = {
    "captured": "Captured",
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
"""A heading, and its bullets."""


def _review(material: Material, said: dict[str, str]) -> list[_Part]:
    return [
        (said["captured"], [_bullet(note) for note in material.captured]),
        (said["reports"], [_bullet(note) for note in material.reports]),
        (said["tasks"], [_task_bullet(material, at) for at in range(len(material.tasks))]),
    ]


def _digest(material: Material, said: dict[str, str]) -> list[_Part]:
    themes = by_theme((*material.captured, *material.reports))
    return [
        (f"#{inert(theme)}" if theme else said["other"], [_bullet(note) for note in members])
        for theme, members in themes
    ]


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


def _bullet(note: Source) -> str:
    found = sentences(note.text)
    # A note whose only sentence is its title would say it twice.
    telling = [one for one in found if one.strip(" .!?…") != note.title.strip(" .!?…")]
    first = telling[0] if telling else ""
    if first.endswith(":"):
        # It only announces a list.
        first = next((one for one in telling if ENDED.search(one)), first)
    return f"- {quoted(first)} {link(note)}" if first else f"- {link(note)}"


def _task_bullet(material: Material, at: int) -> str:
    task = material.tasks[at]
    known = next((note for note in (*material.captured, *material.reports) if note.id == task.source_note_id), None)
    if known:
        return f"- {inert(task.title)} {link(known)}"
    where = f" [{_words(material)['note']}](#/notes/{task.source_note_id})" if task.source_note_id else ""
    return f"- {inert(task.title)}{where}"


def _words(material: Material) -> dict[str, str]:
    """In the language of most of the material, where that is one of the two that are spoken here."""
    texts: Iterable[str] = (
        *(note.text for note in (*material.captured, *material.reports)),
        *(task.title for task in material.tasks),
    )
    return _GERMAN if language([word.lower() for text in texts for word in text.split()]) == "de" else _ENGLISH
