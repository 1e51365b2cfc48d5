"""What agents, routines and people left behind, put into a local product's store before it starts: the real models.

It refuses to pretend: every document is written through the store that the product reads it with.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from infra.local.store.documents import SqliteDocuments
from shared.events.trace import User
from shared.models.activity import Activity, DeadLetter
from shared.models.approval import Action, Approval, CreateNoteAction, DeleteNoteAction, UpdateNoteAction
from shared.models.arguments import CreateNote, DeleteNote, NoteChanges, UpdateNote
from shared.models.artifact import Aspect, Comparison, Listing, Moment, Table, Timeline
from shared.models.base import Time, moment
from shared.models.chat import ChatSession
from shared.models.ids import ulid
from shared.models.note import Note
from shared.models.operation import AgentInput, Failure, Operation, ResearchInput, RoutineInput, Usage
from shared.models.result import Claim, Company, Result, Source
from shared.models.routine import Paused, Routine, RoutineRun
from shared.models.thesis import Evidence, Thesis
from shared.operations.transition import Change
from shared.store.activity import Activities
from shared.store.approvals import Approvals
from shared.store.documents import Expect, Write
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.records import write
from shared.store.routines import RoutineRuns

TENANT = "default"
ME = "me"
SLEEP = (
    "Sleep and memory\n\nThe lecturer warned that most of the classic studies had fewer than 30 people.\n\nNaps: mixed."
)
SPACING = "Spaced repetition\n\nThe best gap is 10 to 20 % of the time until the knowledge is needed."


@dataclass(frozen=True, slots=True)
class Ids:
    """What the tests open."""

    sleep: str
    spacing: str
    thesis: str
    digest: str
    """A proposal to make a note."""
    edit: str
    """A proposal to change the note on sleep."""
    removal: str
    """A proposal to move the note on spacing to the bin."""
    result: str
    """A task that ended with a result."""
    asking: str
    """A task that waits for an answer."""
    failed: str
    session: str
    theirs: str
    """A conversation of somebody else, in which a tool was used."""
    research: str
    """Research by the product's own agents, at its end."""


class Seed:
    """Writes into the store of a folder that no product holds."""

    def __init__(self, documents: SqliteDocuments, now: float) -> None:
        self.documents = documents
        self.now = now
        self._made = 0

    def id(self) -> str:
        """A new id; later ones sort behind earlier ones."""
        self._made += 1
        return ulid(self.now - 3600 + self._made)

    def at(self, seconds_ago: float = 0) -> Time:
        """A time before now."""
        return moment(self.now - seconds_ago)

    async def put(self, *writes: Write) -> None:
        """Commit."""
        await self.documents.commit(list(writes))

    async def note(self, body: str, *, thesis: Thesis | None = None, title: str | None = None) -> str:
        """A note."""
        note = Note(
            id=self.id(),
            created_at=self.at(7200),
            updated_at=self.at(7200),
            kind="thesis" if thesis else "capture",
            body=body,
            title=title or body.split("\n")[0],
            thesis=thesis,
        )
        notes = Notes(self.documents, TENANT)
        await self.put(*notes.put(note, Expect.ABSENT))
        return note.id

    async def approval(self, action: Action, reason: str, *, run_id: str | None = None, ago: float = 600) -> str:
        """A proposal that waits."""
        approval = Approval(
            id=self.id(),
            created_at=self.at(ago),
            updated_at=self.at(ago),
            action=action,
            reason=reason,
            subject=ME,
            run_id=run_id,
            expires_at=self.at() + timedelta(days=6),
        )
        await self.put(Approvals(self.documents, TENANT).put(approval, Expect.ABSENT))
        return approval.id

    async def operation(self, change: Change) -> str:
        """An operation with its log."""
        operations = Operations(self.documents, TENANT)
        await self.put(*operations.put(change.operation, change.events, Expect.ABSENT))
        return change.operation.id

    def task(self, question: str, note_ids: Sequence[str] = ()) -> Change:
        """A question to an agent, running."""
        operation = Operation(
            id=self.id(),
            created_at=self.at(300),
            updated_at=self.at(300),
            kind="agent_task",
            status="created",
            input=AgentInput(question=question, note_ids=list(note_ids)),
            usage=Usage(tokens=14_200, cost_usd=0.42),
            budget_usd=5.0,
            budget_tokens=200_000,
        )
        change = Change(operation, self.now - 280)
        change.queue()
        change.start(self.now + 20)
        return change


def result_of(sleep: str, spacing: str) -> Result:
    """A result with a little of everything."""
    return Result(
        summary="Sleep helps, about half as much as textbooks say. [S1] A night between two looks comes free. [S2]",
        claims=[
            Claim(
                claim="The early studies were small.",
                confidence=85,
                evidence=["most of the classic studies had fewer than 30 people"],
                sources=["S1"],
            ),
            Claim(claim="A night belongs into the gap.", evidence=[], sources=["S1", "S2"]),
            Claim(claim="Naps double the effect.", unsupported=True),
        ],
        sources=[
            Source(id="S1", title="Sleep and memory", url=f"#/notes/{sleep}", note_id=sleep),
            Source(id="S2", title="Spaced repetition", url=f"#/notes/{spacing}", note_id=spacing),
            Source(id="S3", title="A replication", url="https://example.org/sleep"),
        ],
        risks=["Both notes may lean on the same lecture. [S1]"],
        companies=[Company(ticker="SLP", name="Sleep Number")],
        themes=["learning"],
        portfolio_impact=["None that the notes would bear."],
        artifacts=[
            Table(
                kind="table",
                title="Studies",
                sources=["S1"],
                columns=["Study", "People"],
                rows=[["Word pairs, 2006", "28"], ["Word pairs, pooled", "1,460"]],
            ),
            Timeline(
                kind="timeline",
                title="When",
                events=[Moment(at="2006", text="First"), Moment(at="2021", text="Pooled")],
            ),
            Listing(kind="list", title="To do", items=["Learn in the evening", "Look again the next day"]),
            Comparison(
                kind="comparison",
                title="Night and nap",
                subjects=["Night", "Nap"],
                aspects=[Aspect(name="Effect", values=["17 %", "mixed"])],
            ),
        ],
        flags=["Quotes that don't stand in their sources word for word were taken off."],
    )


async def _fill(seed: Seed) -> Ids:
    sleep, spacing = await seed.note(SLEEP), await seed.note(SPACING)
    thesis = await seed.note(
        "The effect shrinks with each replication.",
        title="Sleeping on it is worth less than textbooks say",
        thesis=Thesis(
            status="active",
            confidence=70,
            supporting=[
                Evidence(text="The classic studies were small.", source=f"#/notes/{sleep}", added_at=seed.at(900))
            ],
            opposing=[
                Evidence(text="The pooled effect is real.", source="https://example.org/sleep", added_at=seed.at(800))
            ],
        ),
    )
    routine = await _routines(seed)
    digest = await seed.approval(
        CreateNoteAction(
            tool="create_note",
            arguments=CreateNote(
                text=f"- Studies were small [1](#/notes/{sleep})", title="Digest of Monday", kind="digest"
            ),
        ),
        "Two notes of the day belong together.",
        run_id=routine,
    )
    edit = await seed.approval(
        UpdateNoteAction(
            tool="update_note",
            arguments=UpdateNote(
                note_id=sleep,
                changes=NoteChanges(
                    body=SLEEP.replace("Naps: mixed.", "Naps under 90 minutes: mixed."), add_tags=["sleep"]
                ),
            ),
        ),
        "The note leaves out how long the naps were.",
    )
    removal = await seed.approval(
        DeleteNoteAction(tool="delete_note", arguments=DeleteNote(note_id=spacing)),
        "Another note says the same.",
        ago=900,
    )
    # Somebody has touched the note since that was proposed.
    said = User(seq=1, at=seed.at(60), text="", changes={"title": ["", ""]})
    await seed.put(Notes(seed.documents, TENANT).trace_write(spacing, said))
    return Ids(
        sleep, spacing, thesis, digest, edit, removal,
        await _result(seed, sleep, spacing), await _asking(seed), await _failed(seed), *await _deeds(seed, sleep),
        await _research(seed, sleep),
    )  # fmt: skip


async def _result(seed: Seed, sleep: str, spacing: str) -> str:
    change = seed.task("Does sleeping on it help one remember?", [sleep])
    change.think("Two notes speak of it; what differs?")
    change.called("search_notes", {"query": "sleep"})
    change.answered("search_notes", {"found": 2})
    change.called("fetch_web", {"url": "https://example.org/"})
    change.answered("fetch_web", {"error": "egress_blocked", "message": "Not allowed."})
    change.stream("Sleep helps, ")
    change.stream("about half as much.")
    change.complete(
        result_of(sleep, spacing).model_dump(mode="json", by_alias=True), partial="The budget of tokens was used up."
    )
    return await seed.operation(change)


async def _asking(seed: Seed) -> str:
    change = seed.task("Which of the two effects do you mean?")
    change.wait("Facts or skills?", seed.now + 86_400, ["Facts", "Skills"])
    return await seed.operation(change)


async def _failed(seed: Seed) -> str:
    change = seed.task("What does the web say?")
    change.fail(Failure(code="no_sources", message="Nothing was found.", next="Pick notes for it, and ask again."))
    return await seed.operation(change)


async def _research(seed: Seed, note: str) -> str:
    """Its log is that of an agent task: thoughts, tools, text."""
    operation = Operation(
        id=seed.id(),
        created_at=seed.at(300),
        updated_at=seed.at(300),
        kind="deep_research",
        status="created",
        input=ResearchInput(note_id=note, question="Does sleep help memory?"),
        source_note_id=note,
    )
    change = Change(operation, seed.now - 280)
    change.queue()
    change.start(seed.now + 20)
    change.think("Planned\n\nRead the notes on sleep; compare the studies.")
    change.called("search_notes", {"query": "sleep"})
    change.answered("search_notes", {"found": 2})
    change.called("http_fetch", {"url": "https://example.org/"})
    change.answered("http_fetch", {"error": "egress_blocked", "message": "Not allowed."})
    change.stream("Sleep helps a little.")
    change.complete({}, partial="It was cut short.")
    return await seed.operation(change)


async def _routines(seed: Seed) -> str:
    """Two routines, one of them paused, and the runs that they had; the id of the run that proposes a note."""
    documents, now = seed.documents, seed.at()
    digest = Routine(
        id="nightly_digest", created_at=now, updated_at=now, at="21:00", enabled=True, subject=ME, since=now
    )
    review = Routine(
        id="daily_review",
        created_at=now,
        updated_at=now,
        at="07:00",
        enabled=True,
        subject=ME,
        failures=3,
        paused=Paused(reason="It failed three times in a row.", at=seed.at(3600)),
    )
    runs = RoutineRuns(documents, TENANT)
    proposed, broken = seed.id(), seed.id()
    run = RoutineRun(
        id=proposed,
        created_at=now,
        updated_at=now,
        routine="nightly_digest",
        due_at=now,
        fired_at=seed.at(1800),
        status="completed",
        summary="It proposes a digest of two notes.",
    )
    failed = RoutineRun(
        id=broken,
        created_at=now,
        updated_at=now,
        routine="daily_review",
        due_at=now,
        fired_at=seed.at(3600),
        status="failed",
        error=Failure(code="upstream", message="The model could not be reached.", next="Run it again later."),
    )
    operation = Operation(
        id=proposed,
        created_at=seed.at(1800),
        updated_at=seed.at(1700),
        kind="routine",
        status="completed",
        input=RoutineInput(routine="nightly_digest", due_at=now),
    )
    await seed.put(
        write(f"tenants/{TENANT}/routines/nightly_digest", digest, Expect.ABSENT),
        write(f"tenants/{TENANT}/routines/daily_review", review, Expect.ABSENT),
        runs.put(run, ""),
        runs.put(failed, ""),
        *Operations(documents, TENANT).put(operation, [], Expect.ABSENT),
    )
    return proposed


async def _deeds(seed: Seed, note: str) -> tuple[str, str]:
    """A conversation, one of somebody else, and what was done in each; their ids."""
    documents = seed.documents
    session = ChatSession(id=seed.id(), created_at=seed.at(600), updated_at=seed.at(600), title="About sleep")
    theirs = seed.id()
    activities = Activities(documents, TENANT)

    def deed(tool: str, **fields: object) -> Write:
        return activities.put(
            Activity.model_validate(
                {
                    "id": seed.id(),
                    "at": seed.at(500),
                    "subject": ME,
                    "session_id": session.id,
                    "run_id": session.id,
                    "call_id": "c1",
                    "tool": tool,
                    "class": "read",
                    "decision": "allowed",
                    "arguments": {"query": "sleep"},
                    "ok": True,
                    "duration_ms": 12,
                }
                | fields
            )
        )

    letter = DeadLetter(
        id=seed.id(),
        at=seed.at(400),
        subscription="enrich",
        message_id="m1",
        attributes={"note_id": note},
        attempts=5,
        reason="500",
    )
    blocked = {"class": "external", "decision": "refused", "ok": False, "code": "egress_blocked", "duration_ms": 0}
    await seed.put(
        write(f"tenants/{TENANT}/chat_sessions/{session.id}", session, Expect.ABSENT),
        deed("search_notes", subject="somebody@example.org", session_id=theirs, run_id=theirs),
        deed("search_notes"),
        deed("http_fetch", arguments={"url": "https://example.org/", "token": "[masked]"}, **blocked),
        deed("create_note", **{"class": "write"}, session_id="", run_id=note),
        activities.put(letter),
    )
    return session.id, theirs


def fill(folder: Path, now: float) -> Ids:
    """Put it all into a folder; `now` is unix seconds."""

    def put() -> Ids:
        with SqliteDocuments(folder) as documents:
            return asyncio.run(_fill(Seed(documents, now)))

    # A browser's own loop runs in the thread of the test.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(put).result()
