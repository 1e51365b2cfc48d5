"""A world in which a graph run can die at any commit and go on in another process, and a model that goes by rules."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import httpx

from shared.agent.cast import Cast
from shared.agent.ensemble import Ensemble, _told, repeats
from shared.agent.graph_play import GraphPlay
from shared.agent.model import Answer, Delta, Question, ToolCall
from shared.agents import AgentChoices, prompts_of
from shared.chat import turns
from shared.chat.live import Live
from shared.chat.turns import Speaker
from shared.errors import MemexError
from shared.gateway.gateway import Gateway, Policy
from shared.models.base import moment
from shared.models.chat import ChatSession, Decision, GraphRun
from shared.models.graph import VERSION
from shared.models.ids import ulid
from shared.net.guard import Network
from shared.preferences import Choices, choose, preferences
from shared.store.chats import Chats
from shared.store.documents import Documents, Expect, Query, Write
from shared.tools import web
from shared.tools.catalog import built_in
from tests.fakes.desk import Desk, Killed

TENANT = "t"
URL = "https://pears.example/ripe"
ASKED = f"Note a thought, read {URL}, add a task."


@dataclass
class Commits:
    """A store that dies at its n-th commit, before or after it; from then on nothing of the process runs.

    Or one that only refuses it, and takes the next.
    """

    inner: Documents
    at: int | None = None
    after: bool = False
    refuses: bool = False
    count: int = 0
    dead: bool = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)

        async def read(*args: Any, **kwargs: Any) -> Any:
            if self.dead:
                raise Killed
            return await found(*args, **kwargs)

        return read

    async def commit(self, writes: list[Write]) -> None:
        if self.dead:
            raise Killed
        self.count += 1
        if self.refuses and self.count == self.at:
            raise MemexError("The store has no room.", code="store_failed", next="Make room.")
        self.dead = self.count == self.at
        if not self.dead or self.after:
            await self.inner.commit(writes)
        if self.dead:
            raise Killed


@dataclass
class Rules:
    """A model whose answer depends on what it is shown alone, so that every process hears the same from it."""

    questions: list[str] = field(default_factory=list)
    name: str = "rules"

    async def stream(self, question: Question) -> AsyncIterator[Delta | Answer]:
        agent, answer = self._answer(question)
        self.questions.append(agent)
        if answer.text:
            yield Delta("text", answer.text)
        yield answer

    def _answer(self, question: Question) -> tuple[str, Answer]:
        instruction, messages = question.instruction, question.messages
        if "You plan how" in instruction:
            return "planner", Answer("- Do it.", tokens_in=1)
        if "You review a draft" in instruction:
            one = any(message.text == "One." for message in messages if message.role == "model")
            two = any(message.text == "Two." for message in messages if message.role == "model")
            return "critic", Answer("REVISE: not all was done." if one and not two else "OK", tokens_in=1)
        done = {answer.tool for message in messages for answer in message.answers}
        if not done:
            wanted = (
                ToolCall("a", "create_note", {"text": "A thought."}),
                ToolCall("b", "http_fetch", {"url": URL}),
            )
            return "researcher", Answer(calls=wanted, tokens_in=1)
        if not any(message.text == "One." for message in messages):
            return "researcher", Answer("One.", tokens_in=1)
        if "create_tasks" not in done:
            return "researcher", Answer(calls=(ToolCall("c", "create_tasks", {"tasks": [{"title": "Water"}]}),))
        return "researcher", Answer("Two.", tokens_in=1)


class GraphDesk(Desk):
    """The doors of a process that holds conversations, over any store."""

    def __init__(self, home: Any) -> None:
        super().__init__(home, research_paid=False)
        self.fetched: list[str] = []
        self.settles = False
        """Whether somebody looks at the conversation before anything is done, and so closes a dead turn."""
        self.model = Rules()
        self.commits = Commits(self.store)
        self.documents = self.commits

    def born(self, at: int | None = None, after: bool = False, *, refuses: bool = False) -> None:
        """The next process, which dies at that commit, or is only refused it."""
        self.commits = Commits(self.store, at, after, refuses)
        self.documents = self.commits

    async def sleep(self, seconds: float) -> None:
        import asyncio

        await asyncio.Event().wait()

    def busy(self) -> AbstractContextManager[None]:
        return nullcontext()

    def speaker(self) -> Speaker:
        return Speaker(self.documents, TENANT, "me")

    async def session(self) -> str:
        await choose(
            self.store,
            self.settings,
            TENANT,
            Choices(agent_mode="multi", human_gate=True, verifier_check=False),
            self.now(),
        )
        made = ChatSession(id=ulid(self.now()), created_at=moment(self.now()), updated_at=moment(self.now()))
        await self.store.commit([Chats(self.store, TENANT).put(made, Expect.ABSENT)])
        return made.id

    async def ensemble(self, run: GraphRun) -> Ensemble:
        chosen = await preferences(self.store, self.settings, TENANT)
        tools = {**built_in(), **web.tools(Network(self._resolve, httpx.MockTransport(self._page)))}
        told = {name: _told(tool) if repeats(name) else tool for name, tool in tools.items()}
        policy = Policy(None, True, True, tuple(run.allowed_once), None)
        return Ensemble(Cast(self.model, Gateway(told, policy, self.now), chosen), prompts_of(AgentChoices(agents=[])))

    async def _resolve(self, host: str, port: int) -> list[str]:
        return ["93.184.216.34"]

    def _page(self, request: httpx.Request) -> httpx.Response:
        self.fetched.append(str(request.url))
        return httpx.Response(200, headers={"content-type": "text/html"}, text="<title>P</title><p>Ripe.</p>")

    async def begin(self, chat: str) -> None:
        graph = GraphRun(version=VERSION, model="")
        begun = await turns.begin(self.speaker(), chat, ASKED, self.now(), graph=graph)
        await (await self.player(begun)).begin(ASKED)

    async def player(self, begun: Any) -> GraphPlay:
        here: Any = self
        assert begun.run.graph
        return GraphPlay(here, self.speaker(), begun, await self.ensemble(begun.run.graph), Live())

    async def decide(self, run_id: str, decision: Decision) -> None:
        begun, _ = await turns.claim(self.speaker(), run_id, self.now(), decision, version=VERSION)
        await (await self.player(begun)).carry_on()

    async def go_on(self, run_id: str) -> None:
        begun = await turns.go_on(self.speaker(), run_id, self.now(), version=VERSION)
        await (await self.player(begun)).carry_on()

    async def step(self, chat: str) -> str | None:
        """Do what is next in this conversation; how the turn stood before that."""
        if self.settles:
            await turns.settle(self.documents, TENANT, chat, self.now())
        session = (await Chats(self.store, TENANT).get(chat)).value
        if session.turn is None:
            await self.begin(chat)
            return None
        run = (await Chats(self.store, TENANT).run(session.turn.id)).value
        if session.turn.status == "waiting":
            assert run.gate
            await self.decide(run.id, "egress_allow_once" if run.gate.reason == "egress_approval" else "approve")
        elif session.turn.status in ("running", "interrupted", "failed"):
            await self.go_on(run.id)
        return session.turn.status

    async def whole(self, chat: str) -> list[str | None]:
        """Do whatever is next until the turn is done; a death is followed by another process."""
        steps: list[str | None] = []
        while len(steps) < 10:
            try:
                steps.append(await self.step(chat))
            except Killed:
                pass
            except MemexError:
                steps.append("refused")
            if self.commits.dead:
                self.time += 31
                self.born()
                steps.append("died")
            if steps[-1] == "done":
                return steps
        raise AssertionError(f"it never ended: {steps}")

    async def count(self, collection: str) -> int:
        return len(await self.store.query(Query(collection, f"tenants/{TENANT}")))
