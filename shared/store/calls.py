"""The calls of a run as they were made: arguments that the trace masks, and whether a tool outside really began.

The trace tells a person what was asked for; a run that goes on in another process needs the call itself.
"""

import json

from shared.models.base import JsonDict
from shared.models.ids import is_id
from shared.store.documents import Documents, Write


class CallsOfRun:
    """The calls of one run of one tenant."""

    def __init__(self, documents: Documents, tenant: str, run_id: str) -> None:
        assert is_id(run_id)
        self._documents = documents
        self._path = f"tenants/{tenant}/runs/{run_id}"

    def made(self, call_id: str, arguments: JsonDict, broken: str) -> Write:
        """A call as the model made it, for the commit of its event."""
        # As text: arguments may hold lists in lists, which not every store takes.
        return Write(self._at("asked", call_id), {"arguments": json.dumps(arguments), "broken": broken})

    async def arguments(self, call_id: str) -> tuple[JsonDict, str] | None:
        """The arguments, and why they can't be read; None where the trace has them unmasked."""
        document = await self._documents.get(self._at("asked", call_id))
        if document is None:
            return None
        arguments: JsonDict = json.loads(str(document.data["arguments"]))
        return arguments, str(document.data["broken"])

    async def begin(self, call_id: str) -> None:
        """The tool runs from here on; whether it ended, nobody may ever know."""
        await self._documents.commit([Write(self._at("begun", call_id), {"begun": True})])

    def came_back(self, call_id: str) -> Write:
        """The tool ended without having done anything, and may run once more."""
        return Write(self._at("begun", call_id), None)

    async def begun(self, call_id: str) -> bool:
        """Whether the tool was run."""
        return await self._documents.get(self._at("begun", call_id)) is not None

    def _at(self, collection: str, call_id: str) -> str:
        assert call_id.isalnum()
        return f"{self._path}/{collection}/{call_id}"
