"""One turn of several agents, played: the graph from its beginning or its last checkpoint to an end or a gate."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from pydantic import ValidationError

from shared.agent import loop
from shared.agent.checkpoint import Checkpoint
from shared.agent.graph import board_of, is_boundary, perform, shape_of
from shared.agent.model import Answer, Delta, Message, Question
from shared.agent.prompt import dateline, request
from shared.agent.retrieval import Source
from shared.agent.stage import Stage
from shared.agent.troupe import Troupe
from shared.events.trace import User, cut
from shared.log import described
from shared.models.activity import Activity
from shared.models.base import moment
from shared.models.chat import Gate, GraphRun, TurnStatus
from shared.models.graph import Shape
from shared.models.ids import derived
from shared.preferences import allow_host
from shared.store.activity import Activities
from shared.store.documents import Write

ANSWER_BYTES = 40_000
"""Of an answer that waits for a person's word: it stands in an event beside the critique."""

log = logging.getLogger("memex.agent")


class GraphPlay(Troupe):
    """A turn in this process: `begin` or `carry_on` plays it to its end or its next gate, once. Neither raises."""

    _stage: Stage | None = None
    _checkpoint: Checkpoint | None = None

    async def begin(self, text: str) -> None:
        """Answer a person's message."""

        async def work() -> None:
            (past, interpreted), sources = await asyncio.gather(self._seed(text), self.wire())
            await self._perform(self._new_checkpoint(), past, text, interpreted, sources)

        await self._watched(work())

    async def carry_on(self) -> None:
        """Go on from what is stored: after a person's word, or after a process that died."""

        async def work() -> None:
            checkpoint = self._new_checkpoint()
            _, events = await asyncio.gather(checkpoint.load(), self._events())
            await self._close_looks(events)
            await self._allow_always()
            text = next((event.text for event in events if isinstance(event, User)), "")
            interpreted = await self._interpreted()
            await self._recall()
            if checkpoint.session.events or interpreted is not None:
                past = (*await self._remembered(text), *await self._past(before=self._first_seq))
            else:
                past, interpreted = await self._seed(text)
            await self._perform(checkpoint, past, text, interpreted or "")

        await self._watched(work())

    def _pieces(self, question: Question, act: loop.Act, max_calls: int) -> AsyncIterator[Delta | Answer]:
        return loop.run(self._cast.model, question, act, max_calls=max_calls, name_call=self._name_call)

    def _new_checkpoint(self) -> Checkpoint:
        speaker = self._speaker
        return Checkpoint(
            speaker.documents, speaker.tenant, self._run.id, boundary=is_boundary, store=self._store_boundary
        )

    async def _perform(
        self,
        checkpoint: Checkpoint,
        past: tuple[Message, ...],
        text: str,
        interpreted: str,
        sources: tuple[Source, ...] | None = None,
    ) -> None:
        settings = self._cast.preferences
        self._checkpoint = checkpoint
        self._stage = Stage(
            hands=self,
            model=self.model,
            offline=self._cast.offline,
            think=settings.think,
            context_tokens=settings.context_tokens,
            prompts=self._prompts,
            dateline=lambda: dateline(moment(self._services.now()), settings.time_zone),
            past=past,
            request=request(text, interpreted),
            asked=interpreted or text,
            wired=sources,
        )
        shape = shape_of(checkpoint) or Shape(
            sources=bool(await self._stage.sources()),
            accurate=settings.accuracy_mode == "accurate",
            human_gate=settings.human_gate,
            durable=True,
            check=settings.verifier_check,
        )
        await perform(self._stage, checkpoint, shape, self._answered())

    def _answered(self) -> dict[str, str]:
        """The interrupt at which the run waited, and the person's word."""
        graph = self._run.graph
        if graph is None or graph.word is None or graph.gate is None:
            return {}
        return {graph.gate.interrupt: graph.word}

    async def _store_boundary(self, writes: list[Write]) -> None:
        """A node's end: what it told, and where the run stands, in one commit, while the next node already thinks.

        Nothing that comes later is stored without it, so that a death before looks like one before the node's end.
        """
        told, beside = self._taken()
        self._record.soon(*told, also=[*beside, *writes])

    def _taken(self) -> tuple[list[dict[str, object]], list[Write]]:
        told, beside = self._told, self._beside
        self._told, self._beside = [], []
        return told, beside

    # -- always allowing a host

    async def _allow_always(self) -> None:
        """Put the host of the gate on the tenant's list, once; the gate's own, whatever was sent."""
        graph = self._run.graph
        if graph is None or graph.gate is None or graph.word != "egress_allow_always":
            return
        host, call = graph.gate.pending[0].blocked_host, graph.gate.pending[0]
        documents, tenant, now = self._speaker.documents, self._speaker.tenant, self._services.now()
        entry = Activity(
            id=derived(self._run.id, "allow", call.call_id, host),
            at=moment(now),
            subject=self._speaker.subject,
            session_id=self._session.id,
            run_id=self._run.id,
            call_id=call.call_id,
            tool=call.tool,
            class_="external",
            decision="approved",
            arguments={"allowed_host": host},
            code="egress_allow_always",
        )
        told = Activities(documents, tenant).put(entry)
        try:
            await allow_host(documents, self._services.settings, tenant, host, now, told)
        except ValidationError as wrong:
            # It goes for this run all the same.
            log.warning("a host could not be kept: %s", described(wrong))
            await self._record.add({"type": "error", "code": "host_not_kept", "message": _NOT_KEPT})

    # -- the end

    async def _played(self) -> None:
        stage = self._stage
        assert stage
        if stage.suspended:
            board = board_of(self._checkpoint) if self._checkpoint else None
            assert board
            reason = stage.suspended.reason
            checked = self.cited(board.draft) if reason == "approve_answer" else None
            answer, links = (cut(checked.text, ANSWER_BYTES), checked.links) if checked else ("", [])
            self._calls.pending = stage.suspended.pending
            gate = self._gate(reason, answer, cut(board.critique, 10_000) if answer else "")
            await self._suspend(gate.model_copy(update={"interrupt": stage.suspended.id, "links": links}))
        elif stage.ended and stage.ended.accepted is False:
            await self._end([{"type": "error", "code": "declined", "message": _REJECTED}], "cancelled")
        else:
            assert stage.ended
            self._final = Answer(stage.ended.draft)
            await self._finish()

    async def _end(
        self,
        drafts: Sequence[dict[str, object]],
        status: TurnStatus,
        *,
        gate: Gate | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        told, beside = self._taken()
        kept: list[Write] = []
        if self._reached(status) and self._checkpoint:
            kept = self._checkpoint.writes()
        else:
            # What a node that did not end would have told is told when it runs again.
            told = []
        await super()._end([*told, *drafts], status, gate=gate, also=[*also, *beside, *kept])

    def _reached(self, status: TurnStatus) -> bool:
        """Whether the graph came to its end, or to a gate, and that is what is stored.

        Where storing it failed, the run stands where it stood before, the person's word included, and can go on.
        """
        over = self._stage is not None and (self._stage.suspended is not None or self._stage.ended is not None)
        return over and status != "failed"

    def _graph_after(self, status: TurnStatus) -> GraphRun | None:
        graph = self._run.graph
        if graph is None or not self._reached(status):
            return graph
        return graph.model_copy(update={"word": None, "gate": None})


_REJECTED = "You did not accept this answer, so it does not count. Ask again, and say what should be different."
_NOT_KEPT = "The host could not be put on the list of allowed hosts; it is allowed in this answer alone."
