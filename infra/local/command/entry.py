"""A file that is ready to be sent, and how it is sent."""

from dataclasses import dataclass, replace

from infra.local.command.http import encode
from infra.local.command.vault.claim import Claim
from infra.local.command.vault.draft import Draft
from shared.models.base import rfc3339


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as the note that it shall become."""

    name: str
    path: str
    """Its path with the vault's name, or the path that it had in the export that wrote it."""
    sha256: str
    draft: Draft
    claim: Claim | None
    """What it says it is, where an export wrote it."""
    research: bool
    encoded: bytes = b""

    def ready(self) -> "Entry":
        """The same with its bytes."""
        return replace(self, encoded=encode(self._capture()))

    def undated(self) -> "Entry":
        """The same without its date."""
        return replace(self, draft=replace(self.draft, written=None)).ready()

    def _capture(self) -> dict[str, object]:
        made = self.draft
        entry: dict[str, object] = {
            "text": made.body,
            "title": made.title,
            "tags": made.tags,
            "source": "import",
            "origin": {"path": self.path, "front_matter": made.front_matter, "content_sha256": self.sha256},
        }
        if made.written:
            entry["created_at"] = rfc3339(made.written)
        if self.claim:
            entry["exported"] = self.claim.as_json()
            if self.claim.url:
                entry["url"] = self.claim.url
        return {**entry, "research": True} if self.research else entry
