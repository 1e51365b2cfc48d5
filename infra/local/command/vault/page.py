"""A note that was never a file, as a Markdown file: what is known of it in front matter, its text as it is."""

import re

from infra.local.command.answers import Note
from infra.local.command.vault.names import first_words, safe
from infra.local.command.vault.retouch import scalar

_SOURCES = re.compile(r"^(?:#{1,6}\s+|\*\*|__)?(?:sources|references)\b\W*$", re.IGNORECASE | re.MULTILINE)


def stem(note: Note) -> str:
    """The name of its file: the day, and the title or the first words."""
    day = f"{note.created_at:%Y-%m-%d} " if note.created_at else ""
    return safe(day + (note.title or first_words(note.body) or note.url or note.kind))


def page(note: Note, source_link: str) -> str:
    """The file's text."""
    lines = ["---", f"id: {scalar(note.id)}", f"kind: {note.kind}"]
    if note.title:
        lines.append(f"title: {scalar(note.title)}")
    if note.tags:
        lines += ["tags:", *(f"  - {scalar(tag)}" for tag in note.tags)]
    if note.url:
        lines.append(f"url: {scalar(note.url)}")
    if note.created_at:
        lines.append(f"created: {note.created_at:%Y-%m-%dT%H:%M:%SZ}")
    if source_link:
        lines.append(f"source_note: {scalar(source_link)}")
    text = "\n".join([*lines, "---", note.body])
    listed = sources(note)
    if not listed:
        return text
    return text.rstrip("\n") + "\n\n## Sources\n\n" + "\n".join(listed) + "\n"


def sources(note: Note) -> list[str]:
    """A report's sources as a numbered list; none where its text ends with them already."""
    if not note.citations or _SOURCES.search(note.body):
        return []
    return [
        f"{one.number}. {one.title} <{one.url}>" + (f"\n   > {' '.join(one.quote.split())}" if one.quote else "")
        for one in sorted(note.citations, key=lambda one: one.number)
    ]
