"""The engine from outside: executions, time, limits, errors, and what is remembered of them."""

import asyncio
import json
import logging
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.clock import VirtualClock
from infra.local.workflow.engine import KEEP_SECONDS
from infra.local.workflow.errors import InvalidArgument, NotFound, Precondition, Raised
from infra.local.workflow.values import Value
from tests.infra.local.workflow.conftest import Bench, asleep

NAP = "main: {steps: [{nap: {call: sys.sleep, args: {seconds: 3600}}}, {done: {return: late}}]}"
COUNT = """
main:
  params: [input]
  steps:
    - init: {assign: [{n: 0}]}
    - more: {assign: [{n: "${n + 1}"}]}
    - loop: {switch: [{condition: "${n < input.times}", next: more}]}
    - done: {return: "${n}"}
"""


def in_try(*steps: str) -> str:
    lines = "".join(f"            - {step}\n" for step in steps)
    return f"""
main:
  steps:
    - t:
        try:
          steps:
{lines}
        except:
          as: e
          steps:
            - r: {{return: "${{e.tags[0]}}"}}
"""


# Time


async def test_sleeping_moves_now_by_exactly_that_much(bench: Bench) -> None:
    source = """
main:
  steps:
    - a: {assign: [{start: "${sys.now()}"}]}
    - b: {call: sys.sleep, args: {seconds: 90}}
    - c: {call: sys.sleep_until, args: {time: "${time.format(start + 100)}"}}
    - d: {return: "${sys.now() - start}"}
"""
    assert json.loads(await bench.result(source) or "") == pytest.approx(100, abs=1e-5)


@pytest.mark.parametrize(
    ("seconds", "tag"), [("-1", "ValueError"), ("31536001", "ValueError"), ("soon", "TypeError"), ("true", "TypeError")]
)
async def test_a_sleep_that_makes_no_sense_is_an_error(seconds: str, tag: str, bench: Bench) -> None:
    source = in_try(f"s: {{call: sys.sleep, args: {{seconds: {seconds}}}}}")
    assert await bench.result(source) == f'"{tag}"'


async def test_thirty_executions_run_at_once_and_sleep_together(bench: Bench) -> None:
    engine = await bench.engine(nap=NAP, count=COUNT)
    start, begun = bench.clock.now(), time.perf_counter()
    naps = [await engine.create("nap") for _ in range(30)]
    counts = [await engine.create("count", '{"times": 100}') for _ in range(30)]
    async with asyncio.timeout(20):
        finished = [await engine.wait(one.id) for one in naps + counts]
    assert [one.result for one in finished] == ['"late"'] * 30 + ["100"] * 30
    assert bench.clock.now() == start + 3600
    assert time.perf_counter() - begun < 5


# Retries


def flaky(*statuses: int) -> Any:
    left = list(statuses)

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(left.pop(0), json={"left": len(left)})

    return handler


RETRY = """
main:
  steps:
    - start: {{assign: [{{began: "${{sys.now()}}"}}]}}
    - call:
        try: {{call: http.get, args: {{url: "http://test/"}}, result: got}}
        retry: {retry}
    - done: {{return: "${{sys.now() - began}}"}}
"""


async def test_the_default_retry_waits_one_second_and_a_quarter_more_each_time(bench: Bench) -> None:
    bench.handler = flaky(503, 429, 502, 504, 200)
    waited = await bench.result(RETRY.format(retry="'${http.default_retry}'"))
    assert json.loads(waited or "") == pytest.approx(1 + 1.25 + 1.25**2 + 1.25**3)


async def test_the_default_retry_gives_up_after_five(bench: Bench) -> None:
    bench.handler = flaky(*[503] * 6)
    finished = await bench.run(RETRY.format(retry="'${http.default_retry}'"))
    assert finished.error is not None
    assert json.loads(finished.error.payload)["code"] == 503
    assert finished.billed_steps == 1 + 6


async def test_a_non_idempotent_retry_leaves_a_502_alone(bench: Bench) -> None:
    bench.handler = flaky(503, 502)
    payload = await bench.failure(RETRY.format(retry="'${http.default_retry_non_idempotent}'"))
    assert json.loads(payload)["code"] == 502


async def test_the_longest_delay_caps_the_delay_and_not_the_retries(bench: Bench) -> None:
    bench.handler = flaky(*[500] * 9, 200)
    policy = "{max_retries: 9, backoff: {initial_delay: 2, max_delay: 5, multiplier: 2}}"
    waited = await bench.result(RETRY.format(retry=policy))
    assert json.loads(waited or "") == pytest.approx(2 + 4 + 7 * 5)


async def test_a_predicate_of_our_own_decides(bench: Bench) -> None:
    bench.handler = flaky(418, 418, 500)
    source = RETRY.format(retry="{predicate: '${teapot}', max_retries: 5, backoff: {initial_delay: 1}}")
    source += "teapot:\n  params: [e]\n  steps:\n    - r: {return: '${e.code == 418}'}\n"
    assert json.loads(await bench.failure(source))["code"] == 500


# Errors and control flow


async def test_an_error_names_the_steps_of_every_routine_it_passed(bench: Bench) -> None:
    source = """
main:
  steps:
    - outer:
        call: sub
sub:
  steps:
    - group:
        steps:
          - inner:
              raise: {code: 7, message: broken}
"""
    finished = await bench.run(source)
    assert finished.error is not None
    assert json.loads(finished.error.payload) == {"code": 7, "message": "broken"}
    assert finished.error.context == (
        'broken\nin step "inner", routine "sub", line: 10\nin step "outer", routine "main", line: 4'
    )
    assert [(one.routine, one.step, one.line) for one in finished.error.trace] == [
        ("sub", "inner", 10),
        ("main", "outer", 4),
    ]
    assert [(one.routine, one.step) for one in finished.positions] == [("sub", "inner")]


@pytest.mark.parametrize(
    ("steps", "tag"),
    [
        (["a: {raise: {tags: [Mine], message: x}}"], "Mine"),
        (["a: {raise: [1]}"], "TypeError"),
        (["a: {assign: [{x: '${sys.get_env(\"NOPE\")}'}]}"], "KeyError"),
        (["i: {assign: [{m: {}}]}", "a: {assign: [{m.b.c: 1}]}"], "KeyError"),
        (["i: {assign: [{l: [1]}]}", "a: {assign: [{'l[1]': 1}]}"], "IndexError"),
        (["i: {assign: [{l: 1}]}", "a: {assign: [{l.b: 1}]}"], "TypeError"),
        (["a: {for: {value: v, in: {a: 1}, steps: [{b: {assign: [{x: 1}]}}]}}"], "TypeError"),
        (["a: {for: {value: v, range: [1, 2.5], steps: [{b: {assign: [{x: 1}]}}]}}"], "TypeError"),
        (["a: {call: sys.log, args: {severity: LOUD}}"], "ValueError"),
        (["a: {call: deep}"], "RecursionError"),
        (["a: {assign: [{x: '${deep()}'}]}"], "RecursionError"),
    ],
)
async def test_an_error_can_be_caught_by_its_tag(steps: list[str], tag: str, bench: Bench) -> None:
    source = in_try(*steps) + "deep:\n  steps:\n    - again: {call: deep}\n"
    assert await bench.result(source) == f'"{tag}"'


async def test_an_error_in_a_handler_goes_to_the_next_one_out(bench: Bench) -> None:
    source = """
main:
  steps:
    - outer:
        try:
          steps:
            - inner:
                try: {raise: first}
                except: {as: e, steps: [{again: {raise: "${e + \\" second\\"}"}}]}
        except: {as: e, steps: [{done: {return: "${e}"}}]}
"""
    assert await bench.result(source) == '"first second"'


async def test_break_and_continue_and_jumps_leave_what_they_should(bench: Bench) -> None:
    source = """
main:
  steps:
    - init: {assign: [{seen: []}]}
    - outer:
        for:
          value: a
          in: [1, 2, 3, 4]
          steps:
            - inner:
                for:
                  value: b
                  range: [1, 3]
                  steps:
                    - skip: {switch: [{condition: "${b == 2}", next: continue}]}
                    - note: {assign: [{seen: "${list.concat(seen, a * 10 + b)}"}]}
            - stop: {switch: [{condition: "${a == 2}", next: break}]}
    - group:
        steps:
          - leave: {next: done}
          - never: {return: never}
    - missed: {return: missed}
    - done: {return: "${seen}"}
"""
    assert json.loads(await bench.result(source) or "") == [11, 13, 21, 23]


async def test_a_jump_out_of_a_try_leaves_its_handler_behind(bench: Bench) -> None:
    source = """
main:
  steps:
    - guarded:
        try: {steps: [{go: {next: out}}, {no: {return: no}}]}
        except: {as: e, steps: [{caught: {return: caught}}]}
    - missed: {return: missed}
    - out: {raise: outside}
"""
    assert await bench.failure(source) == '"outside"'


async def test_a_handler_that_ends_well_goes_on_after_the_try(bench: Bench) -> None:
    source = """
main:
  steps:
    - t: {try: {raise: x}, except: {as: e, steps: [{a: {assign: [{local: 1}]}}]}, next: done}
    - missed: {return: missed}
    - done: {return: done}
"""
    assert await bench.result(source) == '"done"'


async def test_a_body_without_a_name_of_its_own_may_jump_too(bench: Bench) -> None:
    source = """
main:
  steps:
    - first: {try: {assign: [{x: 1}], next: second}, except: {as: e, next: end}}
    - missed: {return: missed}
    - second: {try: {raise: oops}, except: {as: e, next: third}}
    - missed_too: {return: missed}
    - third: {switch: [{condition: true, assign: [{x: "${x + 1}"}], next: done}]}
    - missed_again: {return: missed}
    - done: {return: "${x}"}
"""
    assert await bench.result(source) == "2"


async def test_continue_ends_one_iteration_of_a_parallel_loop(bench: Bench) -> None:
    source = """
main:
  steps:
    - init: {assign: [{out: {}}]}
    - p:
        parallel:
          shared: [out]
          for:
            value: v
            index: i
            in: [a, b, c]
            steps:
              - skip: {switch: [{condition: '${v == "b"}', next: continue}]}
              - set: {assign: [{"out[v]": "${i}"}]}
    - done: {return: "${out}"}
"""
    assert json.loads(await bench.result(source) or "") == {"a": 0, "c": 2}


async def test_next_end_in_a_subworkflow_returns_null_to_the_caller(bench: Bench) -> None:
    source = """
main:
  steps:
    - a: {call: sub, result: got}
    - b: {return: ["${got}", after]}
sub:
  steps:
    - x: {next: end}
    - y: {return: never}
"""
    assert await bench.result(source) == '[null,"after"]'


async def test_a_result_that_is_bytes_fails_the_execution(bench: Bench) -> None:
    assert "TypeError" in await bench.failure("main: {steps: [{a: {return: '${text.encode(\"x\")}'}}]}")


# Parallel steps


async def test_branches_wait_together_and_write_what_they_share(bench: Bench) -> None:
    source = """
main:
  steps:
    - init: {assign: [{out: {}}, {start: "${sys.now()}"}]}
    - p:
        parallel:
          shared: [out]
          for:
            value: v
            in: [30, 10, 20]
            steps:
              - wait: {call: sys.sleep, args: {seconds: "${v}"}}
              - local: {assign: [{mine: "${v * 2}"}]}
              - set: {assign: [{"out[string(v)]": "${mine}"}]}
    - done: {return: {out: "${out}", took: "${sys.now() - start}"}}
"""
    assert json.loads(await bench.result(source) or "") == {"out": {"30": 60, "10": 20, "20": 40}, "took": 30}


async def test_the_concurrency_limit_makes_branches_queue(bench: Bench) -> None:
    source = """
main:
  steps:
    - init: {assign: [{start: "${sys.now()}"}]}
    - p:
        parallel:
          concurrency_limit: 2
          for: {value: v, range: [1, 5], steps: [{wait: {call: sys.sleep, args: {seconds: 10}}}]}
    - done: {return: "${sys.now() - start}"}
"""
    assert json.loads(await bench.result(source) or "") == 30


async def test_a_failing_branch_lets_the_others_end_and_is_reported_by_name(bench: Bench) -> None:
    source = """
main:
  steps:
    - init: {assign: [{done: 0}]}
    - t:
        try:
          parallel:
            shared: [done]
            branches:
              - bad: {steps: [{x: {raise: {code: 1, message: broken}}}]}
              - good: {steps: [{w: {call: sys.sleep, args: {seconds: 5}}}, {y: {assign: [{done: 1}]}}]}
        except:
          as: e
          steps:
            - r: {return: {tags: "${e.tags}", branches: "${e.branches}", done: "${done}"}}
"""
    answer = json.loads(await bench.result(source) or "")
    assert answer["done"] == 1
    assert "UnhandledBranchError" in answer["tags"]
    assert [branch["id"] for branch in answer["branches"]] == ["bad"]
    assert json.loads(answer["branches"][0]["error"]["payload"]) == {"code": 1, "message": "broken"}


async def test_parallel_steps_may_not_nest_deeper_through_subworkflows_either(bench: Bench) -> None:
    source = (
        in_try("a: {parallel: {for: {value: v, in: [1], steps: [{b: {call: sub}}]}}}")
        + """
sub:
  steps:
    - p: {parallel: {for: {value: v, in: [1], steps: [{c: {call: sub}}]}}}
"""
    )
    finished = await bench.run(source.replace("${e.tags[0]}", "${e}"))
    assert "ParallelNestingError" in (finished.result or "")


# Limits


async def test_an_argument_of_more_than_32_kb_is_refused(bench: Bench) -> None:
    engine = await bench.engine(count=COUNT)
    with pytest.raises(InvalidArgument, match="32 KB"):
        await engine.create("count", json.dumps("x" * 32_768))
    for argument in ("{", '"\ud800"', "NaN"):
        with pytest.raises(InvalidArgument, match="not valid JSON"):
            await engine.create("count", argument)


async def test_an_execution_ends_at_the_hundred_thousandth_step_and_nothing_catches_that(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.local.workflow.flow.MAX_STEPS", 500)
    source = in_try("a: {assign: [{x: 1}]}", "b: {next: a}")
    assert "more than 500 steps" in await bench.failure(source)


@pytest.mark.parametrize(("size", "problem"), [(2**18, "a string is longer"), (2**17, "the variables take more")])
async def test_memory_is_limited(size: int, problem: str, bench: Bench) -> None:
    source = f"""
main:
  steps:
    - a: {{assign: [{{s: x}}, {{all: []}}]}}
    - b: {{assign: [{{s: "${{s + s}}"}}]}}
    - c: {{switch: [{{condition: "${{len(s) < {size}}}", next: b}}]}}
    - d: {{assign: [{{all: "${{list.concat(all, s)}}"}}], next: d}}
"""
    payload = await bench.failure(source)
    assert "ResourceLimitError" in payload
    assert problem in payload


async def test_a_value_that_grows_without_end_in_depth_is_an_error(bench: Bench) -> None:
    source = in_try("i: {assign: [{x: 1}]}", "a: {assign: [{x: ['${x}']}], next: a}")
    assert await bench.result(source) == '"ResourceLimitError"'


async def test_json_that_is_nested_too_deeply_is_an_error(bench: Bench) -> None:
    bench.handler = lambda _: httpx.Response(200, text="[" * 100_000, headers={"content-type": "application/json"})
    assert await bench.result(in_try("a: {call: http.get, args: {url: 'http://test'}}")) == '"ValueError"'
    engine = await bench.engine(count=COUNT)
    with pytest.raises(InvalidArgument):
        await engine.create("count", "[" * 10_000 + "]" * 10_000)


async def test_memory_is_given_back_when_a_routine_or_an_iteration_ends(bench: Bench) -> None:
    source = """
main:
  steps:
    - again:
        for:
          value: v
          range: [1, 40]
          steps:
            - c: {call: sub, result: size}
            - d: {assign: [{big: '${text.replace_all(string(size), "1", "x")}'}]}
    - done: {return: fine}
sub:
  steps:
    - a: {assign: [{s: "0123456789abcdef"}]}
    - b: {assign: [{s: "${s + s}"}]}
    - c: {switch: [{condition: "${len(s) < 100000}", next: b}]}
    - d: {return: "${len(s)}"}
"""
    assert await bench.result(source) == '"fine"'


# Executions


async def test_an_execution_knows_where_it_is_and_until_when_it_sleeps(bench: Bench) -> None:
    with bench.clock.busy():
        engine = await bench.engine(nap=NAP)
        created = await engine.create("nap", '{"a": 1}', labels={"kind": "test"}, call_log_level="LOG_ERRORS_ONLY")
        await asleep(engine, created.id)
        now = engine.get(created.id)
        await engine.cancel(created.id)
    assert created.name == f"projects/memex-local/locations/europe-west1/workflows/nap/executions/{created.id}"
    assert (now.state, now.argument, now.labels, now.call_log_level) == (
        "ACTIVE",
        '{"a": 1}',
        {"kind": "test"},
        "LOG_ERRORS_ONLY",
    )
    assert [(one.routine, one.step, one.wake) for one in now.positions] == [("main", "nap", created.created + 3600)]


async def test_cancelling_ends_a_sleep_without_running_any_handler(bench: Bench) -> None:
    source = in_try("nap: {call: sys.sleep, args: {seconds: 3600}}")
    with bench.clock.busy():
        engine = await bench.engine(nap=source)
        execution = await engine.create("nap")
        waiter = asyncio.create_task(engine.wait(execution.id))
        await asleep(engine, execution.id)
        cancelled = await engine.cancel(execution.id)
        assert (await waiter).state == "CANCELLED"
    assert (cancelled.state, cancelled.result, cancelled.error) == ("CANCELLED", None, None)
    assert cancelled.ended is not None
    entries, _ = engine.step_entries(execution.id)
    assert {entry.step: entry.state for entry in entries} == {"t": "STATE_CANCELLED", "nap": "STATE_CANCELLED"}
    with pytest.raises(Precondition, match="already ended"):
        await engine.cancel(execution.id)


async def test_what_does_not_exist_is_not_found(bench: Bench) -> None:
    engine = await bench.engine(nap=NAP, count=COUNT)
    execution = await engine.create("count", '{"times": 1}')
    for call in (
        lambda: engine.get("nope"),
        lambda: engine.get(execution.id, workflow="nap"),
        lambda: engine.workflow("nope"),
        lambda: engine.list("nope"),
        lambda: engine.step_entry(execution.id, 99),
    ):
        with pytest.raises(NotFound):
            call()
    with pytest.raises(NotFound):
        await engine.create("nope")


async def test_lists_are_paged_newest_first_and_filtered(bench: Bench) -> None:
    engine = await bench.engine(nap=NAP, count=COUNT)
    with bench.clock.busy():
        made = [(await engine.create("count", '{"times": 1}')).id for _ in range(5)]
        for one in made:
            await engine.wait(one)
        nap = (await engine.create("nap")).id
        first = engine.list("count", page_size=2)
        second = engine.list("count", page_size=2, page_token=first.next_token)
        third = engine.list("count", page_size=2, page_token=second.next_token)
        pages = [[one.id for one in page.executions] for page in (first, second, third)]
        assert pages == [made[:2:-1], made[2:0:-1], made[:1]]
        assert third.next_token == ""
        assert [one.id for one in engine.list(states=["ACTIVE"]).executions] == [nap]
        assert len(engine.list().executions) == 6
        with pytest.raises(InvalidArgument):
            engine.list(page_token="x")
        await engine.cancel(nap)


async def test_steps_are_billed_as_the_service_does(bench: Bench) -> None:
    source = """
main:
  steps:
    - two: {assign: [{a: 1}, {b: 2}]}
    - three:
        switch:
          - {condition: "${a > 1}", next: end}
          - {condition: "${a > 2}", next: end}
          - {condition: true, next: four}
    - four: {call: sub, result: c}
    - log: {call: sys.log, args: {text: hello}}
    - done: {return: 1}
sub:
  steps:
    - five: {call: sys.sleep, args: {seconds: 1}}
    - done: {return: 1}
"""
    assert (await bench.run(source)).billed_steps == 2 + 3 + 1 + 1 + 1


async def test_every_step_leaves_an_entry(bench: Bench) -> None:
    bench.handler = flaky(200, 404)
    source = """
main:
  steps:
    - set: {assign: [{a: 1}]}
    - get: {call: http.get, args: {url: "http://user:secret@test/path?token=secret", body: secret}}
    - guarded:
        try: {steps: [{bad: {call: http.post, args: {url: "http://test/other", body: secret}}}]}
        except: {as: e, steps: [{note: {call: sys.log, args: {json: {code: "${e.code}"}, severity: WARNING}}}]}
    - jump: {next: done}
    - done: {return: 1}
""".replace(", body: secret}}\n    - guarded", "}}\n    - guarded")
    engine = await bench.engine(flow=source)
    execution = await engine.create("flow")
    await engine.wait(execution.id)
    entries, total = engine.step_entries(execution.id)
    assert total == 7
    assert [(one.id, one.step, one.type, one.state, one.parent) for one in entries] == [
        (1, "set", "STEP_ASSIGN", "STATE_SUCCEEDED", None),
        (2, "get", "STEP_STD_LIB_CALL", "STATE_SUCCEEDED", None),
        (3, "guarded", "STEP_TRY_RETRY_EXCEPT", "STATE_SUCCEEDED", None),
        (4, "bad", "STEP_STD_LIB_CALL", "STATE_FAILED", 3),
        (5, "note", "STEP_STD_LIB_CALL", "STATE_SUCCEEDED", 3),
        (6, "jump", "STEP_GOTO", "STATE_SUCCEEDED", None),
        (7, "done", "STEP_RETURN", "STATE_SUCCEEDED", None),
    ]
    assert entries[1].note == "GET http://test/path -> 200"
    assert entries[3].note == "POST http://test/other -> 404"
    assert entries[4].note == 'WARNING: {"code":404}'
    assert json.loads(entries[3].exception or "")["code"] == 404
    assert "secret" not in repr(entries)


async def test_a_long_error_is_kept_whole_with_the_execution_and_short_with_its_steps(bench: Bench) -> None:
    bench.handler = lambda _: httpx.Response(500, text="x" * 10_000)
    engine = await bench.engine(flow="main: {steps: [{a: {call: http.get, args: {url: 'http://test/'}}}]}")
    execution = await engine.create("flow")
    finished = await engine.wait(execution.id)
    assert finished.error is not None
    assert json.loads(finished.error.payload)["body"] == "x" * 10_000
    assert json.loads(engine.step_entry(execution.id, 1).exception or "") == {
        "message": "HTTP server responded with error code 500",
        "truncated": True,
        "code": 500,
        "tags": ["HttpError"],
    }


async def test_nothing_a_workflow_handles_reaches_the_log(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(arguments: Any) -> Value:
        raise RuntimeError("marker-in-a-fault")

    bench.connectors = {"googleapis.broken": broken}
    source = """
main:
  params: [input]
  steps:
    - log: {call: sys.log, args: {text: "${input}"}}
    - call: {call: googleapis.broken, args: {x: "${input}"}}
"""
    with caplog.at_level(logging.DEBUG):
        finished = await bench.run(source, '"marker-in-the-argument"')
    assert finished.state == "FAILED"
    assert "marker" not in caplog.text
    assert "RuntimeError" in caplog.text


async def test_a_connector_has_a_stand_in(bench: Bench) -> None:
    async def publish(arguments: Any) -> Value:
        if arguments["topic"] == "bad":
            raise Raised({"code": 404, "message": "no topic", "tags": ["HttpError"]})
        return {"messageIds": [arguments["topic"]]}

    bench.connectors = {"googleapis.publish": publish}
    source = in_try(
        "a: {call: googleapis.publish, args: {topic: good}, result: got}",
        "b: {call: googleapis.publish, args: {topic: '${got.messageIds[0]}'}}",
        "c: {call: googleapis.publish, args: {topic: bad}}",
    )
    assert await bench.result(source) == '"HttpError"'


async def test_the_environment_holds_what_was_configured_and_the_built_in_names(bench: Bench) -> None:
    bench.env = {"flow": {"API_URL": "http://here"}}
    source = """
main:
  steps:
    - r:
        return:
          - ${sys.get_env("API_URL")}
          - ${sys.get_env("GOOGLE_CLOUD_PROJECT_ID")}
          - ${sys.get_env("GOOGLE_CLOUD_LOCATION")}
          - ${sys.get_env("GOOGLE_CLOUD_WORKFLOW_ID")}
          - ${sys.get_env("GOOGLE_CLOUD_WORKFLOW_EXECUTION_ID")}
          - ${sys.get_env("GOOGLE_CLOUD_WORKFLOW_REVISION_ID")}
"""
    finished = await bench.run(source)
    assert json.loads(finished.result or "") == [
        "http://here",
        "memex-local",
        "europe-west1",
        "flow",
        finished.id,
        finished.revision,
    ]


async def test_a_reserved_environment_variable_is_refused(bench: Bench) -> None:
    bench.env = {"flow": {"GOOGLE_X": "1"}}
    with pytest.raises(ValueError, match="reserved prefix"):
        await bench.engine(flow=NAP)


async def test_old_executions_are_forgotten_at_start_and_young_or_running_ones_kept(bench: Bench) -> None:
    assert isinstance(bench.clock, VirtualClock)
    with bench.clock.busy():
        engine = await bench.engine(nap=NAP, count=COUNT)
        old = await engine.create("count", '{"times": 3}')
        running = await engine.create("nap")
        await engine.wait(old.id)
        bench.clock.advance(KEEP_SECONDS)
        young = await engine.create("count", '{"times": 3}')
        await engine.wait(young.id)
        bench.clock.advance(1)
        await engine.stop()
        again = await bench.engine(nap=NAP, count=COUNT)
        with pytest.raises(NotFound):
            again.get(old.id)
        assert again.get(young.id).result == "3"
    assert (await again.wait(running.id)).result == '"late"'
    await again.stop()
    with sqlite3.connect(bench.folder / "executions.db") as db:
        [left] = db.execute("SELECT count(DISTINCT number) FROM step_entries").fetchone()
    db.close()
    assert left == 2


async def test_a_file_of_a_later_schema_is_not_touched(tmp_path: Path, bench: Bench) -> None:
    db = sqlite3.connect(tmp_path / "executions.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(RuntimeError, match="schema 99"):
        await bench.engine(flow=NAP)
