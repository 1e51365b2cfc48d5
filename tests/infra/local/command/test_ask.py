"""Asking the agent in a terminal: the answer, its gates, its end, and what becomes of a stream that breaks off."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import respx
from click.testing import CliRunner, Result

from infra.local.command import ask as command
from infra.local.command import screen
from infra.local.command.cli import Connection, memex
from infra.local.command.failure import INTERRUPTED, Failure
from infra.local.command.talk import Frame
from infra.local.command.transcript import Growing, Transcript, argued, checked, readable
from shared.agent.model import Answer, Question
from tests.fakes.scripted import ScriptedModel, calls, says
from tests.infra.local.command.conftest import UNSET, Run, Served

URL = "http://127.0.0.1:9"
ENVIRON = {**UNSET, "MEMEX_DEVICE_KEY": "k", "PORT": "9"}
SESSION = "01m8p1vr5nfq8387h0a1m34ybz"
RUN = "01m8p1tzsmywsxmbh2qgnw8nn5"
NOTE = "01m8p1tzsmywsxmbh2qgnw8nn6"
STREAM = {"content-type": "text/event-stream"}


@pytest.fixture
def model(served: Served, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    made = ScriptedModel()
    monkeypatch.setattr(served.product.services, "model", lambda _name: made)
    return made


def noted(run: Run, text: str) -> str:
    return run("capture", text).stdout.splitlines()[0]


def sessions(served: Served) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = served.http.get("/api/v1/chat/sessions").raise_for_status().json()["sessions"]
    return found


# -- with the product


def test_an_answer_is_printed_with_its_sources_and_the_steps_beside_it(
    run: Run, served: Served, model: ScriptedModel
) -> None:
    pears = noted(run, "Pears ripen in August.")
    model.steps = [
        calls(("search_notes", {"query": "pears"}), text="I'll look."),
        says(f"In August, see [Pears](#/notes/{pears})."),
    ]
    result = run("ask", "When", "do", "pears ripen?")
    assert result.exit_code == 0, result.stderr
    address = f"{served.url}/#/notes/{pears}"
    lines = result.stdout.splitlines()
    assert lines[0] == f"In August, see [Pears]({address})."
    assert lines[2] == "Sources"
    assert lines[3].startswith(" 1. ") and lines[3].endswith(address)
    assert result.stderr.splitlines()[:2] == ["I'll look.", "Searching your notes for “pears”…"]
    assert model.questions[0].messages[-1].text == "When do pears ripen?"


def test_a_question_is_read_from_a_pipe_and_the_conversation_goes_on(
    run: Run, served: Served, model: ScriptedModel
) -> None:
    model.steps = [says("First."), says("Second."), says("Third.")]
    assert run("ask", input="Hello there, my dear second brain").stdout == "First.\n"
    assert run("ask", "--continue", "Please say something else to everybody now").stdout == "Second.\n"
    (session,) = sessions(served)
    result = run("ask", "--session", session["id"], "Please say something else to everybody again")
    assert result.stdout == "Third.\n"
    assert f"memex ask --session {session['id']}" in result.stderr
    assert len(sessions(served)) == 1
    assert [message.text for message in model.questions[-1].messages if message.role == "model"] == [
        "First.",
        "Second.",
    ]


def test_each_event_is_a_line_of_json(run: Run, model: ScriptedModel) -> None:
    model.steps = [calls(("current_time", {})), says("Late \x1b[31m\u202e.")]
    result = run("ask", "--json", "What time is it?")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["event"] == "session" and lines[0]["data"]["id"]
    types = [line["data"]["type"] for line in lines if line["event"] == "trace"]
    assert types == ["user", "tool_call", "tool_result", "text", "usage"]
    assert lines[-1]["event"] == "done"
    assert "\x1b" not in result.stdout and "\u202e" not in result.stdout


def test_what_steers_a_terminal_is_left_out_everywhere(run: Run, model: ScriptedModel) -> None:
    noted(run, "Pears \x1b[2J in August.")
    steers = "\x1b\x07\u202e\x9b\u200e\u200f\u061c\u2028\u2029\u2066\u206a\U000e0041\U000e007f"
    evil = f"\x1b]0;owned\x07\x1b[2J\u202e\x9b31m{steers}"
    model.steps = [
        calls(("search_notes", {"query": f"pears{evil}"})),
        says(f"Well{evil}.", thinking=f"hm{evil}"),
    ]
    result = run("ask", "When do pears ripen?")
    assert result.exit_code == 0
    for bad in steers:
        assert bad not in result.stdout + result.stderr
    assert "Well" in result.stdout and "Thinking: hm" in result.stderr


def test_a_gate_on_a_pipe_says_how_to_decide_and_does_nothing(run: Run, served: Served, model: ScriptedModel) -> None:
    note_id = noted(run, "Pears ripen in August.")
    model.steps = [calls(("delete_note", {"note_id": note_id}))]
    result = run("ask", "Delete the note about pears")
    assert result.exit_code == 1
    assert "before moving a note to the bin." in result.stderr and f"note_id: {note_id}" in result.stderr
    assert "It begins: Pears ripen in August." in result.stderr
    run_id = sessions(served)[0]["turn"]["id"]
    assert f"memex ask --resume {run_id} --approve" in result.stderr
    assert f"memex ask --resume {run_id} --reject" in result.stderr
    assert served.get(note_id)["deleted_at"] is None
    model.steps = [says("It is in the bin.")]
    decided = run("ask", "--resume", run_id, "--approve")
    assert (decided.exit_code, decided.stdout) == (0, "It is in the bin.\n"), decided.stderr
    assert served.get(note_id)["deleted_at"]
    again = run("ask", "--resume", run_id, "--approve")
    assert again.exit_code == 1 and "answered already" in again.stderr


def test_no_is_passed_on(run: Run, served: Served, model: ScriptedModel) -> None:
    note_id = noted(run, "Pears ripen in August.")
    model.steps = [calls(("delete_note", {"note_id": note_id})), says("Then it stays.")]
    run("ask", "Delete the note about pears")
    run_id = sessions(served)[0]["turn"]["id"]
    result = run("ask", "--resume", run_id, "--reject")
    assert (result.exit_code, result.stdout) == (0, "Then it stays.\n")
    assert served.get(note_id)["deleted_at"] is None


@pytest.mark.parametrize(("typed", "deleted"), [("y\n", True), ("\n", False), ("n\n", False)])
def test_on_a_terminal_it_asks_and_nothing_typed_is_a_no(
    run: Run, served: Served, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, typed: str, deleted: bool
) -> None:
    note_id = noted(run, "Pears ripen in August.")
    monkeypatch.setattr("infra.local.command.screen.interactive", lambda: True)
    model.steps = [calls(("delete_note", {"note_id": note_id})), says("So be it.")]
    result = run("ask", "Delete the note about pears", input=typed)
    assert (result.exit_code, result.stdout) == (0, "So be it.\n"), result.stderr
    assert f"note_id: {note_id}" in result.stderr and "[y/N]" in result.stderr
    assert bool(served.get(note_id)["deleted_at"]) is deleted


def test_a_deletion_names_the_note_that_would_go(
    run: Run, served: Served, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    note_id = noted(run, "# Pears\n\n\x1b[2JThey ripen in August.")
    served.edit(note_id, title="Pears\u202e of the south wall", body="They ripen\u2028 in August.\nNot later.")
    monkeypatch.setattr("infra.local.command.screen.interactive", lambda: True)
    model.steps = [calls(("delete_note", {"note_id": note_id})), says("So be it.")]
    asked = run("ask", "Delete the note about pears", input="n\n").stderr.splitlines()
    at = asked.index("The note: Pears of the south wall")
    assert asked[at + 1 : at + 3] == ["It begins: They ripen", f"  note_id: {note_id}"]
    model.steps = [calls(("delete_note", {"note_id": NOTE})), says("So be it.")]
    gone = run("ask", "Delete the other note about pears", input="n\n")
    assert gone.exit_code == 0 and "The note can't be shown: " in gone.stderr


def test_an_argument_is_shown_whole_and_no_row_of_the_screen_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "width", lambda: 60)
    rows = argued({"text\nx": "a" + " " * 80 + "Let it be done?\t\n\n", "list": ["a\nb"]})
    assert all(row.startswith(("  text x: a", "  list: ", "    | ")) and screen.columns(row) < 60 for row in rows)
    assert "Let it be done?" in "".join(row[6:] for row in rows) and '  list: ["a\\nb"]' in rows


def test_a_new_question_in_a_conversation_that_waits_says_that_it_declines(
    run: Run, served: Served, model: ScriptedModel
) -> None:
    note_id = noted(run, "Pears ripen in August.")
    model.steps = [calls(("delete_note", {"note_id": note_id}))]
    run("ask", "Delete the note about pears")
    model.steps = [says("Hello.")]
    result = run("ask", "--continue", "Good morning, my dear second brain!")
    assert (result.exit_code, result.stdout) == (0, "Hello.\n")
    assert "counts as declined" in result.stderr


def test_an_answer_that_fails_is_a_failure_with_its_reason(run: Run, model: ScriptedModel) -> None:
    model.steps = [RuntimeError("x")]
    result = run("ask", "Good morning, my dear second brain!")
    assert result.exit_code == 1
    assert "Something went wrong on our side." in result.stderr
    assert "memex ask --session" in result.stderr


def test_ctrl_c_stops_the_turn_and_says_what_was_done(
    run: Run, served: Served, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(_question: Question) -> Answer:
        await served.product.services.sleep(3600)
        return says("Too late.")

    model.steps = [calls(("create_tasks", {"tasks": [{"title": "Water the pears"}]})), endless]
    shown = Transcript.show

    def interrupted(self: Transcript, frame: Frame) -> None:
        shown(self, frame)
        if frame.data.get("type") == "tool_result" and frame.data.get("tool") == "create_tasks":
            monkeypatch.setattr(Transcript, "show", shown)
            raise KeyboardInterrupt

    monkeypatch.setattr(Transcript, "show", interrupted)
    result = run("ask", "Remind me to water the pears")
    assert result.exit_code == INTERRUPTED
    assert "Stopped. Done by then: added the task “Water the pears”." in result.stderr
    assert f"memex ask --session {sessions(served)[0]['id']}" in result.stderr
    assert sessions(served)[0]["turn"]["status"] == "cancelled"


def test_a_conversation_in_a_terminal_goes_on_until_it_is_ended(
    run: Run, served: Served, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter(["Hello there, my dear second brain", "", "Fail", "Please say good night to everybody"])

    def typed(_prompt: str) -> str:
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(command, "sys", _Terminal())
    model.steps = [says("Good morning."), RuntimeError("x"), says("Good night.")]
    result = run("ask")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "Good morning.\nGood night.\n"
    assert "Something went wrong" in result.stderr
    assert len(sessions(served)) == 1


class _Terminal:
    class stdin:  # as `sys` has it
        @staticmethod
        def isatty() -> bool:
            return True


def test_with_the_model_that_needs_nothing(run: Run, served: Served) -> None:
    pears = noted(run, "Pears ripen two weeks earlier at a south wall.")
    result = run("ask", "When do pears ripen?")
    assert result.exit_code == 0, result.stderr
    assert f"{served.url}/#/notes/{pears}" in result.stdout
    assert "Searching your notes" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--session", SESSION, "--continue", "x"],
        ["--resume", RUN],
        ["--approve", "x"],
        ["--resume", RUN, "--approve", "x"],
        ["--resume", RUN, "--reject", "--approve"],
        ["--resume", RUN, "--deny", "--allow-always"],
        ["   "],
    ],
)
def test_wrong_usage_asks_nothing(arguments: list[str]) -> None:
    assert CliRunner().invoke(memex, ["ask", *arguments], env=ENVIRON).exit_code == 2


def test_nobody_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    result = CliRunner().invoke(memex, ["ask", "Hello"], env=ENVIRON)
    assert result.exit_code == 3 and "Nothing answers" in result.stderr


# -- streams that break off


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[respx.MockRouter]:
    monkeypatch.setattr("infra.local.command.talk._PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("infra.local.command.talk.LOOK_SECONDS", 0.0)
    monkeypatch.setattr("infra.local.command.http.Patience.pause", lambda *_: 0.0)
    with respx.mock(base_url=URL, assert_all_called=False) as router:
        router.post("/api/v1/chat/sessions").mock(return_value=httpx.Response(201, json={"session": {"id": SESSION}}))
        yield router


def trace(seq: int, type: str, **more: object) -> str:
    data = {"seq": seq, "turn": RUN, "type": type, **more}
    return f"id: {seq}\nevent: trace\ndata: {json.dumps(data)}\n\n"


def done(status: str = "done") -> str:
    return f"event: done\ndata: {json.dumps({'session': {'id': SESSION, 'turn': {'id': RUN, 'status': status}}})}\n\n"


def streamed(*frames: str) -> httpx.Response:
    return httpx.Response(200, text="".join(frames), headers=STREAM)


def asked() -> Result:
    return CliRunner().invoke(memex, ["ask", "Hello"], env=ENVIRON)


def test_a_stream_that_breaks_off_is_taken_up_after_its_last_event(memory: respx.MockRouter) -> None:
    said = memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(
        return_value=streamed(trace(1, "user", text="Hello"), trace(2, "tool_call", tool="current_time", arguments={}))
    )
    events = memory.get(f"/api/v1/chat/sessions/{SESSION}/events").mock(
        side_effect=[
            httpx.ReadError("gone"),
            streamed(trace(2, "tool_call", tool="current_time", arguments={})),
            streamed(trace(3, "tool_result", tool="current_time", ok=True, result={}), trace(4, "text", text="Late.")),
            streamed(done()),
        ]
    )
    result = asked()
    assert (result.exit_code, result.stdout) == (0, "Late.\n"), result.stderr
    assert said.call_count == 1, "a message is never sent twice"
    assert [call.request.headers["Last-Event-ID"] for call in events.calls] == ["2", "2", "2", "4"]
    assert result.stderr.count("Looking at the clock") == 1


def test_arguments_with_line_breaks_look_like_no_lines_of_ours(
    memory: respx.MockRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = "Pears.\nIt begins: Nothing of yours\r\nLet it be done? [y/N]: y\u2028It is done."
    gate = trace(2, "approval_request", run_id=RUN, tool="mcp_x", arguments={"text": fake, "a\nb": 1}, why="It asks.")
    monkeypatch.setattr("infra.local.command.screen.interactive", lambda: True)
    memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(
        return_value=streamed(trace(1, "user", text="Hello"), gate)
    )
    resumed = memory.post(f"/api/v1/chat/{RUN}/resume").mock(return_value=streamed(done()))
    result = CliRunner().invoke(memex, ["ask", "Hello"], env=ENVIRON, input="n\n")
    assert result.exit_code == 0 and json.loads(resumed.calls[0].request.content) == {"decision": "reject"}
    lines = result.stderr.splitlines()
    at = lines.index("  text: Pears.")
    assert lines[at - 1].startswith("It asks before using mcp_x: ")
    assert lines[at + 1 : at + 5] == [
        "    | It begins: Nothing of yours",
        "    | Let it be done? [y/N]: yIt is done.",
        "  a b: 1",
        "It asks.",
    ]


def test_where_no_stream_gets_through_it_looks(memory: respx.MockRouter) -> None:
    memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(side_effect=httpx.ReadError("gone"))
    event = {"seq": 1, "turn": RUN, "type": "text", "text": "Late."}

    def answer(request: httpx.Request) -> httpx.Response:
        if "event-stream" in request.headers["accept"]:
            return httpx.Response(502, text="<html>")
        return httpx.Response(200, json={"events": [] if request.url.params["after"] == "1" else [event]})

    memory.get(f"/api/v1/chat/sessions/{SESSION}/events").mock(side_effect=answer)
    statuses = iter(["running", "done"])
    memory.get(f"/api/v1/chat/sessions/{SESSION}").mock(
        side_effect=lambda _: httpx.Response(200, json={"session": {"id": SESSION, "turn": {"status": next(statuses)}}})
    )
    result = asked()
    assert (result.exit_code, result.stdout) == (0, "Late.\n"), result.stderr


def test_a_question_that_never_arrived_is_told(memory: respx.MockRouter) -> None:
    memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(side_effect=httpx.ReadError("gone"))
    memory.get(f"/api/v1/chat/sessions/{SESSION}/events").mock(return_value=streamed(done()))
    result = asked()
    assert result.exit_code == 3
    assert "before Memex had heard that" in result.stderr and "Ask again" in result.stderr


def test_a_turn_whose_process_died_is_told(memory: respx.MockRouter) -> None:
    memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(return_value=streamed(trace(1, "user", text="Hello")))
    memory.get(f"/api/v1/chat/sessions/{SESSION}/events").mock(
        return_value=streamed(trace(2, "error", code="interrupted", message="It was interrupted."), done("interrupted"))
    )
    result = asked()
    assert result.exit_code == 1 and "It was interrupted." in result.stderr


def test_what_memex_refuses_is_told_in_its_words(memory: respx.MockRouter) -> None:
    error = {"code": "turn_running", "message": "An answer is still being written.", "next": "Wait for it."}
    memory.post(f"/api/v1/chat/sessions/{SESSION}/messages").mock(
        return_value=httpx.Response(409, json={"error": error})
    )
    result = asked()
    assert result.exit_code == 1
    assert result.stderr.endswith("memex: An answer is still being written.\n       Wait for it.\n")


def test_in_the_cloud_the_chat_has_an_address_of_its_own() -> None:
    there = "https://chat.example.org"
    with respx.mock() as router:
        router.get("https://api.example.org/config.json").respond(json={"chat": there})
        router.post(f"{there}/api/v1/chat/sessions").respond(201, json={"session": {"id": SESSION}})
        router.post(f"{there}/api/v1/chat/sessions/{SESSION}/messages").mock(
            return_value=streamed(trace(1, "text", text="Hi."), done())
        )
        environ = {**UNSET, "MEMEX_URL": "https://api.example.org", "MEMEX_DEVICE_KEY": "k"}
        result = CliRunner().invoke(memex, ["ask", "Hello"], env=environ)
    assert (result.exit_code, result.stdout) == (0, "Hi.\n"), result.stderr


def test_a_chat_at_an_unencrypted_address_gets_no_key() -> None:
    with respx.mock() as router:
        router.get("https://api.example.org/config.json").respond(json={"chat": "http://elsewhere.example.org"})
        environ = {**UNSET, "MEMEX_URL": "https://api.example.org", "MEMEX_DEVICE_KEY": "k"}
        result = CliRunner().invoke(memex, ["ask", "Hello"], env=environ)
    assert result.exit_code == 1 and "not encrypted" in result.stderr


# -- on the screen


def address(note_id: str) -> str:
    return f"http://here/#/notes/{note_id}"


ANSWER = (
    f"# Pears\n\nSee [my [note](#/notes/{NOTE}) and [a page](<https://a.example/x>)! Or #/notes/{NOTE}, a[1] #5 ![p](x)"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_an_answer_in_pieces_never_shows_half_a_link(size: int) -> None:
    growing = Growing()
    pieces = [growing.feed(ANSWER[at : at + size]) for at in range(0, len(ANSWER), size)]
    assert all("](" not in piece for piece in pieces)
    typed = "".join(pieces) + growing.whole(ANSWER)
    assert typed == readable(ANSWER)
    # What nobody has checked yet gets no address that a browser follows.
    assert typed.endswith(f"[my note and a page! Or #/notes/{NOTE}, a[1] #5 p")


READ, EVIL = "https://read.example/x", "https://evil.example/x"
FORMS = [
    "[words]({})",
    "[words](<{}>)",
    '[words]({} "title")',
    "[words]({} 'title')",
    "[words](\n{}\n(title)\n)",
    "[some [nested] words]({})",
    "[some \\] words]({})",
    "[![words](https://picture.example)]({})",
    "[words][1]\n\n[1]: {}",
    "[words][1]\n\n> [1]: <{}> 'title'",
    '[words][1]\n\n[1]:\n {}\n "title"',
    "[words][]\n\n[words]: {}",
    "[words]\n\n[Words]: {}",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("live", [True, False])
def test_a_link_to_what_was_not_read_is_its_words(capsys: pytest.CaptureFixture[str], form: str, live: bool) -> None:
    out = typed(capsys, kept(f"See {form.format(EVIL)}", READ), live=live)
    assert "words" in out and "evil" not in out and "](" not in out and "][" not in out
    assert "Links" not in out


@pytest.mark.parametrize("form", FORMS)
def test_a_link_to_what_was_read_stays_on_a_pipe_and_is_listed_on_a_terminal(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    text = f"See {form.format(READ)}"
    assert typed(capsys, kept(text, READ), live=False).strip() == text.replace(
        "![words](https://picture.example)", "words"
    )
    out = typed(capsys, kept(text, "HTTPS://READ.example:443/x")).splitlines()
    assert READ not in out[0] and out[-2] == "Links" and out[-1].endswith(f"words  {READ}")


def test_a_picture_is_its_words_wherever_it_is_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, kept(f"![words]({READ})", READ), live=False) == "words\n"
    assert typed(capsys, kept(f"![words]({READ})", READ)) == "words\n"


@pytest.mark.parametrize("live", [True, False])
def test_a_bare_address_is_printed_as_it_is_and_not_listed(capsys: pytest.CaptureFixture[str], live: bool) -> None:
    text = f"See {EVIL}, <{EVIL}> and #/notes/{NOTE}; `a[b](c)`\n\n```\na[b](c)\n[1]: x\n```\nEnd[^1].\n\n[^1]: {EVIL}"
    assert typed(capsys, kept(text), live=live).strip() == text


def test_a_note_that_was_made_is_listed_with_its_address(capsys: pytest.CaptureFixture[str]) -> None:
    made = f"#/notes/{NOTE}"
    assert typed(capsys, kept(f"Made {made}.", made)) == f"Made {made}.\n\nLinks\n    {address(NOTE)}\n"
    assert typed(capsys, kept(f"Made {made}.", made), live=False) == f"Made {address(NOTE)}.\n"
    cited = Frame("trace", {"type": "citations", "citations": [{"number": 1, "title": "Pears", "url": made}]})
    out = typed(capsys, kept(f"See [it]({made}).", made), cited)
    assert out == f"See it.\n\nSources\n 1. Pears  {address(NOTE)}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"[[words]](junk)({EVIL})",
        f"[words[]](junk)({EVIL})",
        f"[[words]](junk)[1]\n\n[1]: {EVIL}",
        "[" * 30 + "words" + "]" * 30 + f"({EVIL})" * 30,
        f"[a [b]({EVIL}) c]({READ})",
    ],
)
def test_what_is_left_of_a_link_is_no_other_one(text: str) -> None:
    left = checked(text, [READ], address)
    assert f"]({EVIL})" not in left and "][1]" not in left
    assert checked(left, [READ], address) == left


def test_hostile_text_is_read_in_a_moment() -> None:
    for piece in ("[", "![", "](", "[a](", "`", "``` ", "[a][", "\\", "(", "[a]: <", "[a](((", "\n> [a]:\n"):
        text = piece * (60_000 // len(piece))
        began = time.process_time()
        checked(text, [READ], address)
        readable(text)
        assert time.process_time() - began < 5, piece


def test_code_is_typed_as_it_comes() -> None:
    growing = Growing()
    assert growing.feed("So:\n```py\na[b](c)\nd[") == "So:\n```py\na[b](c)\n"
    assert growing.feed("e](f)\n``") == "d[e](f)\n"
    assert growing.feed("`") == ""
    assert growing.feed("\n[words](x) ") + growing.feed("end") == "```\nwords end"


def typed(capsys: pytest.CaptureFixture[str], *frames: Frame, live: bool = True) -> str:
    transcript = Transcript(address, live=live)
    for frame in frames:
        transcript.show(frame)
    transcript.close()
    return capsys.readouterr().out


def delta(text: str) -> Frame:
    return Frame("delta", {"kind": "text", "text": text})


def kept(text: str, *links: str) -> Frame:
    return Frame("trace", {"type": "text", "text": text, "links": [*links]})


def test_on_a_terminal_the_answer_is_typed_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, delta("Good "), delta("morning."), kept("Good morning.")) == "Good morning.\n"


def test_what_a_broken_stream_left_out_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, delta("Good "), kept("Good morning.")) == "Good morning.\n"


def test_an_answer_that_is_kept_otherwise_is_shown_as_it_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    out = typed(capsys, delta(f"See #/notes/{NOTE} "), kept("See (a note that was not read) "))
    assert out.endswith("\n\nSee (a note that was not read) \n")


def test_a_stop_before_anything_was_asked_says_so() -> None:
    asking = command.Asking(Connection(url=URL, key="k"), session=None, last=False, as_json=False)
    with pytest.raises(Failure, match="before Memex had heard") as stopped:
        asking._stop()
    assert stopped.value.exit_code == INTERRUPTED
