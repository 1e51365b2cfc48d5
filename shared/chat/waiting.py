"""What waits at a gate in a person's conversations, as it is listed outside of them. It decides nothing."""

from pydantic import JsonValue

from shared.chat.turns import Speaker
from shared.models.base import JsonDict, Model, Time, moment
from shared.models.chat import GateReason, Run
from shared.models.ids import Id

MOST = 50
"""The newest that are told; a person with more has others to see to first."""
FIRST_LINES = 600
"""Characters of a text that are told of it; the conversation has the whole."""


class WaitingRun(Model):
    """A turn that waits for its person's word; the word is said in its conversation."""

    run_id: Id
    session_id: Id
    title: str | None
    """Of the conversation."""
    reason: GateReason
    tool: str
    """The tool that would run; empty where an answer waits."""
    arguments: JsonDict
    """As a person may see them: secrets masked, of long texts the first lines."""
    why: str
    blocked_host: str
    """The host that it would reach, where that is what it waits for."""
    answer: str
    """The first lines of the answer that waits, where one does."""
    expires_at: Time
    """From then on it counts as no."""


async def waiting(speaker: Speaker, now: float) -> list[WaitingRun]:
    """All that waits for the speaker's own word, the newest conversation first."""
    titles = {
        session.turn.id: session.title for session in await speaker.chats.waiting(MOST) if session.turn is not None
    }
    runs = await speaker.chats.runs(list(titles))
    # In a conversation that is everyone's, the question of another person's turn is theirs.
    return [
        told for run in runs if run.subject == speaker.subject and (told := _told(run, titles[run.id], now)) is not None
    ]


def _told(run: Run, title: str | None, now: float) -> WaitingRun | None:
    gate = run.gate
    if gate is None or gate.expires_at <= moment(now):
        return None
    asked = gate.pending[0] if gate.pending else None
    return WaitingRun(
        run_id=run.id,
        session_id=run.session_id,
        title=title,
        reason=gate.reason,
        tool=asked.tool if asked else "",
        arguments={name: _first_lines(value) for name, value in asked.shown.items()} if asked else {},
        why=asked.why if asked else "",
        blocked_host=asked.blocked_host if asked else "",
        answer=_begun(gate.answer),
        expires_at=gate.expires_at,
    )


def _first_lines(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _first_lines(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_first_lines(inner) for inner in value]
    return _begun(value) if isinstance(value, str) else value


def _begun(text: str) -> str:
    return text if len(text) <= FIRST_LINES else f"{text[:FIRST_LINES]}…"
