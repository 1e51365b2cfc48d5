"""A product without its host, with the stand-in for the memory service behind its own client."""

from pathlib import Path
from typing import Any

from infra.local.clock import VirtualClock
from infra.local.folder import Folder
from infra.local.inside import URL
from infra.local.services import LocalServices
from shared.chat import sessions
from shared.chat.turns import Speaker, begin
from shared.config import Settings
from shared.memory import steps
from shared.memory.recall import Recalled, recall
from shared.memory.remember import remember
from shared.models.base import moment
from shared.models.ids import derived, ulid
from shared.models.operation import Operation
from shared.operations.dispatch import dispatch
from shared.operations.step import Polling
from shared.preferences import preferences
from shared.store.chats import Chats
from shared.store.operations import Operations
from tests.fakes.desk import ListedExecutions
from tests.infra.local.memory.standin import Standin

TENANT = "default"


class World:
    """People who talk, and what is remembered of them."""

    def __init__(self, folder: Path, services: LocalServices | None = None, **settings: Any) -> None:
        """With `services`, in theirs; else in some of its own, with memory on unless `settings` say otherwise."""
        if services is None:
            home = Folder(folder / "data")
            chosen = {"memory_enabled": True, **settings}
            made = Settings(
                project="p", region="l", device_keys_file=str(home.device_keys_file), functions_url=URL, **chosen
            )
            services = LocalServices(made, home, VirtualClock())
        assert isinstance(services.clock, VirtualClock)
        self.services, self.clock = services, services.clock
        self.bank = Standin(folder, self.clock)
        self.executions = ListedExecutions()
        self.services.__dict__["executions"] = self.executions
        self.services.__dict__["memory"] = self.bank.client
        self.services.connect_bus([])

    async def aclose(self) -> None:
        await self.services.close()
        await self.bank.aclose()

    async def says(self, text: str, subject: str = "sam", *, incognito: bool = False) -> tuple[str, str]:
        """A turn in a conversation of its own: the ids of session and turn."""
        self.clock.advance(1)
        documents, now = self.services.documents, self.services.now()
        session = await sessions.begin(
            documents, TENANT, now, subject=subject, title=None, incognito=incognito, key=None
        )
        begun = await begin(Speaker(documents, TENANT, subject), session.id, text, now)
        return session.id, begun.run.id

    async def asks_to_remember(self, session_id: str, turn: str) -> Operation | None:
        """What happens at the end of a turn."""
        documents, now = self.services.documents, self.services.now()
        session = (await Chats(documents, TENANT).get(session_id)).value
        mine = await preferences(documents, self.services.settings, TENANT)
        writes = remember(documents, TENANT, session, turn, mine, now)
        await documents.commit(writes)
        return await self.operation(derived(turn, "memory")) if writes else None

    async def started(self, text: str, subject: str = "sam") -> tuple[Operation, Polling]:
        """A turn whose operation has its slot, and what its execution sends."""
        operation = await self.asks_to_remember(*await self.says(text, subject))
        assert operation
        await dispatch(self.services, TENANT)
        execution = (await self.operation(operation.id)).execution
        assert execution
        request = Polling(
            tenant=TENANT, operation_id=operation.id, execution_id=execution.rpartition("/")[2], poll_seconds=5
        )
        return operation, request

    async def driven(self, request: Polling, most: int = 400) -> list[str]:
        """What the workflow does: every status on the way."""
        answer = await steps.generate(self.services, request)
        seen: list[str] = [answer.status]
        for _ in range(most):
            if answer.status == "running":
                self.clock.advance(max(1, answer.wait_seconds))
                answer = await steps.poll(self.services, request)
            elif answer.status == "ready":
                answer = await steps.reconcile(self.services, request)
            else:
                break
            seen.append(answer.status)
        return seen

    async def remembers(self, text: str, subject: str = "sam") -> Operation:
        """A turn, and what was made of it."""
        operation, request = await self.started(text, subject)
        await self.driven(request)
        return await self.operation(operation.id)

    async def operation(self, operation_id: str) -> Operation:
        return (await Operations(self.services.documents, TENANT).get(operation_id)).value

    async def recalls(self, question: str, subject: str = "sam") -> Recalled:
        """What a new turn of a person may know."""
        self.clock.advance(1)
        return await recall(self.services, TENANT, subject, question, ulid(self.services.now()))

    async def used(self, question: str, subject: str = "sam") -> set[str]:
        """The facts that reach its prompt."""
        return {one.fact for one in (await self.recalls(question, subject)).allowed}

    def at(self) -> str:
        return moment(self.services.now()).isoformat()
