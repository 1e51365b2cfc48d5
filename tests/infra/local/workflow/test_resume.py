"""Whatever moment the process dies at, the next one goes on and comes to the same result."""

import asyncio
import json
import signal
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.clock import RealClock
from infra.local.workflow.engine import Engine
from infra.local.workflow.records import Execution, StepEntry
from infra.local.workflow.store import Store
from tests.infra.local.workflow.conftest import Bench, until

EVERYTHING = """
main:
  params: [input]
  steps:
    - init:
        assign:
          - total: 0
          - seen: {}
          - data: ${text.encode("bytes survive")}
          - tries: 0
    - each:
        for:
          value: n
          index: i
          in: ${input.numbers}
          steps:
            - fetch:
                call: http.get
                args: {url: '${"http://test/number/" + string(n)}'}
                result: got
            - pause: {call: sys.sleep, args: {seconds: 30}}
            - skip_two:
                switch:
                  - condition: ${n == 2}
                    next: continue
            - add: {assign: [{total: "${total + got.body.value + i}"}]}
    - guarded:
        try:
          steps:
            - flaky:
                try: {call: http.post, args: {url: "http://test/flaky", body: {key: 1}}, result: answer}
                retry: {predicate: "${http.default_retry_predicate}", max_retries: 9, backoff: {initial_delay: 5}}
            - broken: {call: http.post, args: {url: "http://test/broken"}}
        except:
          as: e
          steps:
            - note_error: {assign: [{seen.error: "${e.code}"}]}
    - both:
        parallel:
          shared: [seen]
          branches:
            - left:
                steps:
                  - left_wait: {call: sys.sleep, args: {seconds: 10}}
                  - left_fetch: {call: http.get, args: {url: "http://test/number/7"}, result: local}
                  - left_set: {assign: [{seen.left: "${local.body.value}"}]}
            - right:
                steps:
                  - right_fetch: {call: http.get, args: {url: "http://test/number/8"}, result: local}
                  - right_wait: {call: sys.sleep, args: {seconds: 20}}
                  - right_sub: {call: twice, args: {n: "${local.body.value}"}, result: local}
                  - right_set: {assign: [{seen.right: "${local}"}]}
    - many:
        parallel:
          shared: [seen]
          concurrency_limit: 2
          for:
            value: word
            in: [a, b, c]
            steps:
              - word_wait: {call: sys.sleep, args: {seconds: "${len(word)}"}}
              - word_set: {assign: [{"seen[word]": "${quadruple(2)}"}]}
    - again:
        assign: [{tries: "${tries + 1}"}]
    - loop:
        switch:
          - condition: ${tries < 3}
            next: again
    - done:
        return: {total: "${total}", seen: "${seen}", text: "${text.decode(data)}", tries: "${tries}"}
twice:
  params: [n]
  steps:
    - asleep: {call: sys.sleep, args: {seconds: 1}}
    - answer: {return: "${n * 2}"}
quadruple:
  params: [n]
  steps:
    - answer: {return: "${n * 4}"}
"""
ARGUMENT = '{"numbers": [1, 2, 3]}'
RESULT = {
    "total": 10 + 30 + 2,
    "seen": {"error": 404, "left": 70, "right": 160, "a": 8, "b": 8, "c": 8},
    "text": "bytes survive",
    "tries": 3,
}


class Server:
    """Answers the requests above and counts them."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.calls[path] += 1
        if path == "/flaky" and self.calls[path] < 3:
            return httpx.Response(503)
        if path == "/broken":
            return httpx.Response(404, json={"reason": "gone"})
        return httpx.Response(200, json={"value": int(path.rpartition("/")[2]) * 10 if "number" in path else 0})


class Killed(BaseException):
    """Stands for the end of the process."""


class Killer:
    """Ends the process at one store of the state: just before it, or just after."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, *, after: bool) -> None:
        self.saves = 0
        self.killed = asyncio.Event()
        save = Store.save

        def killing(
            store: Store, number: int, steps: int, billed: int, thread: str, entries: Iterable[StepEntry]
        ) -> None:
            self.saves += 1
            if self.killed.is_set():
                raise Killed
            if self.saves == at and not after:
                self.killed.set()
                raise Killed
            save(store, number, steps, billed, thread, entries)
            if self.saves == at:
                self.killed.set()
                raise Killed

        monkeypatch.setattr(Store, "save", killing)


async def finish(engine: Engine, execution: str, killer: Killer | None = None) -> Execution | None:
    """Wait for the end of the execution (then it is returned) or of the process."""
    ended = asyncio.create_task(engine.wait(execution))
    waiting: set[asyncio.Task[Any]] = {ended}
    if killer is not None:
        waiting.add(asyncio.create_task(killer.killed.wait()))
    async with asyncio.timeout(20):
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return ended.result() if ended.done() else None


async def count_saves(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        killer = Killer(patch, 0, after=True)
        bench.handler = Server()
        engine = await bench.engine(flow=EVERYTHING)
        execution = await engine.create("flow", ARGUMENT)
        finished = await finish(engine, execution.id)
        assert finished is not None and finished.error is None, finished
        assert json.loads(finished.result or "") == RESULT
    return killer.saves


@pytest.mark.parametrize("after", [True, False], ids=["after the state is stored", "before the state is stored"])
async def test_death_at_any_step_changes_nothing(after: bool, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.steps_per_save = 1
    total = await count_saves(bench, monkeypatch)
    assert total > 50
    for at in range(1, total + 1):
        server = Server()
        bench.handler = server
        with monkeypatch.context() as patch:
            killer = Killer(patch, at, after=after)
            first = await bench.engine(flow=EVERYTHING)
            execution = await first.create("flow", ARGUMENT)
            early = await finish(first, execution.id, killer)
            await first.stop()
        assert early is None, f"save {at} was never reached"
        second = await bench.engine(flow=EVERYTHING)
        finished = await finish(second, execution.id)
        assert finished is not None
        assert finished.error is None, f"death at {at}: {finished.error}"
        assert json.loads(finished.result or "") == RESULT, f"death at {at}"
        repeated = sum(server.calls.values()) - (len(server.calls) + 2)  # /flaky answers at the third call
        assert 0 <= repeated <= 2, f"death at {at}: {server.calls}"
        if after:
            # Both branches of the parallel step may have had a request under way.
            assert repeated <= 1, f"death at {at}: {server.calls}"
        entries, count = second.step_entries(execution.id, page_size=1000)
        assert [entry.id for entry in entries] == list(range(1, count + 1))
        assert {entry.state for entry in entries} <= {"STATE_SUCCEEDED", "STATE_FAILED"}, f"death at {at}"
        await second.stop()


async def test_the_same_steps_are_billed_with_and_without_a_restart_during_a_sleep(bench: Bench) -> None:
    bench.handler = Server()
    whole = await bench.run(EVERYTHING, ARGUMENT)
    bench.handler = Server()
    engine = await bench.engine(flow=EVERYTHING)
    execution = await engine.create("flow", ARGUMENT)
    await until(lambda: engine.get(execution.id).positions[0].step == "pause")
    await engine.stop()
    again = await bench.engine(flow=EVERYTHING)
    finished = await again.wait(execution.id)
    assert finished.billed_steps == whole.billed_steps


async def test_a_sleep_goes_on_to_its_stored_end_and_not_from_the_beginning(bench: Bench) -> None:
    source = "main: {steps: [{a: {call: sys.sleep, args: {seconds: 3600}}}, {b: {return: '${sys.now()}'}}]}"
    engine = await bench.engine(flow=source)
    start = bench.clock.now()
    with bench.clock.busy():  # nobody may jump while the process dies
        execution = await engine.create("flow")
        await until(lambda: engine.get(execution.id).positions[0].wake is not None)
        bench.clock.advance(1000)
        await engine.stop()
        again = await bench.engine(flow=source)
    finished = await again.wait(execution.id)
    assert json.loads(finished.result or "") == start + 3600


async def test_a_changed_definition_leaves_running_executions_alone(bench: Bench) -> None:
    old = "main: {steps: [{a: {call: sys.sleep, args: {seconds: 60}}}, {b: {return: old}}]}"
    new = "main: {steps: [{c: {return: new}}]}"
    with bench.clock.busy():
        engine = await bench.engine(flow=old)
        execution = await engine.create("flow")
        await engine.stop()
        again = await bench.engine(flow=new)
    assert (await again.wait(execution.id)).result == '"old"'
    fresh = await again.create("flow")
    assert (await again.wait(fresh.id)).result == '"new"'
    assert fresh.revision != execution.revision


async def test_a_state_that_no_longer_fits_fails_the_execution_with_a_reason(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "main: {steps: [{a: {call: sys.sleep, args: {seconds: 60}}}]}"
    with bench.clock.busy():
        engine = await bench.engine(flow=source)
        execution = await engine.create("flow")
        await engine.stop()
    monkeypatch.setattr("infra.local.workflow.snapshot.VERSION", 2)
    again = await bench.engine(flow=source)
    finished = again.get(execution.id)
    assert finished.state == "FAILED"
    assert finished.error is not None
    assert "stored by another version" in finished.error.payload


CHILD = """
import asyncio, sys
from pathlib import Path
import httpx
from infra.local.clock import RealClock
from infra.local.workflow.engine import Engine

async def main(folder, source):
    async with httpx.AsyncClient() as client:
        engine = Engine(folder, {"flow": source}, client, RealClock(), sign=str, project="p", location="l")
        await engine.start()
        execution = await engine.create("flow", '{"from": "child"}')
        while engine.get(execution.id).positions[0].step != "nap":
            await asyncio.sleep(0.001)
        print(execution.id, flush=True)
        await asyncio.sleep(60)

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


async def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    source = textwrap.dedent("""
        main:
          params: [input]
          steps:
            - count: {assign: [{n: 0}]}
            - more: {assign: [{n: "${n + 1}"}]}
            - loop: {switch: [{condition: "${n < 300}", next: more}]}
            - nap: {call: sys.sleep, args: {seconds: 3600}}
            - done: {return: "${input.from + string(n)}"}
    """)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD, str(tmp_path), source, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    execution = (await child.stdout.readline()).decode().strip()
    child.kill()
    assert await child.wait() == -signal.SIGKILL
    clock = RealClock()
    async with httpx.AsyncClient() as client:
        engine = Engine(tmp_path, {"flow": source}, client, clock, sign=str, project="p", location="l")
        await engine.start()
        assert engine.get(execution).positions[0].step == "nap"
        engine.skip_sleep(execution)
        async with asyncio.timeout(10):
            finished = await engine.wait(execution)
        await engine.stop()
    assert finished.result == '"child300"'
