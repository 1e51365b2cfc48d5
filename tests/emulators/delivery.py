"""Eventarc and Pub/Sub push on this machine: takes what the emulators send, adds what they leave out, calls functions.

The emulators send no tokens, and Firestore's sends the protobuf in base64, once. Here each delivery gets the token
that is planned for it, and an event comes again until it is taken. On request deliveries are doubled, late, out of
order, or lost.
"""

import asyncio
import base64
import contextlib
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.emulators.deployment import Deployment
from tests.emulators.front import Front
from tests.emulators.identity import Identity

EVENTARC = "eventarc"
"""The road of events; that of messages has the name of their subscription."""


@dataclass
class Weather:
    """What happens on the roads: nothing, unless a test says so."""

    copies: int = 1
    """How often each delivery is made: twice at once, the others within two seconds after."""
    delay: float = 0.0
    """Seconds by which a delivery is late at most; each by others, so that they overtake."""
    lost: frozenset[str] = frozenset()
    """Roads on which deliveries vanish: acknowledged, and never made."""


@dataclass
class Held:
    """A road that is closed for a while."""

    waiting: list[asyncio.Future[None]] = field(default_factory=list)


class Delivery:
    """The routes that emulators send to."""

    def __init__(self, deployment: Deployment, identity: Identity, front: Front, *, backoff: float) -> None:
        self.weather = Weather()
        self.made: Counter[str] = Counter()
        """Deliveries by road, copies included."""
        self._deployment = deployment
        self._identity = identity
        self._front = front
        self._backoff = backoff
        self._held: dict[str, Held] = {}
        self._under_way = 0
        self._last = 0.0
        self._push = {one["name"]: one["push_config"][0] for one in deployment.subscriptions if one["push_config"]}
        self._chance = random.Random(3)
        self._tasks: set[asyncio.Task[object]] = set()

    def routes(self) -> list[Route]:
        """Where the emulators post."""
        return [
            Route("/functions/projects/{project}/triggers/{trigger}", self._event, methods=["POST"]),
            Route("/push/{subscription}", self._message, methods=["POST"]),
        ]

    async def close(self) -> None:
        """Leave what is on its way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextlib.contextmanager
    def changed(self, weather: Weather) -> Iterator[None]:
        """Other weather for a while."""
        before, self.weather = self.weather, weather
        try:
            yield
        finally:
            self.weather = before

    @contextlib.asynccontextmanager
    async def held(self, *roads: str) -> AsyncIterator[list[Held]]:
        """Hold deliveries on these roads; in the end they are made in reverse, the newest first."""
        closed = [Held() for _ in roads]
        self._held.update(zip(roads, closed, strict=True))
        try:
            yield closed
        finally:
            for road in roads:
                del self._held[road]
            for one in closed:
                for waiting in reversed(one.waiting):
                    waiting.set_result(None)
                    await asyncio.sleep(0.1)

    async def quiet(self, seconds: float = 1.0) -> None:
        """Return once there was no delivery for a while."""
        while self._under_way or time.monotonic() - self._last < seconds:
            await asyncio.sleep(0.05)

    async def _event(self, request: Request) -> Response:
        """One event of Firestore: taken here, and brought until the function takes it."""
        trigger = self._deployment.trigger
        service = trigger["destination"][0]["cloud_run_service"][0]
        # Eventarc names a service by its other address, in the audience too.
        host = f"{service['service']}-memex.a.run.app"
        headers = {
            **{name: value for name, value in request.headers.items() if name.startswith("ce-")},
            "Content-Type": trigger["event_data_content_type"],
            "Host": host,
        }
        content = base64.b64decode(await request.body())

        async def make() -> int:
            token = self._identity.sign(trigger["service_account"], f"https://{host}")
            bearer = {**headers, "Authorization": f"Bearer {token}"}
            return await self._front.post(service["service"], bearer, content, service["path"])

        async def until_taken() -> None:
            pause = self._backoff
            while not 200 <= await self._bring(EVENTARC, make) < 300:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 60 * self._backoff)

        self._spawn(until_taken())
        return Response(status_code=204)

    async def _message(self, request: Request) -> Response:
        """One message: Pub/Sub itself tries again, by the status that it gets."""
        road = request.path_params["subscription"]
        push, content = self._push[road], await request.body()
        token = push["oidc_token"][0]
        name, path = self._place(push["push_endpoint"])

        async def make() -> int:
            signed = self._identity.sign(token["service_account_email"], self._deployment.here(token["audience"]))
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {signed}"}
            return await self._front.post(name, headers, content, path)

        return Response(status_code=await self._bring(road, make))

    def _place(self, endpoint: str) -> tuple[str, str]:
        for name in self._deployment.functions:
            address = self._deployment.address(name)
            if self._deployment.here(endpoint).startswith(f"{address}/"):
                return name, self._deployment.here(endpoint)[len(address) :]
        raise LookupError(endpoint)

    async def _bring(self, road: str, make: Callable[[], Coroutine[None, None, int]]) -> int:
        """One delivery through the weather; the status of its first copy."""
        weather = self.weather
        if road in weather.lost:
            return 204
        if held := self._held.get(road):
            held.waiting.append(asyncio.get_running_loop().create_future())
            await held.waiting[-1]

        async def copy(late: float) -> int:
            self._under_way += 1
            try:
                await asyncio.sleep(late)
                self.made[road] += 1
                return await make()
            finally:
                self._under_way -= 1
                self._last = time.monotonic()

        for number in range(1, weather.copies):
            self._spawn(copy(self._late(weather) + (self._chance.uniform(0, 2) if number > 1 else 0)))
        return await copy(self._late(weather))

    def _late(self, weather: Weather) -> float:
        return self._chance.uniform(0, weather.delay)

    def _spawn(self, work: Coroutine[None, None, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
