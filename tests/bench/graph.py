"""A run of several agents with models that answer at once: beside ADK's bare workflow, and beside LangGraph.

Ours stores the trace, the audit and the checkpoint in SQLite; the bare workflow keeps all in memory.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from statistics import median

from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.chat import turns
from shared.models.chat import GraphRun
from shared.models.graph import VERSION
from shared.preferences import Choices, choose
from shared.store.chats import Chats
from tests.bench.bare_graph import Bare
from tests.bench.captures import Row
from tests.shared.agent.graph.world import TENANT, GraphDesk

ROUNDS, RUNS = 5, 12
PEER = Path(".bench/langgraph")
ASKED = "Please tell me the exact time of day right now."


class AtOnce:
    """A model that plans, calls one tool, answers and approves, without a moment's thought."""

    name = "at once"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        if question.tools and question.messages[-1].role != "tool":
            yield Answer(calls=(ToolCall("call", "current_time", {}),))
            return
        text = "OK" if "You review a draft" in question.instruction else "It is late."
        yield Delta("text", text)
        yield Answer(text)


def measure() -> list[Row]:
    """Milliseconds a run, a run up to its gate, a resume."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(_measured(Path(folder)))
        peers = [_langgraph(Path(folder)) for _ in range(ROUNDS)] if _installed() else []
    rows = [
        _row("a run of several agents beside ADK's bare workflow, ms", found["whole"], found["bare"], 1.5),
        _row("a resume beside ADK's bare workflow, ms", found["resume"], found["bare resume"], 1.5),
    ]
    if peers:
        rows.append(_row("a run up to its gate beside LangGraph on SQLite, ms", found["gate"], peers, 1.0))
    else:
        print("LangGraph could not be installed in .bench/langgraph: its row is left out")
    return rows


def _row(name: str, ours: list[float], floor: list[float], goal: float) -> Row:
    mine, theirs = median(ours), median(floor)
    return {
        "name": name,
        "ours": mine * 1e3,
        "floor": theirs * 1e3,
        "ratio": mine / theirs,
        "goal": goal,
        "at_least": False,
    }


async def _measured(folder: Path) -> dict[str, list[float]]:
    desk = GraphDesk(folder)
    desk.model = AtOnce()  # type: ignore[assignment]  # a model, whichever
    bare = Bare()
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, run in (
            ("whole", lambda: _whole(desk)),
            ("bare", lambda: _bare(bare)),
            ("gate", lambda: _gate(desk, found)),
            ("bare resume", lambda: _bare_resume(bare)),
        ):
            times = [await run() for _ in range(RUNS)]
            found.setdefault(name, []).append(median(times[2:]))
    desk.close()
    return found


async def _timed(act: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await act()
    return time.perf_counter() - began


async def _whole(desk: GraphDesk) -> float:
    return await _timed(await _begun(desk, human_gate=False))


async def _gate(desk: GraphDesk, found: dict[str, list[float]]) -> float:
    act = await _begun(desk, human_gate=True)
    taken = await _timed(act)
    sessions = await Chats(desk.store, TENANT).page(limit=1)
    turn = sessions[0].turn
    assert turn and turn.status == "waiting", turn
    found.setdefault("resume", []).append(await _timed(lambda: desk.decide(turn.id, "approve")))
    return taken


async def _begun(desk: GraphDesk, *, human_gate: bool) -> Callable[[], Awaitable[object]]:
    desk.time += 1
    chat = await desk.session()
    wanted = Choices(human_gate=human_gate)
    await choose(desk.store, desk.settings, TENANT, wanted, desk.now())

    async def act() -> None:
        graph = GraphRun(version=VERSION, model="")
        begun = await turns.begin(desk.speaker(), chat, ASKED, desk.now(), graph=graph)
        await (await desk.player(begun)).begin(ASKED)

    return act


async def _bare(bare: Bare) -> float:
    return await _timed(lambda: bare.run(gated=False))


async def _bare_resume(bare: Bare) -> float:
    stored = await bare.run(gated=True)
    return await _timed(lambda: bare.resume(stored))


# -- the peer, in an environment of its own


def _installed() -> bool:
    python = PEER / "bin" / "python"
    if python.exists() and subprocess.run([python, "-c", "import langgraph.checkpoint.sqlite"]).returncode == 0:
        return True
    commands = (
        [sys.executable, "-m", "venv", str(PEER)],
        [str(python), "-m", "pip", "-q", "install", "langgraph==1.2.*", "langgraph-checkpoint-sqlite==3.1.*"],
    )
    return all(subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 for command in commands)


def _langgraph(folder: Path) -> float:
    script = Path(__file__).with_name("langgraph_run.py")
    with tempfile.TemporaryDirectory(dir=folder) as own:
        command = [str(PEER / "bin" / "python"), str(script), own, str(RUNS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    times: list[float] = json.loads(done.stdout.splitlines()[-1])
    return median(times[2:])
