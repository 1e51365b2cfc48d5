"""A finished run becomes a research note: its parts first, then everything that counts in one commit."""

from shared.doors import Doors
from shared.events.trace import TRACE_EVENT, TraceEvent
from shared.models.base import REPORT, RESERVED_TAGS, moment
from shared.models.note import Enrichment, Note
from shared.models.operation import Operation, Usage
from shared.operations.ending import Ended, end
from shared.operations.transition import Change
from shared.research.interaction import Interaction
from shared.research.outcome import Outcome
from shared.research.report import Report, assemble
from shared.store.documents import Expect, Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.records import in_batches

TITLE = 120
"""Characters of a report's title."""


async def publish(doors: Doors, tenant: str, operation_id: str, interaction: Interaction, outcome: Outcome) -> Ended:
    """Write the report of a finished (or incomplete) run; a replay at any point writes the same things again.

    The trace lies below a note that does not exist yet, so nobody sees half a report. Where a cancel won, it is
    deleted again.
    """
    operation = (await Operations(doors.documents, tenant).get(operation_id)).value
    notes = Notes(doors.documents, tenant)
    report = assemble(interaction)
    partial = outcome.message if outcome.kind == "incomplete" else None
    source = await notes.find(operation.source_note_id) if operation.source_note_id else None
    note = research_note(operation, source.value if source else None, report, partial, doors.now())
    if operation.status == "running":
        await in_batches(doors.documents, _trace(notes, note, report))

    def decide(change: Change) -> list[Write]:
        # What was counted as it was spent, else what the run was taken to cost.
        cost = change.operation.usage.cost_usd or change.operation.estimated_usd
        change.set(usage=Usage(tokens=report.usage.tokens, cost_usd=cost), remote_open=False)
        change.complete(report.output(), partial=partial, result_note_id=note.id)
        # Written whatever stands there: only this operation writes under its own id.
        return notes.put(note, Expect.ANYTHING, body=note.body)

    ended = await end(doors, tenant, operation_id, decide)
    if ended.operation.status != "completed":
        await notes.clear(note.id)
    return ended


def research_note(operation: Operation, source: Note | None, report: Report, partial: str | None, now: float) -> Note:
    """The note that a report becomes; its id is the operation's."""
    body = f"> **Incomplete.** {partial}\n\n{report.markdown}" if partial else report.markdown
    tags = [tag for tag in (source.tags if source else []) if tag not in RESERVED_TAGS]
    return Note(
        id=operation.id,
        created_at=operation.created_at,
        updated_at=moment(now),
        kind="research",
        body=body,
        title=_title(report, source),
        summary=report.summary[:2000] or None,
        tags=[REPORT, *tags],
        source=source.source if source else "api",
        source_note_id=operation.source_note_id,
        enrichment=Enrichment(status="none"),
        citations=report.citations,
    )


def _title(report: Report, source: Note | None) -> str:
    lines = (line for line in report.markdown.splitlines() if line.strip())
    # Above the answer a quotation may say something of the report itself.
    first = next((line for line in lines if not line.startswith(">")), "")
    if first.startswith("# "):
        return first.removeprefix("# ").strip()[:TITLE]
    text = (source.title or source.body.strip().partition("\n")[0]) if source else ""
    return f"Research: {text}"[:TITLE] if text else "Research"


def _trace(notes: Notes, note: Note, report: Report) -> list[Write]:
    events: list[TraceEvent] = [
        TRACE_EVENT.validate_python({"seq": seq, "at": note.created_at, **payload})
        for seq, payload in enumerate(report.trace, 1)
    ]
    return [notes.trace_write(note.id, event, Expect.ANYTHING) for event in events]
