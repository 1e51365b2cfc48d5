"""The bus on Pub/Sub: one publish, attributes only. It never subscribes; subscriptions push."""

import os
from typing import TYPE_CHECKING

from shared.errors import NotConfigured, Unreachable, Upstream, UpstreamTimeout
from shared.events.bus import Topic

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherAsyncClient

CALL_SECONDS = 20.0
RETRY_SECONDS = 5.0
"""How long what may pass is tried again; the library would go on for a minute, while somebody waits."""


class PubSubBus:
    """Topics of one project; in the emulator where PUBSUB_EMULATOR_HOST names it."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._client: PublisherAsyncClient | None = None

    async def publish(self, topic: Topic, attributes: dict[str, str]) -> None:
        """Hand one message over; once this returns, Pub/Sub has it."""
        from google.api_core.exceptions import (
            Aborted,
            DeadlineExceeded,
            GoogleAPICallError,
            InternalServerError,
            NotFound,
            RetryError,
            ServiceUnavailable,
            Unknown,
        )
        from google.api_core.retry import AsyncRetry, if_exception_type
        from google.auth.exceptions import GoogleAuthError
        from google.pubsub_v1 import PubsubMessage

        passing = if_exception_type(Aborted, InternalServerError, ServiceUnavailable, Unknown)
        try:
            await self._publisher().publish(
                topic=f"projects/{self._project}/topics/{topic}",
                messages=[PubsubMessage(attributes=attributes)],
                retry=AsyncRetry(passing, initial=0.1, maximum=1.0, timeout=RETRY_SECONDS),
                timeout=CALL_SECONDS,
            )
        except NotFound:
            raise NotConfigured(f"The topic {topic} does not exist.", next="Deploy infra/gcp.") from None
        except RetryError:
            raise Unreachable("Pub/Sub can't be reached.", next="It is tried again by itself.") from None
        except DeadlineExceeded:
            raise UpstreamTimeout("Pub/Sub did not answer in time.", next="It is tried again by itself.") from None
        except (GoogleAPICallError, GoogleAuthError) as error:
            raise Upstream(
                f"Pub/Sub refused ({type(error).__name__}).",
                next="Check that this function's account may publish to the topic.",
            ) from None

    async def close(self) -> None:
        """Close the channel."""
        if self._client is not None:
            await self._client.transport.close()  # type: ignore[no-untyped-call]  # the library has no types here
            self._client = None

    def _publisher(self) -> "PublisherAsyncClient":
        if self._client is None:
            from google.pubsub_v1 import PublisherAsyncClient

            # The generated client doesn't know the emulator's variable; the hand-written one does, but uses threads.
            if emulator := os.environ.get("PUBSUB_EMULATOR_HOST"):
                import grpc.aio
                from google.pubsub_v1.services.publisher.transports import PublisherGrpcAsyncIOTransport

                channel = grpc.aio.insecure_channel(emulator)
                self._client = PublisherAsyncClient(transport=PublisherGrpcAsyncIOTransport(channel=channel))
            else:
                self._client = PublisherAsyncClient()
        return self._client
