"""A peer, run by its own interpreter: the same graph on LangGraph with its SQLite checkpointer, up to its gate."""

import json
import sqlite3
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver  # type: ignore[import-not-found]
from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found]
from langgraph.types import interrupt  # type: ignore[import-not-found]


class State(TypedDict, total=False):
    asked: str
    plan: str
    messages: list[dict[str, Any]]
    draft: str
    critique: str
    word: str


def planner(state: State) -> State:
    return {"plan": "- Look at the clock."}


def researcher(state: State) -> State:
    said = {"role": "model", "call": "current_time"}
    answered = {"role": "tool", "time": time.strftime("%H:%M")}
    return {"messages": [said, answered], "draft": "It is late."}


def critic(state: State) -> State:
    return {"critique": "OK"}


def human_gate(state: State) -> State:
    return {"word": interrupt({"answer": state["draft"]})}


def finalize(state: State) -> State:
    return {}


def main(folder: Path, runs: int) -> None:
    connection = sqlite3.connect(folder / "checkpoints.db", check_same_thread=False)
    graph = StateGraph(State)
    nodes = (planner, researcher, critic, human_gate, finalize)
    for node in nodes:
        graph.add_node(node.__name__, node)
    names = [START, *(node.__name__ for node in nodes), END]
    for before, after in pairwise(names):
        graph.add_edge(before, after)
    app = graph.compile(checkpointer=SqliteSaver(connection))
    times = []
    for number in range(runs):
        began = time.perf_counter()
        app.invoke({"asked": "What time is it?"}, {"configurable": {"thread_id": str(number)}})
        times.append(time.perf_counter() - began)
    print(json.dumps(times))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
