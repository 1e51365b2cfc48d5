"""One turn of the single agent, played: the seed, the loop, every call through the gateway, and one end."""

from shared.agent.model import Message, Question, ToolCall
from shared.agent.prompt import instruction, request
from shared.agent.replay import replay
from shared.agent.turn import Played
from shared.events.trace import User
from shared.models.base import moment
from shared.models.chat import Decision, Gate


class Play(Played):
    """A turn in this process: `begin` or `go_on` plays it to its end or its next gate, once.

    Neither raises: what goes wrong is an event of the turn, and a turn whose lease is lost is another's business.
    """

    async def begin(self, text: str) -> None:
        """Answer a person's message."""

        async def work() -> None:
            past, interpreted = await self._seed(text)
            await self._answer((*past, request(text, interpreted)))

        await self._watched(work())

    async def go_on(self, gate: Gate, decision: Decision) -> None:
        """Do as the person decided about the call that waits, then go on."""

        async def work() -> None:
            await self._recall()
            first = gate.pending[0]
            call = ToolCall(first.call_id, first.tool, first.arguments)
            await self._calls.decided(call, allowed=decision == "approve")
            self._calls.pending = gate.pending[1:]
            if self._calls.pending:
                return
            events = await self._events()
            asked = next((event.text for event in events if isinstance(event, User)), "")
            past = (*await self._remembered(asked), *await self._past(before=self._first_seq))
            await self._answer((*past, *replay(events)))

        await self._watched(work())

    async def _answer(self, messages: tuple[Message, ...]) -> None:
        settings = self._cast.preferences
        question = Question(
            instruction(moment(self._services.now()), settings.time_zone),
            messages,
            self._cast.gateway.specs(),
            think=settings.think,
        )
        await self._loop(question, self._calls.act)
