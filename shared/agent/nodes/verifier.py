"""The verifier: a verdict in a fixed form. What can't be read as one is no pass."""

from typing import Literal

from shared.agent.board import Board
from shared.agent.model import ModelFailed, Question
from shared.agent.nodes.judging import case, may_send_back
from shared.agent.stage import Stage
from shared.agent.structured import structured
from shared.models.graph import Pass, Verdict

_UNJUDGED = "Not verified: no language model is set up here."
_UNREADABLE = "The verifier gave no verdict that can be read, and that is no pass."


async def verify(stage: Stage, board: Board) -> Literal["pass", "again"]:
    """Judge the draft; without a pass left it goes on, whatever the verdict."""
    verdict, checked = await _verdict(stage, board)
    stage.hands.tell(
        {
            "type": "verification",
            "verdict": verdict.verdict,
            "reasons": verdict.reasons,
            "checked": checked,
            "attempt": board.attempt,
        }
    )
    if verdict.verdict == "pass" or not may_send_back(board):
        return "pass"
    judged = " ".join(verdict.reasons) or verdict.verdict
    sent_back = Pass(upto=stage.hands.upto, draft=board.draft, judged=judged, judge="verifier")
    board.passes = [*board.passes, sent_back]
    return "again"


async def _verdict(stage: Stage, board: Board) -> tuple[Verdict, bool]:
    if stage.offline:
        return Verdict(verdict="pass", reasons=[_UNJUDGED]), False
    messages, checked = await case(stage, board, "verifier", check=board.shape.check)
    try:
        return await structured(stage.model, Question(stage.instruction("verifier"), messages), Verdict), checked
    except ModelFailed:
        return Verdict(verdict="needs_revision", reasons=[_UNREADABLE]), checked
