"""`memex memory audit`: the rules of memory on made-up receipts, then a canary at the service that is configured."""

import textwrap
from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import FAILED, UNREACHABLE, Failure, Refused

if TYPE_CHECKING:
    from infra.local.command.answers import Json
    from shared.memory.cases import Case

WAYS = (("get", "by name"), ("listed", "by list"), ("scope", "by scope"), ("similarity", "by similarity"))


@click.group()
def memory() -> None:
    """Test what the chat remembers: the rules, and the service that keeps it."""


@memory.command()
@click.option("--no-canary", is_flag=True, help="Only the rules; no service is asked.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@connected()
def audit(connection: Connection, no_canary: bool, as_json: bool) -> None:
    """Run the eight cases, the demands beyond them, and a canary.

    The canary writes a harmless fact of nobody's to the memory service that is configured, reads it back in four ways,
    deletes it, and looks once more. It can't tell whether a memory is true or useful, nor whether real questions find
    what they should. Exit code 0 where every case is as it should be and the canary is healthy, 1 where not, 3 where
    Memex can't be reached or has no memory service.
    """
    import asyncio

    from shared.memory.cases import CASES

    sound = all(case.holds for case in CASES)
    song: Json | None = None
    silent: Failure | None = None
    if not as_json:
        _show(CASES)
    if not no_canary:
        try:
            song = asyncio.run(_sing(connection))
        except Failure as failure:
            silent = failure
    if as_json:
        screen.out_json(_as_json(CASES, song, silent))
    elif song is not None:
        _show_song(song)
    if silent is not None:
        raise silent
    if not sound or (song is not None and not song.get("healthy")):
        raise click.exceptions.Exit(FAILED)


async def _sing(connection: Connection) -> "Json":
    from infra.local.command.http import Api

    async with Api(connection.target()) as api:
        try:
            song = await api.post("/api/v1/memories/canary")
        except Refused as refused:
            code = UNREACHABLE if refused.status == 503 else FAILED
            raise Failure(f"The canary was not sent: {refused.message}", refused.next, exit_code=code) from None
    if not song.get("written") and song.get("problem"):
        raise Failure(f"The canary was not sent: {song['problem']}.", "See `memex doctor`.", exit_code=UNREACHABLE)
    return song


def _show(cases: "tuple[Case, ...]") -> None:
    head = ("CASE", "VERDICT", "DECISION", "")
    rows = [
        (
            ("+ " if case.extra else "") + case.name,
            case.judgement.verdict,
            case.judgement.decision or "nothing to inject",
            "" if case.holds else f"WRONG: should be {case.verdict}, {case.decision or 'nothing to inject'}",
        )
        for case in cases
    ]
    title, *lines = screen.table(head, rows)
    screen.out(title)
    for case, line in zip(cases, lines, strict=True):
        screen.out(line)
        # On lines of its own: what to do must not be cut where the terminal is narrow.
        for part in textwrap.wrap(case.judgement.safe_action, max(40, screen.width() - 4)):
            screen.out(f"    {part}")
    screen.out()
    eight = [case for case in cases if not case.extra]
    screen.out(f"{len(eight)} cases: {_counts(eight)}; {len(cases) - len(eight)} demands beyond them, marked +.")


def _counts(cases: "list[Case]") -> str:
    found: dict[str, int] = {}
    for case in cases:
        found[case.judgement.verdict] = found.get(case.judgement.verdict, 0) + 1
    order = ("healthy", "working", "uncertain", "degraded", "failed")
    return ", ".join(f"{found[verdict]} {verdict}" for verdict in order if verdict in found)


def _show_song(song: "Json") -> None:
    from infra.local.command.answers import child, children, text

    screen.out()
    for name, title in (("written", "Canary, write"), ("cleaned", "Canary, cleanup")):
        if not song.get(name):
            continue
        receipt = child(song, name)
        reads = child(receipt, "reads")
        seen = ", ".join(
            f"{words} {child(reads, way).get('hits')}/{child(reads, way).get('asked')}" for way, words in WAYS
        )
        cases = ", ".join(text(child(item, "judgement"), "case") for item in children(receipt, "items"))
        screen.out(f"{title:<16} {text(receipt, 'verdict')} ({cases}); seen {seen}")
        if action := text(receipt, "safe_action"):
            screen.out(f"{'':<16} {action}")
    if problem := text(song, "problem"):
        screen.out(f"{'Canary':<16} broke off: {problem}")


def _as_json(cases: "tuple[Case, ...]", song: "Json | None", silent: Failure | None) -> dict[str, object]:
    eight = [case for case in cases if not case.extra]
    counts = {verdict: sum(case.judgement.verdict == verdict for case in eight) for verdict in _VERDICTS}
    return {
        "cases": [
            {
                "case_id": case.name,
                "extra": case.extra,
                "evidence": case.evidence.model_dump(mode="json"),
                **case.judgement.model_dump(mode="json", exclude={"case"}),
                "rule": case.judgement.case,
                "holds": case.holds,
            }
            for case in cases
        ],
        "counts": counts,
        "sound": all(case.holds for case in cases),
        "canary": song,
        "canary_problem": {"message": silent.message, "next": silent.next} if silent else None,
    }


_VERDICTS = ("healthy", "working", "degraded", "failed")
