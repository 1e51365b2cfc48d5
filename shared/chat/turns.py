"""The states of a turn: begun, claimed again at its gate, stopped, settled after a death. Each change is one commit."""

from dataclasses import dataclass

from shared.chat.loose import Reason, answers_for, read_others
from shared.errors import Conflict, Forbidden, Gone, Unprocessable
from shared.events.trace import Error, ToolResult, TraceEvent, User
from shared.models.base import moment
from shared.models.chat import DECISIONS, OPEN, ChatSession, Decision, Gate, GraphRun, Run, Turn, TurnStatus
from shared.models.ids import ulid
from shared.store.chats import HOUSE, Chats
from shared.store.documents import Documents, Expect
from shared.store.records import Stored, until_settled

LEASE_SECONDS = 30.0
"""How long a turn counts as alive after its last sign of life."""
RENEW_SECONDS = 10.0
TITLE = 80
"""Characters of a conversation's title, from the first thing said in it."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that this process now works on: the session, the run, the number of the next event."""

    session: ChatSession
    run: Run
    next_seq: int
    asked: User | None = None
    """The message that began it; None where it goes on after a gate."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks, and the documents of their tenant. The house speaks, too: it ends what a death left open."""

    documents: Documents
    tenant: str
    subject: str

    @property
    def chats(self) -> Chats:
        """Their conversations, and nobody else's."""
        return Chats(self.documents, self.tenant, self.subject)


def lease(now: float) -> float:
    """Until when a sign of life counts, in unix seconds."""
    return now + LEASE_SECONDS


def alive(turn: Turn, now: float) -> bool:
    """Whether some process still works on it."""
    return turn.status == "running" and turn.lease_until > moment(now)


def shown(session: ChatSession, now: float) -> ChatSession:
    """The session as a person should see it: a turn whose process is gone is interrupted, settled or not."""
    turn = session.turn
    if turn is None or turn.status != "running" or alive(turn, now):
        return session
    return session.model_copy(update={"turn": turn.model_copy(update={"status": "interrupted"})})


async def begin(speaker: Speaker, session_id: str, text: str, now: float, *, graph: GraphRun | None = None) -> Begun:
    """A person says something. Conflict `turn_running` while a turn runs; one that waits at a gate is denied first.

    `graph` is kept with the run where several agents are to answer.
    """

    async def attempt() -> Begun:
        stored = await speaker.chats.get(session_id)
        turn = stored.value.turn
        if turn and alive(turn, now):
            raise Conflict(
                "An answer is still being written in this conversation.",
                code="turn_running",
                next=f"Wait for it, or stop run {turn.id}.",
            )
        if turn and turn.status in OPEN:
            reason: Reason = "interrupted" if turn.status == "running" else "abandoned"
            stored = await _closed(speaker, stored, reason, now)
        return await _begun(speaker, stored, text, now, graph)

    return await until_settled(attempt)


async def _begun(speaker: Speaker, stored: Stored[ChatSession], text: str, now: float, graph: GraphRun | None) -> Begun:
    chats, session = speaker.chats, stored.value
    seq = await chats.next_seq(session.id)
    # A run that could have gone on leaves its calls open; from here on it can't.
    loose = await _left_open(speaker, session, seq, now)
    seq += len(loose)
    run = Run(
        id=ulid(now),
        created_at=moment(now),
        updated_at=moment(now),
        session_id=session.id,
        subject=speaker.subject,
        graph=graph,
    )
    asked = User(seq=seq, at=moment(now), turn=run.id, text=text)
    turn = Turn(id=run.id, status="running", lease_until=moment(lease(now)), first_seq=seq)
    title = session.title or _title(text)
    changed = session.changed(now, turn=turn, title=title)
    await speaker.documents.commit(
        [
            chats.put(changed, stored.version),
            chats.put_run(run, Expect.ABSENT),
            *chats.put_events(session.id, [*loose, asked]),
        ]
    )
    return Begun(changed, run, seq + 1, asked)


async def _left_open(speaker: Speaker, session: ChatSession, seq: int, now: float) -> list[ToolResult]:
    if session.turn is None or session.turn.status != "interrupted":
        return []
    if (await speaker.chats.run(session.turn.id)).value.graph is None:
        return []
    found = await answers_for(speaker.documents, speaker.tenant, session, "interrupted", now)
    return [_renumbered(result, seq + n) for n, result in enumerate(found)]


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TITLE else f"{line[: TITLE - 1].rstrip()}…"


async def claim(
    speaker: Speaker, run_id: str, now: float, decision: Decision = "approve", *, version: str = ""
) -> tuple[Begun, Gate]:
    """Take a suspended run up again, once: 404 elsewhere, 403 another person's, 409 taken already, 410 too late.

    422 where the decision is none of this gate's. The decision is kept with a run of several agents until it has been
    acted on; `version` is that of the graph here, and a run of another is refused.
    """

    async def attempt() -> tuple[Begun, Gate] | None:
        run, stored = await _own(speaker, run_id)
        turn, gate = stored.value.turn, run.value.gate
        if turn is None or turn.id != run_id or turn.status != "waiting" or gate is None:
            raise Conflict(
                "This question was answered already, or the conversation went on without an answer.",
                code="already_resumed",
                next="Open the conversation to see what became of it.",
            )
        if gate.expires_at <= moment(now):
            await _closed(speaker, stored, "expired", now)
            return None
        _fitting(gate, decision)
        graph = run.value.graph
        if graph:
            of_this_version(graph, version)
            once = [gate.pending[0].blocked_host] if decision.startswith("egress_allow") else []
            graph = graph.model_copy(
                update={"word": decision, "gate": gate, "allowed_once": [*graph.allowed_once, *once]}
            )
        return await _taken(speaker, stored, run, now, graph), gate

    claimed = await until_settled(attempt)
    if claimed is None:
        raise Gone(
            "The question was open for too long and counts as declined; nothing was done.",
            code="approval_expired",
            next="Ask again in the conversation.",
        )
    return claimed


async def go_on(speaker: Speaker, run_id: str, now: float, *, version: str) -> Begun:
    """Take up a run of several agents whose process died, or that failed: 404, 403 and 409 as above."""

    async def attempt() -> Begun:
        run, stored = await _own(speaker, run_id)
        turn, graph = stored.value.turn, run.value.graph
        if turn and alive(turn, now) and turn.id == run_id:
            raise Conflict("This answer is still being written.", code="turn_running", next="Wait for it, or stop it.")
        broken = turn is not None and turn.status in ("running", "interrupted", "failed")
        if turn is None or turn.id != run_id or graph is None or not broken:
            raise Conflict(
                "This run can't go on: it has ended, waits for a decision, or the conversation went on without it.",
                code="nothing_to_continue",
                next="Open the conversation to see how it stands, or ask again.",
            )
        of_this_version(graph, version)
        return await _taken(speaker, stored, run, now, graph)

    return await until_settled(attempt)


async def waiting(speaker: Speaker, run_id: str, now: float) -> Gate:
    """What a run waits for; Conflict where it does not wait."""
    run, stored = await _own(speaker, run_id)
    gate, turn = run.value.gate, stored.value.turn
    if gate is None or turn is None or turn.status != "waiting" or gate.expires_at <= moment(now):
        raise Conflict(
            "This run does not wait for a decision.", code="already_resumed", next="Open the conversation to see it."
        )
    return gate


async def run_of(speaker: Speaker, run_id: str) -> Run:
    """A run of this person's; 404 elsewhere, 403 another person's."""
    return (await _own(speaker, run_id))[0].value


def of_this_version(graph: GraphRun, version: str) -> None:
    """Conflict `graph_changed` where the run was begun by a graph of another version."""
    if graph.version != version:
        raise Conflict(
            f"This run was begun by version {graph.version} of the agents, and {version or 'none'} runs here now.",
            code="graph_changed",
            next="Ask again in the conversation; what the run had done stands there.",
        )


def _fitting(gate: Gate, decision: Decision) -> None:
    fits = DECISIONS[gate.reason]
    if decision not in fits:
        raise Unprocessable(
            f"decision: {decision} decides nothing here",
            code="decision_unfit",
            next=f"Send one of {', '.join(fits)}.",
        )


async def _taken(
    speaker: Speaker, stored: Stored[ChatSession], run: Stored[Run], now: float, graph: GraphRun | None
) -> Begun:
    """Make the turn run here, in one commit that only one can make."""
    chats, session = speaker.chats, stored.value
    assert session.turn
    seq = await chats.next_seq(session.id)
    going_on = session.turn.model_copy(
        update={"status": "running", "lease_until": moment(lease(now)), "stopping": False}
    )
    taken, opened = session.changed(now, turn=going_on), run.value.changed(now, gate=None, graph=graph)
    await speaker.documents.commit([chats.put(taken, stored.version), chats.put_run(opened, run.version)])
    return Begun(taken, opened, seq)


async def stop(speaker: Speaker, run_id: str, now: float) -> ChatSession:
    """Stop a run: one at a gate is declined, a running one is told to end; one that has ended stays as it is."""

    async def attempt() -> ChatSession:
        _, stored = await _own(speaker, run_id)
        session, turn = stored.value, stored.value.turn
        if turn is None or turn.id != run_id or turn.status not in OPEN:
            return session
        if not alive(turn, now):
            return (await _closed(speaker, stored, "stopped" if turn.status == "waiting" else "interrupted", now)).value
        told = session.changed(now, turn=turn.model_copy(update={"stopping": True}))
        await speaker.documents.commit([speaker.chats.put(told, stored.version)])
        return told

    return await until_settled(attempt)


async def _own(speaker: Speaker, run_id: str) -> tuple[Stored[Run], Stored[ChatSession]]:
    run = await speaker.chats.run(run_id)
    if run.value.subject != speaker.subject:
        raise Forbidden("This run belongs to someone else.", code="not_yours", next="Ask them to decide.")
    return run, await speaker.chats.get(run.value.session_id)


_ENDS: dict[Reason, tuple[TurnStatus, str]] = {
    "interrupted": ("interrupted", "The answer was interrupted. What it had done by then stands above."),
    "abandoned": ("cancelled", "The question was left unanswered, so the call was declined. Nothing of it was done."),
    "expired": ("cancelled", "Nobody answered in time, so the call was declined. Nothing of it was done."),
    "stopped": ("cancelled", "Stopped. The call that was waiting for an answer was not done."),
}


async def settle(
    documents: Documents,
    tenant: str,
    session_id: str,
    now: float,
    *,
    subject: str = HOUSE,
    born: float | None = None,
) -> ChatSession:
    """Close what no process works on any more: a turn whose lease is over, a gate whose time is.

    `born` is when this process began, where it is the only one: no turn that gave its last sign of life before that
    is still alive. Forbidden where `subject` is a person, and the conversation another one's.
    """
    speaker = Speaker(documents, tenant, subject)

    async def attempt() -> ChatSession:
        stored = await speaker.chats.get(session_id)
        turn = stored.value.turn
        if turn is None or turn.status not in OPEN:
            return stored.value
        of_the_dead = born is not None and turn.lease_until <= moment(lease(born))
        if alive(turn, now) and not of_the_dead:
            return stored.value
        if turn.status == "running":
            return (await _closed(speaker, stored, "interrupted", now)).value
        gate = (await speaker.chats.run(turn.id)).value.gate
        if gate and gate.expires_at > moment(now):
            return stored.value
        return (await _closed(speaker, stored, "expired", now)).value

    return await until_settled(attempt)


async def _closed(speaker: Speaker, stored: Stored[ChatSession], reason: Reason, now: float) -> Stored[ChatSession]:
    """End an open turn that nobody works on: what its unanswered calls did is told, then why it ended."""
    chats, session = speaker.chats, stored.value
    assert session.turn
    status, message = _ENDS[reason]
    run = await chats.run(session.turn.id)
    if run.value.gate and run.value.gate.reason == "approve_answer":
        message = "Nobody accepted the answer, so it does not count."
    seq = await chats.next_seq(session.id)
    # A run of several agents can go on where it was: then it asks the ledger itself what became of its calls.
    keeps = reason == "interrupted" and run.value.graph is not None
    if keeps:
        message += " It can go on from there."
    loose = [] if keeps else await answers_for(speaker.documents, speaker.tenant, session, reason, now)
    outside = session.turn.outside or read_others(await chats.of_turn(session.id, session.turn.first_seq))
    events: list[TraceEvent] = [_renumbered(result, seq + n) for n, result in enumerate(loose)]
    code = "interrupted" if status == "interrupted" else "declined" if reason != "stopped" else "stopped"
    events.append(Error(seq=seq + len(events), at=moment(now), turn=session.turn.id, code=code, message=message))
    turn = session.turn.model_copy(update={"status": status, "outside": outside})
    fields: dict[str, object] = {"turn": turn, **({"outside_seq": events[-1].seq} if outside else {})}
    await speaker.documents.commit(
        [
            chats.put(session.changed(now, **fields), stored.version),
            chats.put_run(run.value.changed(now, gate=None), run.version),
            *chats.put_events(session.id, events),
        ]
    )
    return await chats.get(session.id)


def _renumbered(result: ToolResult, seq: int) -> ToolResult:
    return result.model_copy(update={"seq": seq})
