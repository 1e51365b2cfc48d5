"""`memex capture`: a thought, a link or a question becomes a note. A text that could not be sent is kept.

What was refused for good is never offered to be sent again as it was.
"""

import re
import shlex
import sys
from contextlib import suppress

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import INTERRUPTED, USAGE, Failure, Refused

_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_FOR_GOOD = (400, 413, 415, 422)
"""Answers that are the same however often it is asked."""


@click.command(
    epilog="What can't be sent waits in ~/.local/state/memex/unsent, with the command that sends it; "
    "`memex doctor` lists what waits."
)
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--url", metavar="URL", help="A link to keep; a TEXT that is only an address is one too.")
@click.option("--title", metavar="TITLE", help="Title; otherwise one is found.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; may be given several times.")
@click.option("--research", is_flag=True, help="Ask for a researched report on it.")
@click.option("--again", metavar="KEY", help="Send what was kept under KEY; however often, it is stored once.")
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
    if again and not (words or url or title or tags or research):
        if kept := _waiting(again):
            _send(connection, kept, again, as_json=as_json)
            return
        if sys.stdin.isatty():
            raise _nothing_kept(again)
    text = _given(words, bool(url or title), again)
    if not url and _ADDRESS.fullmatch(text):
        text, url = "", text
    entry: dict[str, object] = {"text": text, "url": url, "title": title, "tags": list(tags)}
    entry = {**{name: value for name, value in entry.items() if value}, "source": "cli"}
    if research:
        entry["research"] = True
    _send(connection, entry, again, as_json=as_json)


def _waiting(key: str) -> dict[str, object] | None:
    """The capture that waits under this key, or None."""
    from infra.local.command.unsent import Unsent

    try:
        text, options = Unsent(key).read()
    except (OSError, ValueError):
        return None
    if not text.strip() and not options:
        return None
    entry: dict[str, object] = {"text": text} if text else {}
    tags: list[str] = []
    for name, _, value in (option.removeprefix("--").partition("=") for option in options):
        if name in ("url", "title"):
            entry[name] = value
        elif name == "tag":
            tags.append(value)
        elif name == "research":
            entry["research"] = True
    return {**entry, **({"tags": tags} if tags else {}), "source": "cli"}


def _nothing_kept(key: str) -> Failure:
    return Failure(
        f"Nothing waits under {key}: it was sent already, or kept elsewhere.",
        "See what waits with: memex doctor",
        exit_code=USAGE,
    )


def _given(words: tuple[str, ...], enough: bool, again: str | None) -> str:
    """The text from the arguments or from standard input."""
    if words == ("-",) or (not words and not enough and not sys.stdin.isatty()):
        try:
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Failure("The input is not UTF-8 text; nothing was sent.", "Convert it first.") from None
    else:
        text = " ".join(words)
    if not text.strip() and not enough:
        if again and not words:
            raise _nothing_kept(again)
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
    except Refused as refusal:
        told = _corrected(entry, key, refusal) if refusal.status in _FOR_GOOD else _kept(entry, key)
        refusal.next = "\n".join(part for part in (refusal.next, told) if part)
        raise
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
    options = _options(entry)
    kept = Unsent(key)
    try:
        kept.keep(text, options)
    except OSError:
        if not text:
            return f"Send it again with: {shlex.join(['memex', 'capture', *options, f'--again={key}'])}"
        return f"It could not be kept in a file ({kept.file}), so here it is:\n\n{text}"
    return f"{'The text' if text else 'It'} is kept in {kept.file.parent}. Send it again with:\n  {kept.command()}"


def _corrected(entry: dict[str, object], key: str, refusal: Refused) -> str:
    """What is left of a capture that can't be stored as it is: kept without what was refused, where there is a text."""
    from infra.local.command.unsent import Unsent

    field, _, place = refusal.message.partition(":")[0].partition(".")
    text = str(entry.get("text") or "")
    if not text:
        with suppress(OSError):
            Unsent(key).forget()
        return "Nothing was kept."
    left = {name: value for name, value in entry.items() if name != field}
    tags = entry.get("tags")
    if field == "tags" and isinstance(tags, list) and place.isdecimal():
        left["tags"] = [tag for at, tag in enumerate(tags) if at != int(place)]
    kept = Unsent(key)
    try:
        kept.keep(text, _options(left))
    except OSError:
        return f"The text could not be kept in a file ({kept.file}), so here it is:\n\n{text}"
    if field not in entry or field == "text":
        return f"The text is kept in {kept.file}"
    return f"The text is kept in {kept.file.parent}. Send it without that with:\n  {kept.command()}"


def _options(entry: dict[str, object]) -> list[str]:
    """What was given beside the text."""
    options = [f"--{name}={entry[name]}" for name in ("url", "title") if entry.get(name)]
    tags = entry.get("tags")
    options += [f"--tag={tag}" for tag in tags] if isinstance(tags, list) else []
    return [*options, *(["--research"] if entry.get("research") else [])]
