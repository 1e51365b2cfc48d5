"""The critic: one word and a reason about the draft, which it never changes."""

import re
from typing import Literal

from shared.agent.board import Board
from shared.agent.model import ModelFailed, Question
from shared.agent.nodes.judging import case, may_send_back
from shared.agent.stage import Stage
from shared.models.graph import CriticWord, Pass

_FIRST = re.compile(r"\W*(OK|REVISE|REPLAN)\b[\s:.,;*_–—-]*", re.IGNORECASE)
_UNJUDGED = "Not judged: no language model is set up here."
_NO_WORD = "The critic gave no verdict, so the draft stands."


async def criticise(stage: Stage, board: Board) -> Literal["ok", "revise", "replan"]:
    """Judge the draft; without a pass left it goes on, whatever the verdict."""
    if stage.offline:
        word, text, checked = _said("OK " + _UNJUDGED), _UNJUDGED, False
    else:
        # Exactly one judge looks facts up: the last.
        check = board.shape.check and not board.shape.accurate
        messages, checked = await case(stage, board, "critic", check=check)
        try:
            said = (await stage.hands.ask(Question(stage.instruction("critic"), messages), "critic")).text
        except ModelFailed:
            said = ""
        word, text = _said(said), _reason(said)
    board.critique = text
    stage.hands.tell({"type": "critique", "verdict": word, "text": text, "checked": checked, "attempt": board.attempt})
    if word == "ok" or not may_send_back(board):
        return "ok"
    sent_back = Pass(upto=stage.hands.upto, draft=board.draft, judged=text or word, judge="critic")
    board.passes = [*board.passes, sent_back]
    return word


def _said(answer: str) -> CriticWord:
    found = _FIRST.match(answer)
    return found[1].lower() if found else "ok"  # type: ignore[return-value]  # one of the three


def _reason(answer: str) -> str:
    found = _FIRST.match(answer)
    return answer[found.end() :].strip() if found else f"{_NO_WORD} {answer.strip()}".strip()
