"""The engine: creates executions, runs them, resumes them after a restart. It answers for no transport."""

import asyncio
import contextvars
import logging
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import httpx

from infra.local.clock import Clock
from infra.local.workflow.deployments import Deployments
from infra.local.workflow.errors import InvalidArgument, LoadError, NotFound, Precondition, Raised
from infra.local.workflow.machine import Machine
from infra.local.workflow.outside import Connector, Outside
from infra.local.workflow.records import Deployment, Execution, ExecutionError, Page, StepEntry
from infra.local.workflow.report import context_of, payload_of, positions_of, stack_of
from infra.local.workflow.runner import Runner
from infra.local.workflow.snapshot import SnapshotError, dump
from infra.local.workflow.snapshot import load as load_snapshot
from infra.local.workflow.state import Failed, Outcome, Returned, Thread
from infra.local.workflow.store import NewRow, Row, Store
from infra.local.workflow.values import from_json, to_json

MAX_ARGUMENT = 32 * 1024
MAX_LABELS = 64
MAX_PAGE = 1_000
DEFAULT_PAGE = 100
KEEP_SECONDS = 7 * 24 * 3600.0
STORE_RETRY_SECONDS = 2.0
STEPS_PER_SAVE = 50

_LOG_LEVELS = ("CALL_LOG_LEVEL_UNSPECIFIED", "LOG_ALL_CALLS", "LOG_ERRORS_ONLY", "LOG_NONE")
_NEWEST = 2**62

logger = logging.getLogger(__name__)


class _Live:
    """An execution that this process runs."""

    def __init__(self, row: Row, machine: Machine, thread: Thread, ended: asyncio.Event | None = None) -> None:
        self.row = row
        self.machine = machine
        self.thread = thread
        self.task: asyncio.Task[None] | None = None
        self.ended = ended or asyncio.Event()


class Engine:
    """Cloud Workflows for one project and location, on one folder."""

    def __init__(
        self,
        folder: Path,
        definitions: Mapping[str, str],
        client: httpx.AsyncClient,
        clock: Clock,
        *,
        sign: Callable[[str], str],
        project: str,
        location: str,
        env: Mapping[str, Mapping[str, str]] | None = None,
        connectors: Mapping[str, Connector] | None = None,
        steps_per_save: int = STEPS_PER_SAVE,
    ) -> None:
        """Load the definitions (source by workflow name; raises LoadError) and open the store.

        `env` holds each workflow's user environment variables, `sign` makes the token of an OIDC call for an
        audience, `connectors` stand in for `googleapis.*` calls.
        """
        self.clock = clock
        self.project = project
        self.location = location
        self._deployments = Deployments(definitions, env or {}, connectors or {}, project, location)
        self._outside = Outside(client, sign, connectors or {})
        self._steps_per_save = steps_per_save
        self._store = Store(folder)
        self._deployments.register(self._store, clock.now())
        self._live: dict[str, _Live] = {}

    # Life

    async def start(self) -> None:
        """Forget what is old, and go on with every execution that had not ended."""
        self._store.purge(self.clock.now() - KEEP_SECONDS)
        for row in self._store.active():
            if row.id not in self._live:
                self._resume(row)

    async def stop(self) -> None:
        """Stop where everything stands; `start` of a new engine on the same folder goes on from there."""
        live, self._live = self._live, {}
        tasks = [one.task for one in live.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._store.close()

    # Workflows

    def workflows(self) -> Sequence[Deployment]:
        """List the workflows, by name."""
        return self._deployments.list()

    def workflow(self, name: str) -> Deployment:
        """Return one workflow; raises NotFound."""
        return self._deployments.show(name)

    def environment(self, workflow: str) -> Mapping[str, str]:
        """Return a workflow's user environment variables."""
        return self._deployments.environment(workflow)

    # Executions

    async def create(
        self,
        workflow: str,
        argument: str = "null",
        *,
        call_log_level: str = "CALL_LOG_LEVEL_UNSPECIFIED",
        labels: Mapping[str, str] | None = None,
    ) -> Execution:
        """Begin an execution; `argument` is JSON. It is stored for good when this returns."""
        definition = self._deployments.find(workflow)
        argument = argument or "null"
        try:
            size = len(argument.encode())
            value = from_json(argument) if size <= MAX_ARGUMENT else None
        except ValueError:
            raise InvalidArgument("the argument is not valid JSON") from None
        if size > MAX_ARGUMENT:
            raise InvalidArgument(f"the argument is longer than {MAX_ARGUMENT // 1024} KB")
        if call_log_level not in _LOG_LEVELS:
            raise InvalidArgument("unknown call log level")
        if len(labels or {}) > MAX_LABELS:
            raise InvalidArgument(f"more than {MAX_LABELS} labels")
        execution_id = str(uuid.uuid4())
        machine = self._deployments.machine(definition, execution_id, self.clock.now)
        thread = machine.begin(value)
        self._store.create(
            NewRow(
                execution_id,
                workflow,
                definition.revision,
                argument,
                self.clock.now(),
                dump(thread),
                call_log_level,
                dict(labels or {}),
            ),
            definition.source,
        )
        row = self._row(execution_id)
        self._launch(_Live(row, machine, thread))
        return self._execution(row)

    def get(self, execution_id: str, *, workflow: str | None = None) -> Execution:
        """Return an execution as it is now."""
        return self._execution(self._row(execution_id, workflow))

    def list(
        self,
        workflow: str | None = None,
        *,
        states: Iterable[str] = (),
        page_size: int = DEFAULT_PAGE,
        page_token: str = "",
    ) -> Page:
        """Return executions, newest first."""
        if workflow is not None:
            self._deployments.find(workflow)
        if page_size < 0:
            raise InvalidArgument("the page size is negative")
        if page_token and not (page_token.isascii() and page_token.isdigit()):
            raise InvalidArgument("unknown page token")
        before = min(int(page_token), _NEWEST) if page_token else _NEWEST
        size = min(page_size or DEFAULT_PAGE, MAX_PAGE)
        rows = self._store.page(workflow, states, before, size + 1)
        token = str(rows[size - 1].number) if len(rows) > size else ""
        return Page(tuple(map(self._execution, rows[:size])), token)

    async def cancel(self, execution_id: str, *, workflow: str | None = None) -> Execution:
        """End an execution where it stands; none of its `except` blocks run."""
        row = self._row(execution_id, workflow)
        if row.state != "ACTIVE":
            raise Precondition("the execution has already ended")
        live = self._live.pop(execution_id, None)
        positions = positions_of(live.thread) if live else ()
        self._store.finish(row.number, "CANCELLED", self.clock.now(), positions=positions)
        if live is not None:
            if live.task is not None:
                live.task.cancel()
                await asyncio.gather(live.task, return_exceptions=True)
            live.ended.set()
        return self.get(execution_id)

    async def wait(self, execution_id: str) -> Execution:
        """Return an execution once it has ended."""
        live = self._live.get(execution_id)
        if live is not None:
            await live.ended.wait()
        return self.get(execution_id)

    def step_entries(
        self,
        execution_id: str,
        *,
        workflow: str | None = None,
        skip: int = 0,
        page_size: int = DEFAULT_PAGE,
        newest_first: bool = False,
    ) -> tuple[Sequence[StepEntry], int]:
        """Return some of the steps that were run, and how many there are."""
        row = self._row(execution_id, workflow)
        if skip < 0 or page_size < 0:
            raise InvalidArgument("skip and the page size can't be negative")
        size = min(page_size or DEFAULT_PAGE, MAX_PAGE)
        entries = self._store.entries(row.number, skip=skip, size=size, newest_first=newest_first)
        return entries, self._store.count_entries(row.number)

    def step_entry(self, execution_id: str, entry: int, *, workflow: str | None = None) -> StepEntry:
        """Return one of the steps that were run."""
        row = self._row(execution_id, workflow)
        found = self._store.entry(row.number, entry)
        if found is None:
            raise NotFound(f"step entry {entry} not found")
        return found

    def skip_sleep(self, execution_id: str) -> float:
        """Move the clock to the end of an execution's current sleep; return by how many seconds.

        The clock moves for everyone: ending one sleep alone would let `sys.now` and `sys.sleep` disagree.
        """
        row = self._row(execution_id)
        live = self._live.get(row.id)
        wakes = [one.wake for one in positions_of(live.thread) if one.wake is not None] if live else []
        if not wakes:
            raise Precondition("the execution is not asleep")
        seconds = max(min(wakes) - self.clock.now(), 0.0)
        self.clock.advance(seconds)
        return seconds

    # Running

    def _resume(self, row: Row, ended: asyncio.Event | None = None) -> None:
        saved = self._store.saved(row.number)
        try:
            workflow = self._deployments.older(row.workflow, row.revision, self._store)
            machine = self._deployments.machine(workflow, row.id, self.clock.now)
            thread = load_snapshot(saved.thread, workflow, machine.memory)
        except (LoadError, SnapshotError, NotFound, Raised) as error:
            problem = Raised.tagged("SystemError", f"can't go on after the restart: {error}")
            self._store.finish(row.number, "FAILED", self.clock.now(), error=_error(problem))
            return
        machine.steps, machine.billed, machine.open = saved.steps, saved.billed, saved.open_entries
        self._launch(_Live(row, machine, thread, ended))

    def _launch(self, live: _Live) -> None:
        self._live[live.row.id] = live
        # A context of its own: the caller's must neither be kept alive nor take part in this one's waiting.
        live.task = asyncio.get_running_loop().create_task(
            self._run(live), name=f"execution {live.row.id}", context=contextvars.Context()
        )

    async def _run(self, live: _Live) -> None:
        machine, number = live.machine, live.row.number

        def save() -> None:
            self._store.save(number, machine.steps, machine.billed, dump(live.thread), machine.journal.values())
            machine.journal.clear()

        runner = Runner(machine, live.thread, self.clock, self._outside, save, steps_per_save=self._steps_per_save)
        try:
            outcome = await runner.run()
        except sqlite3.Error as error:
            await self._go_on_later(live, error)
            return
        except Exception as error:
            # The message may quote content, so the log has the type alone; the execution has the rest.
            logger.error("execution %s stopped by a fault of the engine: %s", live.row.id, type(error).__name__)
            outcome = Failed(Raised.tagged("SystemError", f"internal error: {type(error).__name__}: {error}"))
        try:
            self._finish(live, outcome)
        except sqlite3.Error as error:
            await self._go_on_later(live, error)

    async def _go_on_later(self, live: _Live, error: sqlite3.Error) -> None:
        """The store failed (a full disk, say): take the execution up again from where it was stored last."""
        while live.row.id in self._live:
            logger.error("execution %s can't be stored: %s", live.row.id, type(error).__name__)
            # In real time: the disk's trouble does not end sooner on a virtual clock.
            await asyncio.sleep(STORE_RETRY_SECONDS)
            try:
                self._resume(live.row, live.ended)
            except sqlite3.Error as again:
                error = again
            else:
                return

    def _finish(self, live: _Live, outcome: Outcome) -> None:
        machine = live.machine
        result, error = _result_or_error(outcome)
        self._store.finish(
            live.row.number,
            "FAILED" if error else "SUCCEEDED",
            self.clock.now(),
            result=result,
            error=error,
            positions=machine.last,
            steps=machine.steps,
            billed=machine.billed,
            entries=machine.journal.values(),
        )
        self._live.pop(live.row.id, None)
        live.ended.set()

    def _row(self, execution_id: str, workflow: str | None = None) -> Row:
        row = self._store.find(execution_id)
        if row is None or (workflow is not None and row.workflow != workflow):
            raise NotFound(f"execution {execution_id} not found")
        return row

    def _execution(self, row: Row) -> Execution:
        live = self._live.get(row.id)
        return Execution(
            row.id,
            f"{self._deployments.full_name(row.workflow)}/executions/{row.id}",
            row.workflow,
            row.revision,
            row.state,
            row.argument,
            row.created,
            row.ended,
            row.result,
            row.error,
            positions_of(live.thread) if live else row.positions,
            live.machine.billed if live else row.billed,
            row.log_level,
            row.labels,
        )


def _result_or_error(outcome: Outcome) -> tuple[str | None, ExecutionError | None]:
    if isinstance(outcome, Returned):
        try:
            return to_json(outcome.value), None
        except ValueError as error:
            return None, _error(Raised.tagged("TypeError", f"the result can't be encoded as JSON: {error}"))
    return None, _error(outcome.error)


def _error(error: Raised) -> ExecutionError:
    return ExecutionError(payload_of(error.value), context_of(error), stack_of(error))
