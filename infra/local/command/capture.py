"""`memex capture`: a thought, a link or a question becomes a note. A text that could not be sent is kept."""

import re
import shlex
import sys
from contextlib import suppress

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import INTERRUPTED, USAGE, Failure

_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


@click.command(epilog="With --again, an attempt whose outcome is unknown is repeated: the note is stored once.")
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--url", metavar="URL", help="A link to keep; a TEXT that is only an address is one too.")
@click.option("--title", metavar="TITLE", help="Title; otherwise one is found.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; may be given several times.")
@click.option("--research", is_flag=True, help="Ask for a researched report on it.")
@click.option("--again", metavar="KEY", hidden=True, help="The Idempotency-Key of an attempt that failed.")
@click.option("--json", "as_json", is_flag=True, help="Print the note as JSON.")
@connected(url=False)
def capture(
    connection: Connection,
    words: tuple[str, ...],
    url: str | None,
    title: str | None,
    tags: tuple[str, ...],
    research: bool,
    again: str | None,
    as_json: bool,
) -> None:
    """Keep a thought, a link or a question.

    TEXT is what you want to keep; `-` reads it from standard input. Prints the note's id and its address.
    """
    text = _given(words, bool(url or title))
    if not url and _ADDRESS.fullmatch(text):
        text, url = "", text
    entry: dict[str, object] = {"text": text, "url": url, "title": title, "tags": list(tags)}
    entry = {**{name: value for name, value in entry.items() if value}, "source": "cli"}
    if research:
        entry["research"] = True
    _send(connection, entry, again, as_json=as_json)


def _given(words: tuple[str, ...], enough: bool) -> str:
    """The text from the arguments or from standard input."""
    if words == ("-",) or (not words and not enough and not sys.stdin.isatty()):
        try:
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Failure("The input is not UTF-8 text; nothing was sent.", "Convert it first.") from None
    else:
        text = " ".join(words)
    if not text.strip() and not enough:
        raise Failure(
            "There is nothing to capture.",
            'Type it after the command (memex capture "a thought"), or pipe it: memex capture - < file',
            exit_code=USAGE,
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Failure("The text is not valid UTF-8; nothing was sent.", "Check the terminal's encoding.") from None
    return text


def _send(connection: Connection, entry: dict[str, object], again: str | None, *, as_json: bool) -> None:
    import asyncio

    from infra.local.command.http import Api, encode, fresh_key

    key = again or fresh_key()

    async def act() -> dict[str, object]:
        async with Api(connection.target(), waits=screen.say) as api:
            note = (await api.capture(encode(entry), key=key)).body["note"]
            assert isinstance(note, dict)
            return note

    try:
        note = asyncio.run(act())
    except KeyboardInterrupt:
        raise Failure("Stopped before Memex had answered.", _kept(entry, key), exit_code=INTERRUPTED) from None
    except Failure as failure:
        failure.next = "\n".join(part for part in (failure.next, _kept(entry, key)) if part)
        raise
    if again:
        # Sent at last, so nobody needs the copy, and what a person wrote doesn't lie about.
        from infra.local.command.unsent import Unsent

        with suppress(OSError):
            Unsent(again).forget()
    if as_json:
        screen.out_json(note)
        return
    screen.out(str(note["id"]))
    screen.out(connection.target().note(str(note["id"])))
    if entry.get("research"):
        screen.say(f"Research is asked for. Follow it with: memex research {note['id']}")


def _kept(entry: dict[str, object], key: str) -> str:
    """Put the capture where it can be sent from again; how to do that."""
    from infra.local.command.unsent import Unsent

    text = str(entry.get("text") or "")
    options = [f"--{name}={entry[name]}" for name in ("url", "title") if entry.get(name)]
    tags = entry.get("tags")
    options += [f"--tag={tag}" for tag in tags] if isinstance(tags, list) else []
    options += ["--research"] if entry.get("research") else []
    kept = Unsent(key)
    try:
        kept.keep(text, options)
    except OSError:
        if not text:
            return f"Send it again with: {shlex.join(['memex', 'capture', *options, f'--again={key}'])}"
        return f"It could not be kept in a file ({kept.file}), so here it is:\n\n{text}"
    return f"{'The text' if text else 'It'} is kept. Send it again with:\n  {kept.command()}"
