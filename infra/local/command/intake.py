"""Sends a vault's files in batches, a few at a time. Nothing comes twice: files are known by their path.

What an export wrote is known as the note that it was, too.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import click

from infra.local.command import screen
from infra.local.command.answers import Json, Note, child, children, note, text, whole
from infra.local.command.entry import Entry
from infra.local.command.failure import Failure, Refused, passes
from infra.local.command.http import LONG, ONCE, Api, Patience
from infra.local.command.ledger import History
from infra.local.command.returned import settle
from infra.local.command.screen import Progress, number
from infra.local.command.tally import Tally
from infra.local.command.target import Target
from infra.local.command.update import take_over
from infra.local.command.vault import dates
from infra.local.command.vault.claim import claim
from infra.local.command.vault.draft import draft
from infra.local.command.vault.text import NotText, decode, digest
from infra.local.command.vault.walk import File

LARGEST_REQUEST = 899_000
"""Bytes of one request; the server takes 900,000."""
LARGEST_FILE = 1_900_000
"""Bytes of a file that is opened at all: in UTF-16, twice of what a request holds."""
LONGEST_PATH = 1000
MOST = 20
IN_FLIGHT = 4
_ENVELOPE = len(b'{"captures":[]}')
_ROUNDS = 5
_HOPELESS = 5
"""Files in a row that can't be stored before it is the server's fault."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the person asked for."""

    vault: str
    exported: History = field(default_factory=History)
    """What an export wrote into the folder: those files go by the paths that they had there."""
    research: bool = False
    update: bool = False
    dry_run: bool = False


class Intake:
    """One import."""

    def __init__(self, files: list[File], options: Options, tally: Tally) -> None:
        self._files = files
        self._options = options
        self._tally = tally
        self._given_up = 0
        self._progress = Progress(len(files), "Reading" if options.dry_run else "Importing")

    def rehearse(self) -> None:
        """Read everything and send nothing."""
        for batch in self._batches():
            for entry in batch:
                self._tally.imported += 1
                self._tally.tags.update(entry.draft.tags)
                self._progress.step()
        self._progress.clear()

    async def run(self, target: Target, *, ask: bool) -> None:
        """Send everything."""
        async with Api(target, patience=LONG, waits=self._progress.note) as api:
            if ask:
                await self._agree(api)
            batches = self._batches()
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(IN_FLIGHT):
                        group.create_task(self._send_all(api, batches))
            except* Failure as failures:
                raise _first(failures) from None
            finally:
                self._progress.clear()

    async def _agree(self, api: Api) -> None:
        """Research may cost money: say how much, and ask where somebody can answer."""
        research = child(await api.config(), "research")
        price = research.get("cost_usd")
        each = float(price) if isinstance(price, int | float) else 0.0
        cost = f", about {each * len(self._files):,.2f} USD in all (each day's limits apply)" if each else ""
        screen.say(f"This asks for research on up to {number(len(self._files), 'note')}{cost}.")
        if screen.interactive() and not click.confirm("Go on?", err=True):
            raise Failure("Nothing was imported.", "Without --research, an import costs nothing.")

    # -- reading -----------------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[list[Entry]]:
        """What can be sent, in requests that the server takes."""
        batch: list[Entry] = []
        size = _ENVELOPE
        for file in self._files:
            entry = self._entry(file)
            if entry is None:
                self._progress.step()
                continue
            if batch and (len(batch) == MOST or size + len(entry.encoded) + 1 > LARGEST_REQUEST):
                yield batch
                batch, size = [], _ENVELOPE
            batch.append(entry)
            size += len(entry.encoded) + 1
        if batch:
            yield batch

    def _entry(self, file: File) -> Entry | None:
        tally = self._tally
        known_as = self._options.exported.notes.get(file.name, "")
        path = file.name if known_as else f"{self._options.vault}/{file.name}"
        try:
            path.encode()
            if file.size > LARGEST_FILE:
                raise NotText(_too_large(file.size))
            raw = file.path.read_bytes()
            modified = file.path.stat().st_mtime
            content = decode(raw)
        except UnicodeEncodeError:
            tally.reported.append((file.name, "its name is not valid UTF-8"))
            return None
        except NotText as problem:
            tally.reported.append((file.name, str(problem)))
            return None
        except OSError as error:
            tally.failed.append((file.name, error.strerror or "can't be read"))
            return None
        if not content.strip("\ufeff \t\r\n"):
            tally.empty.append(file.name)
            return None
        if len(path) > LONGEST_PATH:
            tally.reported.append((file.name, f"its path has more than {LONGEST_PATH:,} characters"))
            return None
        made = draft(content, path)
        tally.remarks += [(file.name, complaint) for complaint in made.complaints]
        claimed = claim(made.front_matter, known_as)
        now = datetime.now(UTC)
        # A day to come is that of what the note is about: nobody wrote it then.
        if made.written is None or made.written > now:
            dated = claimed.written if claimed else None
            known = dated if dated and dated <= now else dates.changed(modified, now)
            made = replace(made, written=known)
        entry = Entry(file.name, path, digest(raw), made, claimed, self._options.research).ready()
        if _ENVELOPE + len(entry.encoded) > LARGEST_REQUEST:
            tally.reported.append((file.name, _too_large(len(raw))))
            return None
        return entry

    # -- sending -----------------------------------------------------------------------------------------------

    async def _send_all(self, api: Api, batches: Iterator[list[Entry]]) -> None:
        for batch in batches:
            await self._send(api, batch)

    async def _send(self, api: Api, batch: list[Entry]) -> None:
        """Send a batch until every entry of it is settled."""
        again: list[tuple[Entry, Json]] = []
        for attempt in range(_ROUNDS):
            results = await self._results(api, batch)
            again = []
            for entry, result in zip(batch, results, strict=True):
                if await self._settle(api, entry, result):
                    self._progress.step()
                else:
                    again.append((entry.undated() if _refuses_the_date(entry, result) else entry, result))
            if not again:
                return
            batch = [entry for entry, _ in again]
            await asyncio.sleep(LONG.pause(attempt + 1))
        for entry, result in again:
            self._give_up(entry, child(result, "error"))
            self._progress.step()

    async def _results(self, api: Api, batch: list[Entry], patience: Patience = LONG) -> list[Json]:
        body = b'{"captures":[' + b",".join(entry.encoded for entry in batch) + b"]}"
        try:
            answer = await api.capture(body, batch=True, patience=patience)
        except Refused as refusal:
            # Too large for something on the way, or one note brings the server down: find out which.
            if refusal.status not in (413, 500):
                raise
            if len(batch) == 1:
                return [{"status": refusal.status, "final": True, "error": {"message": refusal.message}}]
            middle = len(batch) // 2
            halves = [await self._results(api, half, ONCE) for half in (batch[:middle], batch[middle:])]
            return [*halves[0], *halves[1]]
        results = children(answer.body, "results")
        if len(results) != len(batch):
            raise Failure(f"Memex answered {len(results)} results for {len(batch)} notes.", "Is it the same version?")
        return results

    async def _settle(self, api: Api, entry: Entry, result: Json) -> bool:
        """Record what became of an entry; False where it has to be sent again."""
        status, tally = whole(result, "status"), self._tally
        if status in (200, 201):
            self._given_up = 0
            stored = note(child(result, "note"))
            tally.tags.update(entry.draft.tags)
            if status == 201:
                tally.imported += 1
            else:
                await self._known(api, entry, stored)
            return True
        error = child(result, "error")
        code = text(error, "code")
        if not result.get("final") and (passes(status, code) or (status, code) == (409, "conflict")):
            return False
        if status == 413:
            tally.reported.append((entry.name, text(error, "message")))
        elif _refuses_the_date(entry, result):
            return False
        elif status == 404:
            tally.left_alone.append((entry.name, "the note that it was is deleted for good"))
        elif status == 422:
            tally.failed.append((entry.name, text(error, "message")))
        else:
            self._give_up(entry, error)
        return True

    def _give_up(self, entry: Entry, error: Json) -> None:
        """Name a file that Memex can't store; where it can't store any, stop."""
        self._tally.failed.append((entry.name, text(error, "message") or "it was refused without a reason"))
        self._given_up += 1
        if self._given_up >= _HOPELESS:
            raise Failure(f"Memex stores nothing at the moment: {text(error, 'message')}", text(error, "next"))

    async def _known(self, api: Api, entry: Entry, stored: Note) -> None:
        tally = self._tally
        if stored.deleted:
            tally.binned.append(entry.name)
        elif stored.origin and stored.origin.content_sha256 == entry.sha256:
            tally.there += 1
        elif entry.claim and entry.claim.id == stored.id:
            await self._returned(api, entry)
        elif not self._options.update:
            tally.changed.append(entry.name)
        elif problem := await take_over(api, stored.id, entry.draft, entry.path, entry.sha256):
            tally.left_alone.append((entry.name, problem))
        else:
            tally.updated.append(entry.name)

    async def _returned(self, api: Api, entry: Entry) -> None:
        tally, options = self._tally, self._options
        outcome, reason = await settle(api, entry, options.exported, update=options.update)
        match outcome:
            case "there":
                tally.there += 1
            case "changed":
                tally.changed.append(entry.name)
            case "updated":
                tally.updated.append(entry.name)
            case _:
                tally.left_alone.append((entry.name, reason))


def _refuses_the_date(entry: Entry, result: Json) -> bool:
    """Whether only the date stands in the way: Memex's clock is behind ours, or it is older than such dates are."""
    refused = whole(result, "status") == 422 and text(child(result, "error"), "message").startswith("created_at:")
    return refused and entry.draft.written is not None


def _too_large(size: int) -> str:
    return f"it is too large ({size / 1000:,.0f} kB); a note may have about 900 kB"


def _first(failures: BaseExceptionGroup[Failure]) -> Failure:
    found = failures.exceptions[0]
    return found if isinstance(found, Failure) else _first(found)
