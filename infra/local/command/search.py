"""`memex search`: the notes that hold any of the words, the best first, each with the passage that says it."""

import re
from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import USAGE, Failure

if TYPE_CHECKING:
    from infra.local.command.answers import Json

_LINES = 3
"""Lines that a passage may take."""
_INDENT = " " * 12
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\([^)\n]{0,500}\)")
_CITE = re.compile(r"\[cite:\s{0,9}([\d\s,;–-]{1,100})\]")


@click.command()
@click.argument("words", nargs=-1, metavar="WORDS...")
@click.option("--tag", metavar="TAG", help="Only notes with this tag.")
@click.option("--limit", metavar="N", default=10, show_default=True, type=click.IntRange(1, 200), help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON as the API answers it.")
@connected()
def search(connection: Connection, words: tuple[str, ...], tag: str | None, limit: int, as_json: bool) -> None:
    """Find notes by their words.

    Prints the day, the title, the passage that fits best, and the address of each note.
    """
    import asyncio

    from infra.local.command.answers import children, text
    from infra.local.command.http import Api

    asked = " ".join(words).strip()
    if not asked:
        raise Failure("There is nothing to search for.", "Type some words: memex search pears wall", exit_code=USAGE)

    async def act() -> "Json":
        async with Api(connection.target(), waits=screen.say) as api:
            return await api.get("/api/v1/notes", q=asked, limit=limit, tag=tag or [])

    answer = asyncio.run(act())
    if as_json:
        screen.out_json(answer)
        return
    hits = {text(hit, "note_id"): hit for hit in children(answer, "hits")}
    found = children(answer, "notes")
    for note in found:
        for line in _lines(note, hits.get(text(note, "id"), {}), connection.target().note(text(note, "id"))):
            screen.out(line)
    if not found:
        screen.say("No note holds any of these words.")


def _lines(note: "Json", hit: "Json", address: str) -> list[str]:
    from infra.local.command.answers import text

    room = max(40, screen.width() - len(_INDENT))
    title = _joined(hit, "title") or text(note, "title") or text(note, "url") or "Untitled"
    # A line or two to tell it by: marks and addresses say nothing there.
    passage = _LINK.sub(r"\1", _CITE.sub(r"[\1]", _joined(hit, "passage"))).replace("**", "")
    told = screen.wrapped(passage, room, _LINES) if passage else []
    head = f"{screen.day(text(note, 'created_at'))}  {screen.fit(title, room)}"
    return [head, *(_INDENT + line for line in (*told, address))]


def _joined(hit: "Json", name: str) -> str:
    """A text that comes in pieces."""
    from infra.local.command.answers import children, text

    return " ".join("".join(text(piece, "text") for piece in children(hit, name)).split())
