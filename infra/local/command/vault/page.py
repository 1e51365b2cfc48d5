"""A note that was never a file, as a Markdown file: what is known of it in front matter, its text as it is."""

from dataclasses import replace

import yaml

from infra.local.command.answers import Note
from infra.local.command.vault.names import first_words, safe
from infra.local.command.vault.retouch import scalar
from shared.research.sources import listed_sources

MOST_CITATIONS = 12_000
"""Characters of citations in front matter: an import keeps 20,000 of it beside the text, more would become text."""


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
    if note.source_note_id:
        lines.append(f"source_note_id: {scalar(note.source_note_id)}")
    lines += citations(note)
    text = "\n".join([*lines, "---", note.body])
    listed = sources(note)
    if not listed:
        return text
    return text.rstrip("\n") + "\n\n## Sources\n\n" + "\n".join(listed) + "\n"


BREAKS = {ord(char): "\n" for char in "\x85\u2028\u2029"}
"""Line breaks that YAML would fold into a blank, as the one that it keeps."""


def citations(note: Note) -> list[str]:
    """A report's citations as lines of front matter, for programs; the quotes are left out where they are too long."""
    cited = [
        replace(
            one, title=one.title.translate(BREAKS), url=one.url.translate(BREAKS), quote=one.quote.translate(BREAKS)
        )
        for one in sorted(note.citations, key=lambda one: one.number)
    ]
    whole = [
        {"number": one.number, "title": one.title, "url": one.url, **({"quote": one.quote} if one.quote else {})}
        for one in cited
    ]
    bare = [{"number": one.number, "title": one.title, "url": one.url} for one in cited]
    for listed in (whole, bare):
        written: str = yaml.safe_dump({"citations": listed}, allow_unicode=True, sort_keys=False, width=10**9)
        if listed and len(written) <= MOST_CITATIONS:
            return written.rstrip("\n").split("\n")
    return []


def sources(note: Note) -> list[str]:
    """A report's sources as a numbered list; none where its text lists them all already."""
    _, listed, _ = listed_sources(note.body)
    if {one.number for one in note.citations} <= {one.number for one in listed}:
        return []
    return [
        f"{one.number}. {one.title} <{one.url}>" + (f"\n   > {' '.join(one.quote.split())}" if one.quote else "")
        for one in sorted(note.citations, key=lambda one: one.number)
    ]
