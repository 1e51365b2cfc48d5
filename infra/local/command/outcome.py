"""What finished work came to, whatever kind it was: its note, or the result it holds. Nothing is left out unseen."""

import json
from collections.abc import Iterator

from infra.local.command import screen
from infra.local.command.answers import Json, Note, Operation, child, children, note, text, texts, whole
from infra.local.command.failure import Refused
from infra.local.command.follow import ended_well, show_report
from infra.local.command.http import Api
from infra.local.command.target import Target

_NOTE = "#/notes/"


async def written(api: Api, one: Operation) -> Json | None:
    """The note that it wrote, as the API answers it; None where it wrote none, or that is gone for good."""
    if not one.result_note_id:
        return None
    try:
        return child(await api.get(f"/api/v1/notes/{one.result_note_id}"), "note")
    except Refused as refusal:
        if refusal.status != 404:
            raise
        return None


async def show(api: Api, one: Operation, *, address: bool = True) -> None:
    """Print the result; a Failure where there is none. `address` says whether a browser finds it afterwards."""
    ended_well(one)
    found = await written(api, one)
    if one.partial:
        screen.say(f"The {'report' if found else 'result'} is incomplete: {one.partial}\n")
    if found:
        report: Note = note(found)
        show_report(report, api.target.note(report.id) if address else "")
        return
    for line in lines(one, api.target):
        screen.out(line)
    if one.result_note_id:
        screen.say("\nThe note with the whole text is gone for good.")


def lines(one: Operation, target: Target) -> list[str]:
    """The result that an operation holds itself, as text."""
    output = one.output
    if one.kind == "memory_generation" and "verdict" in output:
        counts = ((whole(output, word), word) for word in ("created", "updated", "deleted"))
        told = ", ".join(f"{count} {word}" for count, word in counts if count) or "nothing changed"
        return [f"Memories: {told} ({text(output, 'verdict')}).", f"See them with: {_at(target, 'memory')}"]
    if not text(output, "summary"):
        # A newer Memex may know kinds that this command doesn't.
        return json.dumps(output, ensure_ascii=False, indent=2).splitlines() if output else ["Completed."]
    return [*_found(output, target), *_proposed(output, target)]


def _proposed(output: Json, target: Target) -> Iterator[str]:
    for approval_id in texts(output, "approval_ids"):
        yield ""
        yield f"Decide on it: {_at(target, f'approvals/{approval_id}')}"


def _found(output: Json, target: Target) -> Iterator[str]:
    yield text(output, "summary").strip()
    if isinstance(percent := output.get("confidence"), int):
        yield ""
        yield f"Confidence in the whole: {percent} of 100"
    yield from _listed("Take with care", texts(output, "flags"))
    if claims := children(output, "claims"):
        yield from ("", "## Claims", "")
        for number, claim in enumerate(claims, 1):
            yield from _claim(number, claim)
    for artifact in children(output, "artifacts"):
        yield from _artifact(artifact)
    yield from _listed("Risks", texts(output, "risks"))
    yield from _listed("What it means for your portfolio", texts(output, "portfolio_impact"))
    yield from _listed("Themes", texts(output, "themes"))
    named = [f"{text(one, 'ticker')} {text(one, 'name')}".strip() for one in children(output, "companies")]
    yield from _listed("Companies", named)
    if sources := children(output, "sources"):
        yield from ("", "## Sources", "")
        for one in sources:
            yield f"{text(one, 'id')}. {text(one, 'title')} <{_address(text(one, 'url'), target)}>"
    elif addresses := texts(output, "sources"):
        yield from _listed("Sources", [_address(one, target) for one in addresses])


def _claim(number: int, claim: Json) -> Iterator[str]:
    percent = claim.get("confidence")
    marks = [f"[{', '.join(texts(claim, 'sources'))}]"] if texts(claim, "sources") else []
    marks += [f"({percent} of 100)"] if isinstance(percent, int) else []
    marks += ["(no source that was read is named for it)"] if claim.get("unsupported") is True else []
    yield " ".join([f"{number}. {text(claim, 'claim')}", *marks])
    for passage in texts(claim, "evidence"):
        yield f"   > {' '.join(passage.split())}"


def _artifact(artifact: Json) -> Iterator[str]:
    yield from ("", f"## {text(artifact, 'title')}", "")
    yield from _table(texts(artifact, "columns"), [_strings(row) for row in _list(artifact, "rows")])
    for one in children(artifact, "events"):
        yield f"- {text(one, 'at')}: {text(one, 'text')}"
    for item in texts(artifact, "items"):
        yield f"- {item}"
    aspects = [[text(one, "name"), *texts(one, "values")] for one in children(artifact, "aspects")]
    yield from _table(["", *texts(artifact, "subjects")] if aspects else [], aspects)
    if sources := texts(artifact, "sources"):
        yield from ("", f"From {', '.join(sources)}")


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Columns as wide as their widest cell: a result is piped and read, never cut."""
    if not head:
        return []
    even = [[*row, *[""] * len(head)][: len(head)] for row in [head, *rows]]
    wide = [max(screen.columns(row[at]) for row in even) for at in range(len(head))]
    return [
        "  ".join(cell + " " * (size - screen.columns(cell)) for cell, size in zip(row, wide, strict=True)).rstrip()
        for row in even
    ]


def _listed(title: str, entries: list[str]) -> Iterator[str]:
    if entries:
        yield from ("", f"## {title}", "")
        yield from (f"- {entry}" for entry in entries)


def _list(body: Json, name: str) -> list[object]:
    value = body.get(name)
    return value if isinstance(value, list) else []


def _strings(row: object) -> list[str]:
    return [cell for cell in row if isinstance(cell, str)] if isinstance(row, list) else []


def _address(url: str, target: Target) -> str:
    return target.note(url.removeprefix(_NOTE)) if url.startswith(_NOTE) else url


def _at(target: Target, room: str) -> str:
    return f"{target.url}/#/{room}"
