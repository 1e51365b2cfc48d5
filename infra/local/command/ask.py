"""`memex ask`: a question to the agent, its answer as it comes. What needs a person's word is never decided here."""

import sys
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import FAILED, INTERRUPTED, USAGE, Failure

if TYPE_CHECKING:
    from infra.local.command.answers import Json
    from infra.local.command.talk import ChatApi, Frame, Talk
    from infra.local.command.transcript import Lines, Transcript

_DOING = 300
"""Columns of what it would do, in one line."""
Act = Callable[["ChatApi", "Talk"], "AsyncIterator[Frame]"]


_APPROVAL = (("--approve", "--reject"), ("approve", "reject"))
_WORDS = {"egress_approval": (("--allow-once", "--deny"), ("egress_allow_once", "egress_deny"))}
"""What says yes and no at a gate: the options, and what is sent."""


@click.command()
@click.argument("words", nargs=-1, metavar="[QUESTION]...")
@click.option("--session", metavar="ID", help="Go on in this conversation.")
@click.option("--continue", "last", is_flag=True, help="Go on in the last conversation; otherwise a new one begins.")
@click.option("--resume", metavar="RUN", help="Decide about the call for which a run waits.")
@click.option("--approve", "decisions", flag_value="approve", multiple=True, help="With --resume: let it be done.")
@click.option("--reject", "decisions", flag_value="reject", multiple=True, help="With --resume: don't.")
@click.option(
    "--allow-once",
    "decisions",
    flag_value="egress_allow_once",
    multiple=True,
    help="With --resume: reach that host, now.",
)
@click.option(
    "--allow-always",
    "decisions",
    flag_value="egress_allow_always",
    multiple=True,
    help="With --resume: put that host on the list.",
)
@click.option("--deny", "decisions", flag_value="egress_deny", multiple=True, help="With --resume: don't reach it.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
@connected()
def ask(
    connection: Connection,
    words: tuple[str, ...],
    session: str | None,
    last: bool,
    resume: str | None,
    decisions: tuple[str, ...],
    as_json: bool,
) -> None:
    """Ask the agent that works on your notes, and see what it does.

    Without a QUESTION it is read from standard input; on a terminal you talk on until Ctrl-D. Ctrl-C stops the answer
    and says what was done. Where the agent needs your word it asks, and anything but a yes is a no.
    """
    if session and last:
        raise Failure("Give one of --session and --continue.", "See `memex ask --help`.", exit_code=USAGE)
    if len(set(decisions)) > 1:
        raise Failure("These options decide different things; nothing was decided.", "Give one.", exit_code=USAGE)
    if bool(resume) != bool(decisions) or (resume and (words or session or last)):
        advice = "To decide: memex ask --resume RUN --approve, or --reject; neither goes with a question."
        raise Failure("--resume, and --approve or --reject, belong together.", advice, exit_code=USAGE)
    asking = Asking(connection, session=session, last=last, as_json=as_json)
    if resume and decisions:
        asking.decide(resume, decisions[0])
    elif words or not sys.stdin.isatty():
        asking.say(_given(words))
        asking.farewell()
    else:
        _converse(asking)


def _given(words: tuple[str, ...]) -> str:
    """The question from the arguments or from standard input."""
    try:
        said = " ".join(words) if words else sys.stdin.buffer.read().decode("utf-8-sig")
        said.encode()
    except UnicodeError:
        raise Failure("The question is not UTF-8 text; nothing was asked.", "Convert it first.") from None
    if not said.strip():
        raise Failure(
            "There is nothing to ask.",
            'Type it after the command (memex ask "a question"), or pipe it: memex ask < file',
            exit_code=USAGE,
        )
    return said


def _converse(asking: "Asking") -> None:
    """Question by question; what goes wrong with one does not end the conversation."""
    try:
        import readline  # noqa: F401  # lets `input` edit a line, where there is such a thing
    except ImportError:
        pass
    screen.say("Ask; Ctrl-D ends it, Ctrl-C stops an answer.")
    while True:
        try:
            said = input("> ").strip()
        except EOFError:
            screen.say()
            asking.farewell()
            return
        if not said:
            continue
        try:
            asking.say(said)
        except Failure as failure:
            screen.complain(failure.message, failure.next)


class Asking:
    """One person's side of a conversation; every turn on a connection of its own, so that a person may take time."""

    def __init__(self, connection: Connection, *, session: str | None, last: bool, as_json: bool) -> None:
        self._target = connection.target()
        self._session = session
        self._last = last
        self._as_json = as_json
        self._talk: Talk | None = None
        self._done: list[str] = []
        """What the turn at hand has changed so far."""

    def say(self, said: str) -> None:
        """A question, through all its gates, to its end."""
        self._done = []
        self._play(lambda api, talk: talk.ask(api, said))
        self._through()

    def decide(self, run_id: str, decision: str) -> None:
        """A person's word on what a run waits for, and all that follows."""
        self._play(_deciding(decision, run_id), run_id)
        self._through()

    def farewell(self) -> None:
        """How to go on."""
        if self._talk and not self._as_json:
            screen.say(f"Go on with: memex ask --session {self._talk.session_id}")

    def _through(self) -> None:
        assert self._talk
        talk = self._talk
        while talk.gate:
            self._play(_deciding(self._word(talk.gate)))

    def _play(self, act: Act, run_id: str = "") -> None:
        """One stretch of a turn, up to its end or its next gate."""
        import asyncio

        view = self._view()
        try:
            try:
                asyncio.run(self._heard(act, view, run_id))
            finally:
                view.close()
                self._done += view.done
        except KeyboardInterrupt:
            self._stop()
        self._judge(view.error)

    async def _heard(self, act: Act, view: "Transcript | Lines", run_id: str) -> None:
        from infra.local.command.talk import ChatApi

        async with ChatApi(self._target, waits=screen.say) as api:
            talk = self._talk = self._talk or await self._opened(api, run_id)
            async for frame in act(api, talk):
                view.show(frame)

    async def _opened(self, api: "ChatApi", run_id: str) -> "Talk":
        from infra.local.command import talk
        from infra.local.command.transcript import line

        if run_id:
            return await talk.holding(api, run_id)
        found = await (
            talk.known(api, self._session) if self._session else talk.last(api) if self._last else talk.begun(api)
        )
        if self._as_json:
            line("session", {"id": found.session_id})
        if found.waiting:
            screen.say("The call that waited for your word in this conversation counts as declined.")
        return found

    def _view(self) -> "Transcript | Lines":
        from infra.local.command.transcript import Lines, Transcript, types

        return Lines() if self._as_json else Transcript(self._target.note, live=types())

    def _judge(self, error: str) -> None:
        """A turn that ended otherwise than well is a failure."""
        from infra.local.command.answers import child, text

        assert self._talk
        status = text(child(self._talk.session or {}, "turn"), "status")
        if self._talk.session is not None and status != "done":
            raise Failure(error or f"The answer is {status or 'not there'}.", self._again(), exit_code=FAILED)

    def _word(self, gate: "Json") -> str:
        """What a person says to a call that waits; where nobody can be asked, it goes on waiting."""
        from infra.local.command.answers import child, text
        from infra.local.command.deeds import doing as worded
        from infra.local.command.transcript import argued

        arguments = child(gate, "arguments")
        doing = screen.fit(worded(tool, arguments) if (tool := text(gate, "tool")) else "giving its answer", _DOING)
        stake = self._stake(text(arguments, "note_id")) if text(gate, "tool") == "delete_note" else []
        run_id = text(gate, "run_id")
        flags, words = _WORDS.get(text(gate, "reason"), _APPROVAL)
        if answer := text(gate, "answer"):
            stake += ["The answer would be:", *answer.splitlines()]
        shown = [*stake, *argued(arguments)]
        if self._as_json or not screen.interactive():
            raise Failure(
                "\n".join(filter(None, [f"It waits for your word before {doing}.", *shown, text(gate, "why")])),
                f"Let it be done:  memex ask --resume {run_id} {flags[0]}\n"
                f"Don't:           memex ask --resume {run_id} {flags[1]}",
            )
        screen.say(f"\nIt asks before {doing}.")
        for row in shown:
            screen.say(row)
        screen.say(text(gate, "why"))
        return words[0] if click.confirm("Let it be done?", default=False, err=True) else words[1]

    def _stake(self, note_id: str) -> list[str]:
        """The note that would go, in words: an id says nothing to a person."""
        import asyncio

        try:
            return asyncio.run(self._noted(note_id))
        except Failure as failure:
            return [f"The note can't be shown: {failure.message}"]

    async def _noted(self, note_id: str) -> list[str]:
        from urllib.parse import quote

        from infra.local.command.answers import child, note
        from infra.local.command.talk import ChatApi

        async with ChatApi(self._target) as api:
            found = note(child(await api.get(f"/api/v1/notes/{quote(note_id, safe='')}"), "note"))
        room = max(40, screen.width() - 20)
        first = screen.fit(next((line for line in found.body.splitlines() if line.strip()), ""), room)
        named = f"The note: {screen.fit(found.title, room) or 'without a title'}"
        return [named, f"It begins: {first}" if first else "It is empty."]

    def _stop(self) -> None:
        """Stop the turn, and say what it had done. Always raises."""
        import asyncio

        view = self._view()
        told = "Stopped before Memex had heard the question."
        if self._talk:
            try:
                asyncio.run(self._stopped(self._talk, view))
            except KeyboardInterrupt:
                advice = f"See what became of it: {self._again()}"
                raise Failure("Gone, without waiting for its end.", advice, exit_code=INTERRUPTED) from None
            finally:
                view.close()
            self._done += view.done
            done = f"Done by then: {'; '.join(self._done)}." if self._done else "Nothing was changed."
            told = f"Stopped. {done}"
        raise Failure(told, self._again(), exit_code=INTERRUPTED)

    async def _stopped(self, talk: "Talk", view: "Transcript | Lines") -> None:
        from infra.local.command.talk import ChatApi

        async with ChatApi(self._target) as api:
            async for frame in talk.stop(api):
                view.show(frame)

    def _again(self) -> str:
        return f"Go on with: memex ask --session {self._talk.session_id}" if self._talk else "Ask again."


def _deciding(decision: str, run_id: str = "") -> Act:
    """To say that word on a run, or on the turn at hand."""
    return lambda api, talk: talk.decide(api, run_id or talk.run_id, decision)
