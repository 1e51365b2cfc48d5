"""What a run shows at a moment: a pure function of what was asked, what was found and how long it has been going on."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from infra.local.research.modes import MODES, Mode
from infra.local.research.researcher import Finding
from infra.local.research.store import Run
from shared.models.base import JsonDict

NOTHING_FOUND = "Nothing found: no note and no page that was read answers this."
_PIXEL = "iVBORw0KGgo="


def finding_of(run: Run) -> Finding | None:
    """What research found, once it has."""
    return Finding(**run.finding) if run.finding else None  # type: ignore[arg-type]  # it was written by `kept`


def kept(finding: Finding) -> JsonDict:
    """A finding as the store keeps it."""
    return asdict(finding)


def status(run: Run, now: float) -> str:
    """The run's status at this moment."""
    mode = MODES[run.mode]
    elapsed = now - run.created
    if run.cancelled is not None:
        return "cancelled"
    if not mode.ends or elapsed < run.duration * (mode.fails_at if mode.ends == "failed" else 1.0):
        return mode.running
    if mode.ends == "failed":
        return "failed"
    finding = finding_of(run)
    if finding is None:
        return mode.running  # the research itself is not done: the clock alone ends nothing
    if not finding.parts and mode.text == "report":
        # A text that says "nothing" would pass for a report; a failure with its own code can't.
        return "failed"
    return mode.ends


def terminal(word: str) -> bool:
    """Whether nothing follows after this status."""
    return word in ("completed", "failed", "cancelled", "incomplete", "budget_exceeded")


def resource(run: Run, now: float) -> JsonDict:
    """The interaction as GET shows it."""
    mode = MODES[run.mode]
    word = status(run, now)
    ended = terminal(word)
    steps = [step for _, step in _steps(run, mode, word, now)]
    shown: JsonDict = {
        "id": f"{run.id}x" if mode.renamed and ended else run.id,
        "object": "interaction",
        "status": word,
        "agent": run.request.get("agent"),
        "created": _time(run.created),
        "updated": _time(now),
        "steps": list(steps),
    }
    for key in ("agent_config", "labels"):
        if key in run.request:
            shown[key] = run.request[key]
    if word == "failed":
        shown["errors"] = [_error(run, mode)]
    if word in ("completed", "incomplete", "budget_exceeded") and run.looks > mode.usage_after:
        shown["usage"] = _usage()
    if mode.bare and not ended:
        shown["steps"] = []
    return _drifted(shown) if mode.drift else shown


def visible_steps(run: Run, now: float) -> list[JsonDict]:
    """The steps a stream has told of by now; the question itself is none of them."""
    return [step for _, step in _steps(run, MODES[run.mode], status(run, now), now)][1:]


def _steps(run: Run, mode: Mode, word: str, now: float) -> Iterator[tuple[float, JsonDict]]:
    """Each step with the share of the run's time at which it shows; those of the future are left out."""
    passed = (now if run.cancelled is None else min(now, run.cancelled)) - run.created
    share = passed / run.duration if run.duration else 1.0
    if not (mode.bare and word == "failed"):
        for at, step in _work(run, mode):
            if at <= share:
                yield at, step
    if word == "failed":
        if mode.image_bytes:
            yield 1.0, _image(mode.image_bytes)
        yield 1.0, {"type": "model_output", "content": [], "error": _error(run, mode)}
    elif terminal(word) and word != "cancelled":
        yield from ((1.0, step) for step in _output(run, mode))


def _work(run: Run, mode: Mode) -> Iterator[tuple[float, JsonDict]]:
    yield 0.0, {"type": "user_input", "content": [{"type": "text", "text": str(run.request.get("input"))}]}
    if mode.thoughts:
        for number in range(mode.thoughts):
            yield number / mode.thoughts, _thought(f"Step {number + 1}", "Looking further.")
        return
    yield 0.0, _thought("Scoping the question", "Looking for what it asks, and which words would answer it.")
    finding = finding_of(run)
    if finding is None:
        return
    yield 0.2, {"type": "retrieval_call", "id": "c0", "arguments": {"queries": list(finding.queries)}}
    titles = ", ".join(finding.read) or "nothing"
    yield 0.3, {"type": "retrieval_result", "call_id": "c0", "result": [{"title": title} for title in finding.read]}
    for number, page in enumerate(finding.pages, start=1):
        yield 0.4, {"type": "url_context_call", "id": f"c{number}", "arguments": {"urls": [page["url"]]}}
        yield 0.45, {"type": "url_context_result", "call_id": f"c{number}", "result": [page]}
    yield 0.5, _thought("Reading", f"Read {len(finding.read)}: {titles}.")
    yield 0.75, _thought("Writing", f"Topics: {', '.join(finding.topics) or 'none'}.")


def _thought(headline: str, text: str) -> JsonDict:
    return {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": f"**{headline}**\n\n{text}"}]}


def _image(size: int) -> JsonDict:
    data = _PIXEL + "A" * size
    return {"type": "model_output", "content": [{"type": "image", "mime_type": "image/png", "data": data}]}


def _output(run: Run, mode: Mode) -> Iterator[JsonDict]:
    finding = finding_of(run)
    parts = list(finding.parts) if finding else []
    if mode.text == "none":
        parts = []
    elif mode.text == "half":
        parts = parts[: max(1, len(parts) // 2)]
    elif mode.text == "multibyte":
        parts = _multibyte()
    for number, part in enumerate(parts):
        if number == 1 and mode.image_bytes:
            yield _image(mode.image_bytes)
        yield {"type": "model_output", "content": [part]}
    if mode.image_bytes and len(parts) < 2:
        yield _image(mode.image_bytes)


def _multibyte() -> list[JsonDict]:
    said = "Zettelkästen wären älter – 知識 bleibt."
    text = f"# Über Zettel\n\n{said}"
    start = len("# Über Zettel\n\n".encode())
    note: JsonDict = {
        "type": "url_citation",
        "url": "https://beispiel.example.test/zettel",
        "title": "Zettel",
        "start_index": start,
        "end_index": start + len(said.encode()),
    }
    return [{"type": "text", "text": text, "annotations": [note]}]


def _error(run: Run, mode: Mode) -> JsonDict:
    if mode.ends != "failed":
        return {"code": "no_sources", "message": _nothing_found(finding_of(run))}
    return {"code": mode.code, "message": mode.message}


def _nothing_found(finding: Finding | None) -> str:
    """Why there is no report. It tells of the pages that were not read, too: they may be where the answer is."""
    from shared.research.extract.unread import brief

    unread = [brief(told) for told in finding.unread] if finding else []
    return f"Nothing found. {' '.join(unread)}" if unread else NOTHING_FOUND


def _usage() -> JsonDict:
    """Our own research uses no model: nothing is counted because nothing was."""
    return {"total_input_tokens": 0, "total_output_tokens": 0, "total_thought_tokens": 0, "total_tokens": 0}


def _drifted(shown: JsonDict) -> JsonDict:
    odd: list[JsonDict] = [
        {"type": "hologram", "projection": {"depth": 3}},
        {"type": "thought", "summary": None},
        {"type": "model_output", "content": [{"type": "scent", "molecules": []}, {"type": "text", "text": None}]},
    ]
    if not terminal(str(shown["status"])):
        return shown | {"steps": None, "mood": "curious"}
    steps = shown["steps"]
    return shown | {"steps": [*odd, *(steps if isinstance(steps, list) else [])], "usage": None}


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
