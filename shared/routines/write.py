"""A review or a digest put together by rule: sentences of the notes, quoted, each with its link. It invents nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from shared.agent.models.offline_reading import Note as Source
from shared.agent.models.offline_reading import inert, link, quoted, sentences
from shared.enrichment.words import language
from shared.routines.material import Material

BULLETS = 40
"""Notes that one part names; the rest is counted."""
_ENGLISH = {
    "captured": "Captured",
    "reports": "Research that came in",
    "tasks": "Open tasks",
    "note": "note",
    "other": "Other",
    "more": "And {count} more.",
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
    "daily_review": "Rückblick vom {day}",
    "nightly_digest": "Zusammenfassung vom {day}",
}


def title(material: Material, day: date) -> str:
    """What the note is called."""
    return _words(material)[material.routine].format(day=day.isoformat())


def written(material: Material) -> str:
    """The note's body, Markdown; empty where there is nothing to say."""
    if not material.is_news:
        return ""
    said = _words(material)
    parts = _review(material, said) if material.routine == "daily_review" else _digest(material, said)
    if material.left:
        parts.append(said["more"].format(count=material.left))
    return "\n\n".join(parts)


def _review(material: Material, said: dict[str, str]) -> list[str]:
    return [
        *_part(said["captured"], [_bullet(note) for note in material.captured], said),
        *_part(said["reports"], [_bullet(note) for note in material.reports], said),
        *_part(said["tasks"], [_task_bullet(material, at) for at in range(len(material.tasks))], said),
    ]


def _digest(material: Material, said: dict[str, str]) -> list[str]:
    notes = (*material.captured, *material.reports)
    parts: list[str] = []
    for theme, members in by_theme(notes):
        parts += _part(f"#{inert(theme)}" if theme else said["other"], [_bullet(note) for note in members], said)
    return parts


def by_theme(notes: Sequence[Source]) -> list[tuple[str, list[Source]]]:
    """The notes under the tag that they share with most others, the largest theme first; `""` is for the rest."""
    counts = Counter(tag for note in notes for tag in note.tags)
    themes: dict[str, list[Source]] = {}
    for note in notes:
        shared = [tag for tag in note.tags if counts[tag] > 1]
        theme = max(shared, key=lambda tag: (counts[tag], tag), default="")
        themes.setdefault(theme, []).append(note)
    return sorted(themes.items(), key=lambda theme: (theme[0] == "", -len(theme[1]), theme[0]))


def _part(heading: str, bullets: Sequence[str], said: dict[str, str]) -> list[str]:
    if not bullets:
        return []
    shown = list(bullets[:BULLETS])
    if len(bullets) > BULLETS:
        shown.append(f"- {said['more'].format(count=len(bullets) - BULLETS)}")
    return [f"## {heading}", "\n".join(shown)]


def _bullet(note: Source) -> str:
    found = sentences(note.text)
    # A note whose only sentence is its title would say it twice.
    first = next((one for one in found if one.strip(" .!?…") != note.title.strip(" .!?…")), "")
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
