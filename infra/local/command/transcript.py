"""One turn on the screen: each step a dim line, the answer as it comes, its sources below. It never runs anything."""

import json
import re
import sys
from collections.abc import Callable, Collection

import click

from infra.local.command import deeds, screen
from infra.local.command.answers import Json, child, children, text, texts, whole
from infra.local.command.links import Parsed, meant, parsed, without_definitions
from infra.local.command.talk import Frame

Address = Callable[[str], str]
"""Where a browser shows the note with this id."""

_NOTE = re.compile(r"(?<![\w/])#/notes/([0-9a-z]{26})")
_PASSES = 8
"""Links within what is left of links that are taken off, at most."""


def argued(arguments: Json) -> list[str]:
    """A call's arguments whole, in rows; a row that goes on begins with a mark, so that none looks like ours."""
    rows: list[str] = []
    for name, value in arguments.items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *more = screen.rows(f"{screen.fit(name, 60)}: {said}", max(40, screen.width() - 7))
        rows += [f"  {first}", *(f"    | {row}" for row in more)]
    return rows


def whole_addresses(answer: str, address: Address) -> str:
    """The text with links to notes that lead there from anywhere."""
    return _NOTE.sub(lambda found: address(found[1]), answer)


def readable(answer: str) -> str:
    """The text as a terminal shows it: a link is its words. Where the checked ones lead stands below the answer."""
    text, defined = without_definitions(answer, lambda _url: False)
    return _in_words(parsed(text, defined))


def checked(answer: str, links: list[str], address: Address) -> str:
    """The text as Markdown in which only these links are left, those to notes leading there from anywhere."""
    may = {meant(link) for link in links}
    for _ in range(_PASSES):
        before, answer = answer, _without_others(answer, may)
        if answer == before:
            break
    else:
        # What is left of a link may be another one with what follows it; nobody writes so in good faith.
        answer = answer.replace("](", "] (").replace("][", "] [")
    return _NOTE.sub(lambda found: address(found[1]) if found[0] in may else found[0], answer)


def _without_others(answer: str, may: Collection[str]) -> str:
    text, defined = without_definitions(answer, lambda url: meant(url) in may)

    def kept(text: str) -> str:
        done = ""
        for part in parsed(text, defined).parts:
            if isinstance(part, str):
                done += part
            elif part.image or meant(part.url) not in may:
                done += kept(part.words)
            else:
                done += f"[{kept(part.words)}]{part.tail}"
        return done

    return kept(text)


def leads(answer: str, links: list[str]) -> dict[str, str]:
    """Where the checked links of a text lead -> their words; of a bare address there are none."""
    may = {meant(link) for link in links}
    text, defined = without_definitions(answer, lambda _url: False)
    found = [part for part in parsed(text, defined).parts if not isinstance(part, str)]
    named = {part.url: _in_words(parsed(part.words)) for part in found if meant(part.url) in may and not part.image}
    bare = {note[0]: "" for note in _NOTE.finditer(text) if note[0] in may}
    return {**bare, **named}


def _in_words(read: Parsed) -> str:
    return "".join(part if isinstance(part, str) else _in_words(parsed(part.words)) for part in read.parts)


class Growing:
    """A text that comes in pieces, made readable without ever showing half a link. Nobody has checked it yet."""

    def __init__(self) -> None:
        self._rest = ""
        self._fence = ""
        """What opened the code that we are in; shown already."""
        self.shown = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        if not piece:
            return ""
        before = self._fence
        read = parsed(before + self._rest + piece, growing=True)
        self._rest, self._fence = read.rest, read.fence
        ready = _in_words(read).removeprefix(before)
        self.shown += ready
        return ready

    def whole(self, answer: str) -> str:
        """What is still missing of the answer as it is kept; all of it, below, where it differs from what was shown."""
        kept, before = readable(answer), self.shown
        self.shown = kept
        return kept.removeprefix(before) if kept.startswith(before) else f"\n\n{kept}"


class Transcript:
    """A turn for a person. On a terminal the answer is typed as it comes; elsewhere it is written once it is whole."""

    def __init__(self, address: Address, *, live: bool) -> None:
        self._address = address
        self._live = live
        self._growing = Growing()
        self._typing = False
        """Whether the cursor stands in a line of the answer."""
        self._pending = ""
        self._links: list[str] = []
        self._sources: dict[str, str] = {}
        """Address -> the line that names it."""
        self._leads: dict[str, str] = {}
        self._calls: dict[str, Json] = {}
        """Call -> its arguments."""
        self.done: list[str] = []
        """The steps that changed something, as they were told."""
        self.error = ""

    def show(self, frame: Frame) -> None:
        """Show what a frame adds."""
        if frame.name == "delta" and self._live and text(frame.data, "kind") == "text":
            self._type(self._growing.feed(text(frame.data, "text")))
        elif frame.name == "trace":
            self._traced(frame.data)

    def close(self) -> None:
        """What stands at the end: the answer where it was not typed, and its sources."""
        if self._pending:
            screen.out(checked(self._pending, self._links, self._address).strip())
        self._line()
        if self._sources:
            screen.out("\nSources")
            for line in self._sources.values():
                screen.out(line)
        # What may be linked without being a source, such as a note that was just made.
        if others := [(url, words) for url, words in self._leads.items() if url not in self._sources]:
            screen.out("\nLinks")
            for url, words in others:
                screen.out(f"  {screen.fit(words, 70)}  {whole_addresses(url, self._address)}")
        self._pending, self._sources, self._leads = "", {}, {}

    def _traced(self, event: Json) -> None:
        match text(event, "type"):
            case "text":
                self._wrote(text(event, "text"), texts(event, "links"))
            case "thinking":
                self._dim(f"Thinking: {text(event, 'text')}")
            case "context":
                self._dim(f"Understood as: {text(event, 'text')}")
            case "tool_call":
                self._called(event)
            case "tool_result":
                self._answered(event)
            case "citations":
                self._sources = {text(one, "url"): self._source(one) for one in children(event, "citations")}
            case "error":
                self.error = text(event, "message")

    def _wrote(self, answer: str, links: list[str]) -> None:
        if self._live:
            self._type(self._growing.whole(answer))
            self._line()
            self._growing = Growing()
            self._leads |= leads(answer, links)
        else:
            self._pending, self._links = answer, links

    def _called(self, event: Json) -> None:
        if self._pending:
            # What is said before a call is not yet the answer.
            self._dim(self._pending)
            self._pending = ""
        tool, arguments = text(event, "tool"), child(event, "arguments")
        self._calls[text(event, "call_id")] = arguments
        self._dim(f"{deeds.sentence(deeds.doing(tool, arguments))}…")

    def _answered(self, event: Json) -> None:
        tool, result = text(event, "tool"), child(event, "result")
        if event.get("ok") is not True:
            why = text(result, "message") or text(result, "error").replace("_", " ")
            self._dim(f"That did not work: {why}")
            return
        if event.get("undo"):
            self.done.append(deeds.did(tool, self._calls.get(text(event, "call_id"), {})))
        if came := deeds.came(tool, result):
            self._dim(f"  {came}")

    def _source(self, one: Json) -> str:
        title = screen.fit(text(one, "title"), 70)
        return f"{whole(one, 'number'):>2}. {title}  {whole_addresses(text(one, 'url'), self._address)}"

    def _type(self, piece: str) -> None:
        if piece:
            click.echo(screen.plain(piece), nl=False)
            self._typing = not piece.endswith("\n")

    def _line(self) -> None:
        if self._typing:
            click.echo()
            self._typing = False

    def _dim(self, told: str) -> None:
        self._line()
        click.secho(screen.fit(f"  {told}", max(40, screen.width() - 1)), dim=True, err=True)


class Lines:
    """A turn for a program: each frame a line of JSON, `{"event": ..., "data": ...}`."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.error = ""

    def show(self, frame: Frame) -> None:
        """Print it."""
        line(frame.name, frame.data)
        event = frame.data if frame.name == "trace" else {}
        if event.get("type") == "error":
            self.error = text(event, "message")
        if event.get("type") == "tool_result" and event.get("ok") is True and event.get("undo"):
            self.done.append(deeds.did(text(event, "tool"), {}))

    def close(self) -> None:
        """Nothing stands at the end."""


def line(event: str, data: object) -> None:
    """One line of JSON; everything beyond ASCII escaped, so that nothing in it reaches the terminal."""
    click.echo(json.dumps({"event": event, "data": data}))


def types() -> bool:
    """Whether an answer can be typed as it comes."""
    return sys.stdout.isatty()
