"""Asking for research and following it, whatever becomes of it."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest
import respx
from click.testing import CliRunner

from infra.local.command.cli import memex
from tests.infra.local.command.conftest import UNSET, Run, Served

OPERATION = "01m8p1vr5nfq8387h0a1m34ybz"
NOTE = "01m8p1tzsmywsxmbh2qgnw8nn5"
URL = "http://127.0.0.1:9"
ENVIRON = {**UNSET, "MEMEX_DEVICE_KEY": "k", "PORT": "9"}


def seed(run: Run) -> None:
    for text in ("Pears grow flat against a sunny wall.", "A south wall stores warmth for pears at night."):
        run("capture", text)


def test_a_question_becomes_a_report_with_sources(run: Run, served: Served) -> None:
    seed(run)
    served.settled()
    result = run("research", "How do pears grow against a wall?")
    assert result.exit_code == 0, result.stderr
    assert "Captured as" in result.stderr and "Finished" in result.stderr
    assert "## Sources\n\n[1] " in result.stdout and "[1]\n" in result.stdout
    assert "cite:" not in result.stdout


def test_a_note_is_researched_by_its_id_and_listed(run: Run, served: Served) -> None:
    seed(run)
    note_id = run("capture", "How do pears grow against a wall?").stdout.splitlines()[0]
    served.settled()
    operation_id = run("research", note_id, "--no-follow").stdout.strip()
    assert run("research", note_id, "--no-follow").stdout.strip() == operation_id
    assert operation_id in run("ops", "--status", "active").stdout
    assert run("ops", "--follow", operation_id).exit_code == 0
    shown = run("ops", operation_id)
    assert "completed, 100 %" in shown.stdout and "Finished" in shown.stdout
    # Whoever did it: here it is the local researcher.
    assert "Kind      Research\n" in shown.stdout
    assert json.loads(run("ops", "--json", "--status", "completed").stdout)["operations"][0]["id"] == operation_id


def test_cancelled_work_says_so(run: Run, served: Served) -> None:
    note_id = run("capture", "Why?").stdout.splitlines()[0]
    served.settled()
    operation_id = run("research", note_id, "--no-follow").stdout.strip()
    assert f"{operation_id} is cancelled." in run("ops", "--cancel", operation_id).stdout
    followed = run("ops", "--follow", operation_id)
    assert followed.exit_code == 1
    assert f"memex research {note_id}" in followed.stderr


def test_an_unknown_operation_and_note_are_told(run: Run) -> None:
    for arguments in (("ops", OPERATION), ("ops", "--follow", "nonsense/x"), ("research", NOTE)):
        result = run(*arguments)
        assert result.exit_code == 1
        assert "There is no" in result.stderr


@pytest.mark.parametrize("more", [(), ("--again",)])
def test_the_id_of_an_operation_is_told_from_a_notes(run: Run, served: Served, more: tuple[str, ...]) -> None:
    note_id = run("capture", "Why?").stdout.splitlines()[0]
    served.settled()
    operation_id = run("research", note_id, "--no-follow").stdout.strip()
    result = run("research", operation_id, *more)
    assert result.exit_code == 2
    assert f"{operation_id} is an operation" in result.stderr and f"memex ops {operation_id}" in result.stderr


@pytest.fixture
def memory() -> Iterator[respx.MockRouter]:
    with respx.mock(base_url=URL, assert_all_called=False) as router:
        yield router


def operation(status: str, **more: object) -> httpx.Response:
    return httpx.Response(200, json={"operation": {"id": OPERATION, "status": status, "source_note_id": NOTE, **more}})


def frame(seq: int, event: str, **more: object) -> str:
    return f"id: {seq}\nevent: {event}\ndata: {json.dumps({'seq': seq, 'event': event, **more})}\n\n"


def follow() -> tuple[int, str, str]:
    result = CliRunner().invoke(memex, ["ops", "--follow", OPERATION], env=ENVIRON)
    return result.exit_code, result.stdout, result.stderr


def test_a_broken_stream_goes_on_where_it_was(memory: respx.MockRouter) -> None:
    memory.get(f"/api/v1/operations/{OPERATION}").mock(
        return_value=operation("failed", error={"message": "No.", "next": "Wait."})
    )
    streams = [
        frame(1, "task.started"),
        frame(2, "task.progress", percent=5, message="Reading"),
        frame(3, "task.failed", error_message="No.") + 'event: done\ndata: {"status":"failed"}\n\n',
    ]
    headers = {"content-type": "text/event-stream"}
    route = memory.get(f"/api/v1/operations/{OPERATION}/events").mock(
        side_effect=[httpx.Response(200, text=text, headers=headers) for text in streams]
    )
    code, _, errors = follow()
    assert code == 1
    assert [call.request.headers["Last-Event-ID"] for call in route.calls] == ["0", "1", "2"]
    assert errors.count("Reading") == 1
    assert errors.endswith("memex: No.\n       Wait.\n")


def test_streams_that_end_at_once_and_say_nothing_are_not_asked_for_in_a_hurry(
    memory: respx.MockRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.local.command.follow._PAUSE_SECONDS", 0.05)
    memory.get(f"/api/v1/operations/{OPERATION}").mock(return_value=operation("cancelled"))
    empty = httpx.Response(200, text=": still there\n\n", headers={"content-type": "text/event-stream"})

    def answer(request: httpx.Request) -> httpx.Response:
        streamed = "event-stream" in request.headers["accept"]
        return empty if streamed else httpx.Response(200, json={"events": [], "next_cursor": None})

    route = memory.get(f"/api/v1/operations/{OPERATION}/events").mock(side_effect=answer)
    began = time.monotonic()
    follow()
    assert route.call_count == 3 + 1, "three streams, then a look"
    assert time.monotonic() - began >= 3 * 0.05


def test_a_run_that_was_on_is_followed_once_the_note_names_it(
    memory: respx.MockRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = {"error": {"code": "already_running", "message": "It runs.", "next": ""}}
    memory.post(f"/api/v1/notes/{NOTE}/research").mock(return_value=httpx.Response(409, json=refusal))
    states = [{"id": NOTE, "research": {}}, {"id": NOTE, "research": {"operation_id": OPERATION}}]
    memory.get(f"/api/v1/notes/{NOTE}").mock(side_effect=[httpx.Response(200, json={"note": one}) for one in states])
    result = CliRunner().invoke(memex, ["research", NOTE, "--no-follow"], env=ENVIRON)
    assert result.stdout.strip() == OPERATION


def test_without_streams_it_looks_again(memory: respx.MockRouter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.command.follow.LOOK_SECONDS", 0.0)
    states = [operation("running"), operation("running"), operation("completed"), operation("cancelled")]
    memory.get(f"/api/v1/operations/{OPERATION}").mock(side_effect=states)

    def log(request: httpx.Request) -> httpx.Response:
        if "event-stream" in request.headers["accept"]:
            raise httpx.ReadTimeout("held back")
        after = int(request.url.params["after"])
        events = [{"seq": n, "event": "task.progress", "percent": n, "message": f"step {n}"} for n in (1, 2)]
        return httpx.Response(200, json={"events": events[after:], "next_cursor": None})

    memory.get(f"/api/v1/operations/{OPERATION}/events").mock(side_effect=log)
    _, _, errors = follow()
    assert (errors.count("step 1"), errors.count("step 2")) == (1, 1)


def test_an_escape_sequence_in_a_report_does_not_reach_the_terminal(memory: respx.MockRouter, tmp_path: Path) -> None:
    memory.get(f"/api/v1/operations/{OPERATION}").mock(return_value=operation("completed", result_note_id=NOTE))
    done = httpx.Response(200, text="event: done\ndata: {}\n\n", headers={"content-type": "text/event-stream"})
    memory.get(f"/api/v1/operations/{OPERATION}/events").mock(return_value=done)
    note = {
        "id": NOTE,
        "title": "T",
        "body": "a\x1b[2Jb [1]",
        "citations": [{"number": 1, "title": "S", "url": "https://example.org/", "quote": "q"}],
    }
    memory.get(f"/api/v1/notes/{NOTE}").mock(return_value=httpx.Response(200, json={"note": note}))
    code, out, _ = follow()
    assert code == 0
    assert "\x1b" not in out
    assert out.endswith("## Sources\n\n[1] S  https://example.org/\n    > q\n")


def test_asking_for_a_report_that_is_there_shows_it_and_starts_nothing(run: Run, served: Served) -> None:
    run("capture", "Pears ripen two weeks earlier in front of a south wall, because the wall stores warmth.")
    served.settled()
    first = json.loads(run("research", "When do pears ripen?", "--json").stdout)
    note_id = first["operation"]["source_note_id"]
    again = json.loads(run("research", note_id, "--json").stdout)
    assert again["operation"]["id"] == first["operation"]["id"]
    anew = json.loads(run("research", note_id, "--again", "--json").stdout)
    assert anew["operation"]["id"] != first["operation"]["id"]


def listed(memory: respx.MockRouter, *operations: Mapping[str, object], more: tuple[str, ...] = ()) -> list[str]:
    answer = httpx.Response(200, json={"operations": [{"id": OPERATION, **one} for one in operations]})
    memory.get("/api/v1/operations").mock(return_value=answer)
    return CliRunner().invoke(memex, ["ops", *more], env={**ENVIRON, "COLUMNS": "90"}).stdout.splitlines()


def test_a_routine_is_listed_by_its_name(memory: respx.MockRouter) -> None:
    ran: dict[str, object] = {"kind": "routine", "status": "completed", "input": {"routine": "daily_review"}}
    upkeep: dict[str, object] = {"kind": "memory_generation", "status": "completed", "input": {}}
    lines = listed(memory, ran, upkeep, more=("--all",))
    assert [line.rpartition("  ")[2] for line in lines] == ["WHAT", "Daily review", "Remembering"]


def test_upkeep_is_left_out_counted_and_hides_nothing(memory: respx.MockRouter) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        upkeep = {"id": OPERATION, "kind": "memory_generation", "status": "completed", "input": {}}
        asked = {"id": OPERATION, "kind": "deep_research", "status": "completed", "input": {"question": "Why?"}}
        if "cursor" not in request.url.params:
            return httpx.Response(200, json={"operations": [upkeep] * 30, "next_cursor": "next"})
        return httpx.Response(200, json={"operations": [asked, upkeep, asked], "next_cursor": None})

    memory.get("/api/v1/operations").mock(side_effect=page)
    result = CliRunner().invoke(memex, ["ops"], env=ENVIRON)
    assert [line.rpartition("  ")[2] for line in result.stdout.splitlines()] == ["WHAT", "Why?", "Why?"]
    assert result.stderr == "31 pieces of upkeep left out; --all lists them too.\n"
    whole = CliRunner().invoke(memex, ["ops", "--all", "--limit", "200"], env=ENVIRON)
    assert len(whole.stdout.splitlines()) == 34 and whole.stderr == ""
    first = CliRunner().invoke(memex, ["ops", "--limit", "1"], env=ENVIRON)
    assert first.stderr == "30 pieces of upkeep left out; --all lists them too.\n"


def test_an_error_is_wrapped_between_words_and_its_end_is_marked(memory: respx.MockRouter) -> None:
    error = {"message": "Nothing was found in your notes that answers this question, so there is no result. " * 3}
    asked = {"question": "Which submarine cable connects Lisbon with Fortaleza, and since when does it do that?"}
    lines = listed(memory, {"kind": "agent_task", "status": "failed", "input": asked, "error": error})
    assert len(lines) == 1 + 3 and all(len(line) <= 90 for line in lines)
    at = lines[0].index("WHAT")
    told = [line[at:] for line in lines[1:]]
    assert told[-1].endswith("…") and all(line[:at].isspace() for line in lines[2:])
    whole = set(f"{asked['question']} {error['message']}".replace(",", "").replace(".", "").split())
    assert {word.strip(":….,?") for line in told for word in line.split()} <= {word.strip("?") for word in whole}


def test_a_question_that_is_its_own_title_is_listed_once(memory: respx.MockRouter) -> None:
    twice = {"question": "When do pears ripen?\n\nWhen do pears ripen?"}
    other = {"question": "Pears\n\nWhen are they ripe?"}
    lines = listed(memory, *({"kind": "deep_research", "status": "completed", "input": one} for one in (twice, other)))
    assert lines[1].endswith("  When do pears ripen?") and lines[2].endswith("  Pears When are they ripe?")
