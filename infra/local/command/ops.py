"""`memex ops`: what runs and what ran, one look at one of them, and the way to follow or stop it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import USAGE, Failure

if TYPE_CHECKING:
    from infra.local.command.answers import Json, Operation
    from infra.local.command.http import Api

STATUSES = ("active", "created", "queued", "running", "waiting_for_input", "completed", "failed", "cancelled")
KINDS = {
    "deep_research": "Research",
    "agent_task": "Question to an agent",
    "memory_generation": "Remembering",
}
"""What work is called, whoever does it; routines have names of their own."""
UPKEEP = ("memory_generation",)
"""What the product does for itself."""
_PAGE, _PAGES = 100, 10
_NARROWEST, _LINES = 20, 3
"""Columns that the last column of the table has at least, and its lines in one row."""


@click.command()
@click.argument("operation_id", required=False, metavar="[ID]")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(STATUSES),
    metavar="STATUS",
    help=f"Only these, several if given again: {', '.join(STATUSES)}.",
)
@click.option("--limit", metavar="N", default=20, show_default=True, type=click.IntRange(1, 200), help="How many.")
@click.option("--all", "everything", is_flag=True, help="Upkeep too: what Memex does for itself, such as remembering.")
@click.option("--cancel", metavar="ID", help="Stop this one.")
@click.option("--follow", metavar="ID", help="Stay with this one until it ends, then print its result.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON as the API answers it.")
@connected()
def ops(
    connection: Connection,
    operation_id: str | None,
    statuses: tuple[str, ...],
    limit: int,
    everything: bool,
    cancel: str | None,
    follow: str | None,
    as_json: bool,
) -> None:
    """See, follow and stop running work.

    Without an ID, a table of operations (as JSON, upkeep is among them); with one, that operation, its log, and its
    result.
    """
    import asyncio

    if sum(bool(given) for given in (operation_id, cancel, follow)) > 1:
        raise Failure("Give one of ID, --cancel and --follow.", "See `memex ops --help`.", exit_code=USAGE)
    if follow:
        _stay(connection, follow, as_json=as_json)
        return
    target = connection.target()

    async def act() -> None:
        from infra.local.command.http import Api

        async with Api(target) as api:
            if cancel:
                await _cancel(api, cancel, as_json=as_json)
            elif operation_id:
                await _one(api, operation_id, as_json=as_json)
            else:
                await _list(api, statuses, limit, everything=everything, as_json=as_json)

    asyncio.run(act())


def _stay(connection: Connection, operation_id: str, *, as_json: bool) -> None:
    import asyncio

    from infra.local.command.http import Api
    from infra.local.command.research import Run

    run = Run(connection, as_json=as_json)

    async def act() -> None:
        async with Api(connection.target(), waits=screen.say) as api:
            await api.get(_path(operation_id))  # a wrong id is said before anything is followed
            run.operation_id = operation_id
            await run.stay(api)

    try:
        asyncio.run(act())
    except KeyboardInterrupt:
        run.interrupted()


async def _list(api: "Api", statuses: tuple[str, ...], limit: int, *, everything: bool, as_json: bool) -> None:
    if as_json:
        screen.out_json(await api.get("/api/v1/operations", limit=limit, status=list(statuses), upkeep="true"))
        return
    found, left_out = await _found(api, statuses, limit, everything=everything)
    if not found:
        screen.say("Nothing runs." if statuses == ("active",) else "There are no such operations.")
        screen.say('Start one with: memex research "your question"')
    else:
        _table(found)
    if left_out:
        screen.say(f"{screen.number(left_out, 'piece', 'pieces')} of upkeep left out; --all lists them too.")


async def _found(
    api: "Api", statuses: tuple[str, ...], limit: int, *, everything: bool
) -> "tuple[list[Operation], int]":
    """The newest operations, and how much upkeep lies between them."""
    from infra.local.command.answers import children, operation, text

    found: list[Operation] = []
    left_out, cursor = 0, ""
    for _ in range(_PAGES):
        page = await api.get(
            "/api/v1/operations", limit=max(limit, _PAGE), status=list(statuses), cursor=cursor or [], upkeep="true"
        )
        for one in map(operation, children(page, "operations")):
            if not everything and one.kind in UPKEEP:
                left_out += 1
            else:
                found.append(one)
            if len(found) == limit:
                return found, left_out
        if not (cursor := text(page, "next_cursor")):
            break
    return found, left_out


def _table(found: "list[Operation]") -> None:
    head = ("ID", "STATUS", "%", "AGE", "COST", "WHAT")
    rows = [
        (one.id, one.status, str(one.percent), _age(one), f"{one.cost_usd:.2f}" if one.cost_usd else "")
        for one in found
    ]
    before = sum(max(screen.columns(row[at]) for row in (head, *rows)) + 2 for at in range(len(head) - 1))
    whats = [screen.wrapped(_what(one), max(_NARROWEST, screen.width() - before), _LINES) for one in found]
    title, *lines = screen.table(
        head, [(*row, what[0]) for row, what in zip(rows, whats, strict=True)], right=(2, 3, 4)
    )
    screen.out(title)
    for line, what in zip(lines, whats, strict=True):
        screen.out(line)
        for more in what[1:]:
            screen.out(" " * before + more)


def _what(one: "Operation") -> str:
    if one.status == "failed":
        return f"{_question(one)}: {one.error}"
    return _question(one) if one.ended else f"{_question(one)}: {one.message}"


def _question(one: "Operation") -> str:
    return screen.wrapped(_once(one.question), 50, 1)[0] or _kind(one)


def _once(question: str) -> str:
    """A note's question without its title, where the text begins with that anyway."""
    title, _, text = question.partition("\n\n")
    return text if text.startswith(title.rstrip("…")) else question


def _kind(one: "Operation") -> str:
    """What it is, in words; a routine by its name."""
    return KINDS.get(one.kind) or (one.routine or one.kind).replace("_", " ").capitalize()


async def _one(api: "Api", operation_id: str, *, as_json: bool) -> None:
    from infra.local.command.answers import child, operation, text
    from infra.local.command.follow import anew, log, told, ways_back
    from infra.local.command.outcome import show

    answer = await api.get(_path(operation_id))
    events = await log(api, operation_id)
    if as_json:
        screen.out_json({**answer, "events": events})
        return
    one = operation(child(answer, "operation"))
    for label, value in _facts(one, api.target.note):
        screen.out(f"{label:<9} {value}")
    screen.out()
    for event in events:
        if said := told(event):
            first, *more = screen.wrapped(said, max(40, screen.width() - 10), _LINES)
            screen.out(f"{_clock(text(event, 'at'))}  {first}")
            for line in more:
                screen.out(" " * 10 + line)
    if one.status == "completed":
        screen.out()
        await show(api, one)
    elif one.status == "failed":
        screen.say(f"\n{one.advice or anew(one)}")
    elif not one.ended:
        screen.say(f"\n{ways_back(one.id)}")


def _facts(one: "Operation", address: Callable[[str], str]) -> list[tuple[str, str]]:
    cost = f"about {one.cost_usd:.2f} USD" if one.cost_usd else "nothing"
    facts = [
        ("Id", one.id),
        ("Kind", _kind(one)),
        ("Status", f"{one.status}, {one.percent} %"),
        ("Question", screen.fit(_once(one.question), 200)),
        ("Begun", f"{one.created_at:%Y-%m-%d %H:%M:%S} UTC ({_age(one)} ago)" if one.created_at else ""),
        ("Next look", _in(one.next_look_at) if not one.ended else ""),
        ("Cost", cost + (f", {one.tokens:,} tokens" if one.tokens else "")),
        ("Error", one.error),
        ("Partial", one.partial),
        ("Note", address(one.source_note_id) if one.source_note_id else ""),
        ("Report", address(one.result_note_id) if one.result_note_id else ""),
    ]
    return [(label, value) for label, value in facts if value]


async def _cancel(api: "Api", operation_id: str, *, as_json: bool) -> None:
    from infra.local.command.answers import child, operation

    answer: Json = await api.post(_path(operation_id, "cancel"))
    if as_json:
        screen.out_json(answer)
        return
    one = operation(child(answer, "operation"))
    screen.out(f"{one.id} is {one.status}." if one.status == "cancelled" else f"{one.id} had ended: {one.status}.")


def _path(operation_id: str, *more: str) -> str:
    from urllib.parse import quote

    return "/".join(["/api/v1/operations", quote(operation_id, safe=""), *more])


def _clock(at: str) -> str:
    try:
        return f"{datetime.fromisoformat(at).astimezone():%H:%M:%S}"
    except ValueError:
        return "--:--:--"


def _age(one: "Operation") -> str:
    seconds = (datetime.now(UTC) - one.created_at).total_seconds() if one.created_at else 0
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0, seconds):.0f} s"


def _in(at: datetime | None) -> str:
    if at is None:
        return ""
    seconds = (at - datetime.now(UTC)).total_seconds()
    return f"in {seconds:.0f} s" if seconds > 0 else "due"
