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
from functools import partial
from pathlib import Path
from statistics import median

from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.chat import turns
from shared.models.chat import GraphRun
from shared.models.graph import VERSION
from shared.preferences import Choices, choose
from shared.store.chats import Chats
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


class Desk(GraphDesk):
    """Doors behind which time passes: what is held a moment is stored after it."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def measure() -> list[Row]:
    """Milliseconds a run, a run up to its gate, a resume; all in turn, so that a machine's moods hit all."""
    found: dict[str, list[float]] = {}
    peer = _installed()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        desk.model = AtOnce()  # type: ignore[assignment]  # a model, whichever
        try:
            with asyncio.Runner() as loop:
                for _ in range(ROUNDS):
                    _keep(found, loop.run(_ours(desk)))
                    _keep(found, {f"bare {name}": times for name, times in _bare().items()})
                    if peer:
                        _keep(found, {"langgraph": _langgraph(Path(folder))})
        finally:
            desk.close()
    rows = [
        _row("a run of several agents beside ADK's bare workflow, ms", found["run"], found["bare run"], 1.5),
        _row("a resume beside ADK's bare workflow, ms", found["resume"], found["bare resume"], 1.5),
    ]
    if peer:
        rows.append(_row("a run up to its gate beside LangGraph on SQLite, ms", found["gate"], found["langgraph"], 1.0))
    else:
        print("LangGraph could not be installed in .bench/langgraph: its row is left out")
    return rows


def _keep(found: dict[str, list[float]], times: dict[str, list[float]]) -> None:
    for name, some in times.items():
        found.setdefault(name, []).append(median(some[2:]))


def _row(name: str, ours: list[float], floor: list[float], goal: float) -> Row:
    return {
        "name": name,
        "ours": median(ours) * 1e3,
        "floor": median(floor) * 1e3,
        "ratio": median(mine / theirs for mine, theirs in zip(ours, floor, strict=True)),
        "goal": goal,
        "at_least": False,
    }


async def _ours(desk: GraphDesk) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"run": [], "gate": [], "resume": []}
    for _ in range(RUNS):
        found["run"].append(await _timed(await _begun(desk, human_gate=False)))
        found["gate"].append(await _timed(await _begun(desk, human_gate=True)))
        turn = (await Chats(desk.store, TENANT).page(limit=1))[0].turn
        assert turn and turn.status == "waiting", turn
        found["resume"].append(await _timed(partial(desk.decide, turn.id, "approve")))
    return found


async def _timed(act: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await act()
    return time.perf_counter() - began


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


# -- others, each in a process of its own


def _bare() -> dict[str, list[float]]:
    command = [sys.executable, "-m", "tests.bench.bare_graph", str(RUNS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _installed() -> bool:
    python = PEER / "bin" / "python"
    if python.exists() and subprocess.run([python, "-c", "import langgraph.checkpoint.sqlite"]).returncode == 0:
        return True
    commands = (
        [sys.executable, "-m", "venv", str(PEER)],
        [str(python), "-m", "pip", "-q", "install", "langgraph==1.2.*", "langgraph-checkpoint-sqlite==3.1.*"],
    )
    return all(subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 for command in commands)


def _langgraph(folder: Path) -> list[float]:
    script = Path(__file__).with_name("langgraph_run.py")
    with tempfile.TemporaryDirectory(dir=folder) as own:
        command = [str(PEER / "bin" / "python"), str(script), own, str(RUNS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    times: list[float] = json.loads(done.stdout.splitlines()[-1])
    return times
