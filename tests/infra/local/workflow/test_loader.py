"""What the loader refuses, with the place and the reason."""

import textwrap
from pathlib import Path

import pytest

from infra.local.workflow.errors import LoadError
from infra.local.workflow.loader import load

SAMPLE = Path(__file__).with_name("sample-research.yaml").read_text("utf-8")
CONNECTORS = (
    "googleapis.pubsub.v1.projects.topics.publish",
    "googleapis.firestore.v1.projects.databases.documents.patch",
)


def main(*steps: str) -> str:
    return "main:\n  steps:\n" + "".join(f"    - {step}\n" for step in steps)


def nested(depth: int) -> str:
    inner = "x: {return: 1}"
    for level in range(depth):
        inner = f"p{level}: {{parallel: {{for: {{value: v{level}, in: [1], steps: [{inner}]}}}}}}"
    return main(inner.replace("return: 1", "assign: [{y: 1}]"))


REFUSED = {
    "no main": ("sub: {steps: [{a: {return: 1}}]}", "", "'main' is missing"),
    "an empty file": ("", "", "the source is empty"),
    "not YAML": ("main: [", "", "not valid YAML"),
    "a duplicate key": (main("a: {return: 1, return: 2}"), "", "duplicate key 'return'"),
    "an anchor": ("main: &x {steps: [{a: *x}]}", "", "anchors and aliases are not supported"),
    "a boolean as a key": ("true: 1", "", "a key must be a string or an integer"),
    "a Python tag": ("main: !!python/object:os.system x", "", "unsupported YAML tag"),
    "a source that is too long": ("# " + "x" * 131_072, "", "longer than 128 KB"),
    "half a character": (main('a: {return: "\\ud800"}'), "", "not a whole character"),
    "an unknown key of a routine": ("main: {stepz: []}", "main.stepz", "unknown key 'stepz': did you mean 'steps'?"),
    "two parameters of main": ("main: {params: [a, b], steps: [{r: {return: 1}}]}", "main.params", "one parameter"),
    "a computed default": (
        main("r: {return: 1}") + "s: {params: [{a: '${1+1}'}], steps: [{r: {return: 1}}]}",
        "s.params.a",
        "a default must be a constant",
    ),
    "a required parameter after an optional one": (
        main("r: {return: 1}") + "s: {params: [{a: 1}, b], steps: [{r: {return: 1}}]}",
        "s.params.b",
        "can't follow one with a default",
    ),
    "no steps": ("main: {steps: []}", "main.steps", "at least one element"),
    "a step with two names": (main("{a: {return: 1}, b: {return: 2}}"), "main.steps.0", "must be one step"),
    "a misspelt step key": (main("a: {retrun: 1}"), "main.a.retrun", "unknown key 'retrun': did you mean 'return'?"),
    "two things in one step": (main("a: {return: 1, assign: [{x: 1}]}"), "main.a", "exactly one of"),
    "a step that does nothing": (main("a: {}"), "main.a", "the step does nothing"),
    "a key that doesn't fit": (main("a: {return: 1, result: x}"), "main.a.result", "unknown key 'result' beside"),
    "a duplicate step": (main("a: {assign: [{x: 1}]}", "a: {return: 1}"), "main.a", "duplicate step name 'a'"),
    "a duplicate step further in": (
        main("a: {steps: [{b: {assign: [{x: 1}]}}]}", "b: {return: 1}"),
        "main.b",
        "duplicate step name 'b', first in line 3",
    ),
    "a reserved step name": (main("end: {return: 1}"), "main.end", "'end' is reserved"),
    "next to nowhere": (main("a: {assign: [{x: 1}], next: boo}"), "main.a.next", "no step 'boo'"),
    "next into a block": (
        main("a: {next: b}", "c: {steps: [{b: {return: 1}}]}"),
        "main.a.next",
        "inside another block",
    ),
    "next out of a loop": (
        main("a: {for: {value: v, in: [1], steps: [{b: {next: c}}]}}", "c: {return: 1}"),
        "main.a.for.b.next",
        "outside this loop or branch",
    ),
    "break outside a loop": (main("a: {next: break}"), "main.a.next", "'break' outside a loop"),
    "51 assignments": (
        main(f"a: {{assign: [{', '.join(f'{{v{n}: 0}}' for n in range(51))}]}}"),
        "main.a.assign",
        "51 elements: at most 50",
    ),
    "51 conditions": (
        main(f"a: {{switch: [{', '.join(['{condition: true, next: end}'] * 51)}]}}"),
        "main.a.switch",
        "51 elements: at most 50",
    ),
    "11 branches": (
        main(
            "a: {parallel: {branches: ["
            + ", ".join(f"{{b{n}: {{steps: [{{s{n}: {{assign: [{{x: 1}}]}}}}]}}}}" for n in range(11))
            + "]}}"
        ),
        "main.a.parallel.branches",
        "11 elements: at most 10",
    ),
    "a condition that leads nowhere": (main("a: {switch: [{condition: true}]}"), "main.a.switch.0", "to nothing"),
    "a switch entry without a condition": (main("a: {switch: [{next: end}]}"), "main.a.switch.0", "'condition' is"),
    "text before an expression": (main("a: {return: 'n = ${1}'}"), "main.a.return", "no text around ${}"),
    "text between expressions": (main("a: {return: '${1} and ${2}'}"), "main.a.return", "no text around ${}"),
    "an expression that is too long": (
        main(f"a: {{return: '${{{'1 + ' * 110}1}}'}}"),
        "main.a.return",
        "at most 400 are allowed",
    ),
    "an expression that isn't one": (main("a: {return: '${1 +}'}"), "main.a.return", "expected a value before the end"),
    "a chain of comparisons": (main("a: {return: '${1 < 2 < 3}'}"), "main.a.return", "unexpected '<'"),
    "a map literal": (main("a: {return: '${{1: 2}}'}"), "main.a.return", "map literals are not allowed"),
    "an unfinished string": (main("a: {return: '${\"x}'}"), "main.a.return", "never ends"),
    "an expression as a map's key": (main("a: {return: {'${1}': 2}}"), "main.a.return", "can't be a map's key"),
    "an unknown function": (main("a: {return: '${txt.split(1, 2)}'}"), "main.a.return", "mean 'text.split'?"),
    "a wrong number of arguments": (main("a: {return: '${len()}'}"), "main.a.return", "wrong number of arguments: len"),
    "a blocking call in an expression": (
        main("a: {return: '${sys.sleep(1)}'}"),
        "main.a.return",
        "sys.sleep is a blocking call",
    ),
    "a variable that nobody assigns": (main("a: {return: '${y}'}"), "main.a.return", "'y' is never assigned"),
    "a loop's variable outside": (
        main("a: {for: {value: v, in: [1], steps: [{b: {assign: [{t: 1}]}}]}}", "c: {return: '${t}'}"),
        "main.c.return",
        "'t' is never assigned in this scope",
    ),
    "a handler's error outside": (
        main("a: {try: {raise: x}, except: {as: e, steps: [{b: {assign: [{t: 1}]}}]}}", "c: {return: '${e}'}"),
        "main.c.return",
        "'e' is never assigned in this scope",
    ),
    "an assignment to a function": (main("a: {assign: [{'len(x)': 1}]}"), "main.a.assign.len(x)", "can't be assigned"),
    "an undefined subworkflow": (main("a: {call: nowhere}"), "main.a.call", "unknown function or subworkflow"),
    "an unknown argument": (main("a: {call: sys.sleep, args: {second: 1}}"), "main.a.call", "mean 'seconds'?"),
    "a missing argument": (main("a: {call: http.get, args: {}}"), "main.a.call", "http.get needs the argument 'url'"),
    "an argument of a subworkflow that it doesn't have": (
        main("a: {call: s, args: {b: 1}}") + "s: {params: [a], steps: [{r: {return: 1}}]}",
        "main.a.call",
        "s has no argument 'b'",
    ),
    "a connector": (
        main("a: {call: googleapis.pubsub.v1.projects.topics.publish, args: {}}"),
        "main.a.call",
        "not supported locally: googleapis.pubsub.v1.projects.topics.publish",
    ),
    "a callback": (
        main("a: {call: events.await_callback, args: {}}"),
        "main.a.call",
        "not supported locally: events.await_callback",
    ),
    "a private service": (
        main("a: {call: http.get, args: {url: x, private_service_name: y}}"),
        "main.a.call",
        "not supported locally: private_service_name",
    ),
    "another kind of auth": (
        main("a: {call: http.get, args: {url: x, auth: {type: OAuth2}}}"),
        "main.a.call",
        "not supported locally: auth of type 'OAuth2'",
    ),
    "steps beside something else": (
        main("a: {try: {steps: [{b: {return: 1}}], return: 2}, except: {as: e, next: end}}"),
        "main.a.try",
        "exactly one of",
    ),
    "try without retry or except": (main("a: {try: {raise: x}}"), "main.a", "needs 'retry', 'except' or both"),
    "for directly under try": (
        main("a: {try: {for: {value: v, in: [1], steps: [{b: {next: continue}}]}}, except: {as: e, next: end}}"),
        "main.a.try",
        "put it in a named step",
    ),
    "except without a name": (
        main("a: {try: {raise: x}, except: {steps: [{b: {return: 1}}]}}"),
        "main.a.except",
        "'as' is missing",
    ),
    "an unknown retry policy": (main("a: {try: {raise: x}, retry: '${http.retry}'}"), "main.a.retry", "a map or one"),
    "an unknown retry key": (
        main("a: {try: {raise: x}, retry: {max_retries: 1, back_off: {}}}"),
        "main.a.retry.back_off",
        "mean 'backoff'?",
    ),
    "a retry without a limit": (main("a: {try: {raise: x}, retry: {}}"), "main.a.retry", "'max_retries' is missing"),
    "a retry delay that is no number": (
        main("a: {try: {raise: x}, retry: {max_retries: 1, backoff: {max_delay: long}}}"),
        "main.a.retry.backoff.max_delay",
        "must be a number",
    ),
    "a predicate that takes two arguments": (
        main("a: {try: {raise: x}, retry: {predicate: '${s}', max_retries: 1}}")
        + "s: {params: [a, b], steps: [{r: {return: true}}]}",
        "main.a.retry.predicate",
        "a predicate takes one argument",
    ),
    "a blocking predicate": (
        main("a: {try: {raise: x}, retry: {predicate: '${s}', max_retries: 1}}")
        + "s: {params: [a], steps: [{z: {call: sys.sleep, args: {seconds: 1}}}]}",
        "s.z",
        "a blocking step in a subworkflow that an expression calls (main.a.retry.predicate)",
    ),
    "a blocking call two subworkflows below an expression": (
        main("a: {return: '${s()}'}")
        + "s: {steps: [{z: {call: t}}]}\n"
        + "t: {steps: [{y: {call: http.get, args: {url: x}}}]}",
        "t.y",
        "a blocking step",
    ),
    "an unknown exception policy": (
        main("a: {parallel: {exception_policy: stop, branches: [{b: {steps: [{c: {assign: [{x: 1}]}}]}}]}}"),
        "main.a.parallel.exception_policy",
        "must be continueAll",
    ),
    "a shared variable that nobody assigned": (
        main("a: {parallel: {shared: [x], branches: [{b: {steps: [{c: {assign: [{x: 1}]}}]}}]}}"),
        "main.a.parallel.shared",
        "'x' must be assigned before it is shared",
    ),
    "a branch that writes what it doesn't share": (
        main(
            "i: {assign: [{x: 1}]}",
            "a: {parallel: {branches: [{b: {steps: [{c: {assign: [{x: 1}]}}]}}]}}",
        ),
        "main.a.parallel.branches.b.c.assign.x",
        "not in its 'shared' list",
    ),
    "a branch that writes inside what it doesn't share": (
        main(
            "i: {assign: [{x: {}}]}",
            "a: {parallel: {for: {value: v, in: [1], steps: [{c: {assign: [{x.y: 1}]}}]}}}",
        ),
        "main.a.parallel.for.c.assign.x.y",
        "not in its 'shared' list",
    ),
    "a branch that returns": (
        main("a: {parallel: {branches: [{b: {steps: [{c: {return: 1}}]}}]}}"),
        "main.a.parallel.branches.b.c.return",
        "a parallel branch can't return",
    ),
    "a branch that ends the workflow": (
        main("a: {parallel: {branches: [{b: {steps: [{c: {next: end}}]}}]}}"),
        "main.a.parallel.branches.b.c.next",
        "can't end the workflow",
    ),
    "three parallel steps in each other": (
        nested(3),
        "main.p2.parallel.for.p1.parallel.for.p0.parallel",
        "deeper than 2",
    ),
    "a loop over nothing": (
        main("a: {for: {value: v, steps: [{b: {next: continue}}]}}"),
        "main.a.for",
        "either 'in' or 'range'",
    ),
    "a subworkflow named like a function": (
        main("a: {return: 1}") + "len: {steps: [{b: {return: 1}}]}",
        "len",
        "'len' is a function of the standard library",
    ),
}


@pytest.mark.parametrize(("source", "path", "problem"), REFUSED.values(), ids=REFUSED)
def test_the_loader_refuses(source: str, path: str, problem: str) -> None:
    with pytest.raises(LoadError) as caught:
        load(source, "flow")
    assert problem in caught.value.problem
    assert caught.value.path.startswith(path)
    assert str(caught.value).startswith("flow")


def test_an_error_names_workflow_line_path_and_reason() -> None:
    source = textwrap.dedent("""
        main:
          steps:
            - first:
                assign:
                  - x: 1
            - second:
                return: ${x +}
    """)
    with pytest.raises(LoadError) as caught:
        load(source, "research")
    assert str(caught.value) == (
        "research:8: main.second.return: not a valid expression: expected a value before the end at position 3"
    )


def test_the_sample_loads_with_its_connectors_and_not_without() -> None:
    assert load(SAMPLE, "research", connectors=CONNECTORS).routines.keys() == {
        "main",
        "set_status",
        "write_note",
        "retry_poll",
    }
    with pytest.raises(LoadError, match="not supported locally: googleapis"):
        load(SAMPLE, "research")


def test_yaml_1_1_surprises_stay_text() -> None:
    workflow = load(main("a: {return: [on, yes, no, 1:30, 2024-01-01, 1_000, 010]}"), "flow")
    step = workflow.routines["main"].block.steps[0]
    assert "Literal(value=['on', 'yes', 'no', '1:30', '2024-01-01', '1_000', 10])" in repr(step)


def test_the_same_text_has_the_same_revision_and_another_has_another() -> None:
    one, other = main("a: {return: 1}"), main("a: {return: 2}")
    assert load(one, "flow").revision == load(one, "flow").revision != load(other, "flow").revision


def test_a_bare_list_of_steps_is_a_workflow() -> None:
    assert load("- a: {return: 1}", "flow").routines.keys() == {"main"}


def test_a_workflow_may_be_json() -> None:
    assert load('{"main": {"steps": [{"a": {"return": "${1 + 1}"}}]}}', "flow").routines.keys() == {"main"}
