"""`memex research`: asks for a report on a note or a question, and stays with it until it is there."""

import re
import time
from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import INTERRUPTED, USAGE, Failure, Refused

if TYPE_CHECKING:
    from infra.local.command.answers import Operation
    from infra.local.command.http import Api

_ID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
_CLAIM_SECONDS = 60.0


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="NOTE_ID|TEXT...")
@click.option("--follow/--no-follow", default=True, show_default=True, help="Stay until the report is there.")
@click.option("--again", is_flag=True, help="Research a note anew that has a report already.")
@click.option("--json", "as_json", is_flag=True, help="Print operation and report as JSON.")
@connected()
def research(connection: Connection, words: tuple[str, ...], follow: bool, again: bool, as_json: bool) -> None:
    """Ask for a researched report, and follow it.

    With the id of a note, on that note; any other TEXT is captured first. Ctrl-C leaves the research running.
    """
    import asyncio

    asked = " ".join(words).strip()
    if not asked:
        raise Failure("There is nothing to research.", "Give a note's id, or a question.", exit_code=USAGE)
    run = Run(connection, as_json=as_json, again=again)
    try:
        asyncio.run(run.do(asked, follow=follow))
    except KeyboardInterrupt:
        run.interrupted()


class Run:
    """One question on its way; it knows how to come back to it when somebody interrupts."""

    def __init__(self, connection: Connection, *, as_json: bool, again: bool = False, passing: bool = False) -> None:
        self._target = connection.target()
        self._passing = passing
        """Whether that Memex ends with this command, so that neither its address nor a way back is worth a line."""
        self._again = again
        self._as_json = as_json
        self.operation_id = ""
        self.note_id = ""

    async def do(self, asked: str, *, follow: bool) -> None:
        """Ask, and follow."""
        from infra.local.command.http import Api

        async with Api(self._target, waits=screen.say) as api:
            if _ID.fullmatch(asked):
                self.note_id = asked
                try:
                    self.operation_id = await self._on_note(api, asked)
                except Refused as refusal:
                    self.note_id = ""
                    if refusal.code == "note_not_found" and await _is_operation(api, asked):
                        raise Failure(
                            f"{asked} is an operation, and no note.", f"See it with: memex ops {asked}", exit_code=USAGE
                        ) from None
                    raise
            else:
                self.operation_id = await self._on_text(api, asked)
            if not follow:
                self._started()
                return
            await self.stay(api)

    async def stay(self, api: "Api") -> None:
        """Follow the operation, and show what came of it."""
        from infra.local.command.follow import ended_well, follow
        from infra.local.command.outcome import show

        screen.say(f"Operation {self.operation_id}" + ("" if self._passing else " (Ctrl-C leaves it running)"))
        ended = await follow(api, self.operation_id)
        ended_well(ended)
        if self._as_json:
            screen.out_json(await _raw(api, ended))
            return
        screen.say()
        await show(api, ended, address=not self._passing)
        if ended.cost_usd:
            screen.say(f"It cost about {ended.cost_usd:.2f} USD.")

    def interrupted(self) -> None:
        """Say how to return."""
        from infra.local.command.follow import ways_back

        if self.operation_id:
            raise Failure("Stopped watching; the work goes on.", ways_back(self.operation_id), exit_code=INTERRUPTED)
        if self.note_id:
            back = f"Come back to it: memex research {self.note_id}"
            raise Failure("Stopped watching; the research was asked for.", back, exit_code=INTERRUPTED)
        raise Failure("Stopped before Memex had answered.", "See `memex ops` for what runs.", exit_code=INTERRUPTED)

    def _started(self) -> None:
        if self._as_json:
            screen.out_json({"operation_id": self.operation_id, "note_id": self.note_id})
            return
        from infra.local.command.follow import ways_back

        screen.out(self.operation_id)
        screen.say(ways_back(self.operation_id))

    async def _on_note(self, api: "Api", note_id: str) -> str:
        from infra.local.command.answers import child, note, operation

        if not self._again and (before := note(child(await api.get(f"/api/v1/notes/{note_id}"), "note")).operation_id):
            # A second run may be paid for a second time: nobody starts one by looking at the first.
            known = operation(child(await api.get(f"/api/v1/operations/{before}"), "operation"))
            if known.status == "completed":
                screen.say("This note has its report already; --again asks for another one.")
                return known.id
        try:
            answer = await api.post(f"/api/v1/notes/{note_id}/research")
        except Refused as refusal:
            if refusal.code != "already_running":
                raise
            screen.say("Research on this note is already under way.")
            return await self._claimed(api, note_id)
        return operation(child(answer, "operation")).id

    async def _on_text(self, api: "Api", asked: str) -> str:
        """Capture the question; its own trigger starts the run."""
        from infra.local.command.answers import child, note
        from infra.local.command.http import encode, fresh_key

        entry = {"text": asked, "research": True, "source": "cli"}
        captured = note(child((await api.capture(encode(entry), key=fresh_key())).body, "note"))
        self.note_id = captured.id
        screen.say(f"Captured as {captured.id}")
        return await self._claimed(api, captured.id)

    async def _claimed(self, api: "Api", note_id: str) -> str:
        """The operation that answers a note's wish, once it is there."""
        import asyncio

        from infra.local.command.answers import child, note

        began, pause = time.monotonic(), 0.1
        while time.monotonic() - began < _CLAIM_SECONDS:
            found = note(child(await api.get(f"/api/v1/notes/{note_id}"), "note"))
            if found.operation_id:
                return found.operation_id
            if found.research_error:
                raise Failure(found.research_error, f"Then try again with: memex research {note_id}")
            await asyncio.sleep(pause)
            pause = min(2.0, pause * 1.5)
        raise Failure(
            f"The note is stored, and its research has not begun after {_CLAIM_SECONDS:.0f} s.",
            f"It may yet begin by itself; to ask again: memex research {note_id}",
        )


async def _is_operation(api: "Api", id: str) -> bool:
    try:
        await api.get(f"/api/v1/operations/{id}")
    except Refused:
        return False
    return True


async def _raw(api: "Api", ended: "Operation") -> dict[str, object]:
    from infra.local.command.outcome import written

    answer = await api.get(f"/api/v1/operations/{ended.id}")
    return {"operation": answer.get("operation"), "note": await written(api, ended)}
