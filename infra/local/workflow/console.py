"""The console: executions as plain HTML under /console. It shows what the engine knows, and changes nothing but cancel.

The routes authorise nobody: the host wraps them.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from infra.local.workflow.engine import Engine
from infra.local.workflow.errors import ApiError
from infra.local.workflow.records import Execution, StepEntry
from infra.local.workflow.timestamps import rfc3339

PREFIX = "/console"
_PAGE = 50
_ENTRIES = 200
_WORD = 40
"""Characters of a result that is a word, and is shown as one."""
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_LEGEND = "An execution has succeeded when it ran to its end; its outcome is what became of the operation."
_FILES = {"console.css": "text/css", "console.js": "text/javascript"}
_BACK = f'<p><a href="{PREFIX}">All executions</a></p>'
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def routes(engine: Engine) -> Sequence[Route]:
    """List the routes."""
    console = _Console(engine)
    files = [Route(f"{PREFIX}/{name}", _file(name), methods=["GET"]) for name in _FILES]
    return [
        *files,
        Route(PREFIX, console.executions, methods=["GET"]),
        Route(f"{PREFIX}/executions/{{execution}}", console.execution, methods=["GET"]),
        Route(f"{PREFIX}/executions/{{execution}}/cancel", console.cancel, methods=["POST"]),
        Route(f"{PREFIX}{{path:path}}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]


async def _unknown(request: Request) -> Response:
    if request.url.path == f"{PREFIX}/":
        return RedirectResponse(PREFIX, headers=_HEADERS)
    return _page("Not found", f"<p>The console has no such page.</p>{_BACK}", status=404)


class _Console:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def executions(self, request: Request) -> Response:
        workflow = request.query_params.get("workflow") or None
        token = request.query_params.get("page", "")
        try:
            page = self._engine.list(workflow, page_size=_PAGE, page_token=token)
        except ApiError as problem:
            return _problem(problem)
        names = [one.workflow for one in self._engine.workflows()]
        parts = [_filter(names, workflow)]
        if page.executions:
            head = ("State", "Outcome", "Workflow", "Execution", "Started", "Took", "Step", "Billed steps")
            parts.append(_table("Executions, newest first", head, map(self._row, page.executions)))
            parts.append(f"<p>{_LEGEND}</p>")
        else:
            parts.append("<p>No executions yet. One begins when a note asks for research.</p>")
        if page.next_token:
            query = urlencode({"workflow": workflow or "", "page": page.next_token})
            parts.append(f'<p><a href="{PREFIX}?{escape(query)}">Older executions</a></p>')
        live = any(one.state == "ACTIVE" for one in page.executions)
        return _page("Executions", "".join(parts), live=live)

    def _row(self, one: Execution) -> Sequence[str]:
        return (
            _state(one.state),
            _outcome(one),
            escape(one.workflow),
            f'<a href="{PREFIX}/executions/{escape(one.id)}"><code>{escape(one.id)}</code></a>',
            _time(one.created),
            self._took(one),
            escape(", ".join(position.step for position in one.positions)),
            f'<span class="number">{one.billed_steps}</span>',
        )

    async def execution(self, request: Request) -> Response:
        newest = request.query_params.get("order") != "oldest"
        try:
            one = self._engine.get(request.path_params["execution"])
            entries, total = self._engine.step_entries(one.id, page_size=_ENTRIES, newest_first=newest)
        except ApiError as problem:
            return _problem(problem)
        body = self._summary(one) + _documents(one) + self._steps(one, entries, total, newest=newest)
        return _page(f"{one.workflow}, {one.id[:8]}", body, live=one.state == "ACTIVE")

    def _summary(self, one: Execution) -> str:
        facts = [
            ("State", f'<span role="status">{_state(one.state)}</span>'),
            *([("Outcome", outcome)] if (outcome := _outcome(one)) else []),
            ("Execution", f"<code>{escape(one.id)}</code>"),
            ("Workflow", f"{escape(one.workflow)}, revision <code>{escape(one.revision)}</code>"),
            ("Started", _time(one.created)),
            ("Took", self._took(one)),
            ("Billed steps", str(one.billed_steps)),
            ("Current step" if one.state == "ACTIVE" else "Last step", self._positions(one)),
        ]
        cancel = ""
        if one.state == "ACTIVE":
            action = f"{PREFIX}/executions/{escape(one.id)}/cancel"
            cancel = f'<form method="post" action="{action}"><button type="submit">Cancel execution</button></form>'
        rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
        return f"{_BACK}<dl>{rows}</dl>{cancel}"

    def _positions(self, one: Execution) -> str:
        shown = []
        for position in one.positions:
            wake = "" if position.wake is None else f", sleeps until {_time(position.wake)}"
            shown.append(f"{escape(position.routine)} / {escape(position.step)}{wake}")
        return "<br>".join(shown) or "none"

    def _steps(self, one: Execution, entries: Sequence[StepEntry], total: int, *, newest: bool) -> str:
        if not entries:
            return "<h2>Steps</h2><p>No step has been stored yet.</p>"
        shown = f"{len(entries)} of {total}, {'newest' if newest else 'oldest'} first"
        other = "oldest" if newest else "newest"
        link = f'<p><a href="{PREFIX}/executions/{escape(one.id)}?order={other}">Show the {other} first</a></p>'
        head = ("No.", "State", "Routine", "Step", "Type", "Began", "Took", "Note")
        return f"<h2>Steps</h2>{link}" + _table(f"Steps: {shown}", head, map(_step_row, entries))

    async def cancel(self, request: Request) -> Response:
        execution = request.path_params["execution"]
        try:
            await self._engine.cancel(execution)
        except ApiError as problem:
            return _problem(problem)
        return RedirectResponse(f"{PREFIX}/executions/{execution}", status_code=303, headers=_HEADERS)

    def _took(self, one: Execution) -> str:
        return _duration((one.ended or self._engine.clock.now()) - one.created)


def _outcome(one: Execution) -> str:
    """What the execution came to, and where the client shows the operation that it drove; empty where neither is."""
    word = _parsed(one.result)
    shown = _state(word) if isinstance(word, str) and 0 < len(word) <= _WORD else ""
    argument = _parsed(one.argument)
    operation = argument.get("operation_id") if isinstance(argument, dict) else None
    if not isinstance(operation, str) or not _ID.fullmatch(operation):
        return shown
    return f'<a href="/#/operations/{operation}">operation</a> {shown}'.strip()


def _parsed(text: str | None) -> object:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None


def _step_row(entry: StepEntry) -> Sequence[str]:
    note = escape(entry.note or "")
    if entry.exception:
        note += f"{'<br>' if note else ''}<code>{escape(entry.exception[:1_000])}</code>"
    return (
        f'<span class="number">{entry.id}</span>',
        _state(entry.state.removeprefix("STATE_")),
        escape(entry.routine),
        escape(entry.step),
        escape(entry.type.removeprefix("STEP_").replace("_", " ").lower()),
        _time(entry.created),
        _duration(entry.updated - entry.created) if entry.state != "STATE_IN_PROGRESS" else "",
        note,
    )


def _documents(one: Execution) -> str:
    parts = [_document("Argument", one.argument)]
    if one.result is not None:
        parts.append(_document("Result", one.result))
    if one.error is not None:
        parts.append(_document("Error", one.error.payload))
        parts.append(f"<pre>{escape(one.error.context)}</pre>")
    return "".join(parts)


def _document(title: str, text: str) -> str:
    try:
        shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        shown = text
    return f"<h2>{title}</h2><pre>{escape(shown)}</pre>"


def _filter(names: Sequence[str], chosen: str | None) -> str:
    options = "".join(
        f'<option value="{escape(name)}"{" selected" if name == chosen else ""}>{escape(name)}</option>'
        for name in names
    )
    return (
        f'<form method="get" action="{PREFIX}"><label for="workflow">Workflow</label> '
        f'<select id="workflow" name="workflow"><option value="">all</option>{options}</select> '
        '<button type="submit">Show</button></form>'
    )


def _table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    titles = "".join(f'<th scope="col">{title}</th>' for title in head)
    # Where there is no room for a table each row is a list, and each cell says what it is.
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td data-title="{title}">{f"<div>{cell}</div>" if cell else ""}</td>'
            for title, cell in zip(head, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    # Focusable, so that a keyboard can scroll a table that is wider than the window.
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _state(state: str) -> str:
    return f'<span class="state {escape(state.lower())}">{escape(state.replace("_", " ").lower())}</span>'


def _time(seconds: float) -> str:
    full = rfc3339(seconds)
    return f'<time datetime="{full}" title="{full}">{full[:10]} {full[11:19]}</time>'


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if seconds < 10:
        text = f"{max(seconds, 0.0):.3f} s"
    elif hours:
        text = f"{hours} h {minutes:02} min"
    else:
        text = f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    return f'<span class="number">{text}</span>'


def _page(title: str, body: str, *, live: bool = False, status: int = 200) -> Response:
    heading = escape(title)
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{heading} - Memex workflows</title>"
        f'<link rel="stylesheet" href="{PREFIX}/console.css">'
        f'<script src="{PREFIX}/console.js" defer></script></head>'
        f"<body><main{' data-live' if live else ''}><h1>{heading}</h1>{body}</main></body></html>",
        status_code=status,
        headers=_HEADERS,
    )


def _problem(problem: ApiError) -> Response:
    return _page("Not possible", f"<p>{escape(str(problem))}</p>{_BACK}", status=problem.status)


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    content = (Path(__file__).parent / name).read_text("utf-8")

    async def serve(_: Request) -> Response:
        return Response(content, media_type=_FILES[name], headers={**_HEADERS, "Cache-Control": "no-cache"})

    return serve
