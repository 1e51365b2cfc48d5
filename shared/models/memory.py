"""What is known of a memory, and what may be done with it. A receipt holds no content: hashes, words of ours, times."""

from typing import Literal

from pydantic import Field

from shared.models.base import Model, Time
from shared.models.ids import Id

Action = Literal["CREATED", "UPDATED", "DELETED"]
"""What the service says it did; never one `saved`."""
Expected = Literal["memory", "none", "deleted"]
Verdict = Literal["healthy", "working", "degraded", "uncertain", "failed"]
Decision = Literal["allow", "degrade", "wait", "block"]
Occasion = Literal["generation", "recall", "change", "canary"]
OriginKind = Literal["chat", "edit", "rollback", "canary"]
REMEMBERED = "remembered from earlier conversations"
"""Under which name, in the material of a prompt, a turn is told what it may know of its person."""
ADDRESS = "memory:"
"""How the address of a memory begins where it is a source; its reference follows."""


class Evidence(Model):
    """What was observed of one memory and the work on it. Scopes and sources are opaque; None means not looked at."""

    done: bool | None = None
    """Whether the operation finished; None where no operation is at issue, as at a recall."""
    late: bool = False
    """The deadline for that is over."""
    error_code: int | None = None
    """Of the operation, where it ended with one (an RPC code)."""
    action: Action | None = None
    """What the operation reported; None where it reported nothing."""
    expected: Expected = "memory"
    expected_scope: str
    visible_scopes: list[str] = []
    """The scope of every row that any read showed."""
    expected_source: str | None = None
    visible_source: str | None = None
    """The source that the newest visible revision names."""
    get_status: Literal[200, 404] | None = None
    inventory_hit: bool | None = None
    similarity_hit: bool | None = None


class Judgement(Model):
    """What follows from it. `decision` is None where there is nothing to inject."""

    case: str
    verdict: Verdict
    decision: Decision | None
    safe_action: str = ""
    """What to do, and what not; empty where nothing is to be done."""


class Item(Model):
    """One memory in a receipt: the evidence, and the judgement of it."""

    memory_ref: str | None
    """A salted hash of its name; None where the work made none."""
    evidence: Evidence
    judgement: Judgement


class Read(Model):
    """One way of reading, on its own: how often it was asked, how often it showed what was looked for."""

    asked: int = 0
    hits: int = 0
    failed: int = 0
    at: Time | None = None


class Reads(Model):
    """The four ways of reading. They answer different questions, so they are never counted together."""

    get: Read = Read()
    """By name."""
    listed: Read = Read()
    """The bank's list, filtered by scope."""
    scope: Read = Read()
    """Everything in exactly this scope."""
    similarity: Read = Read()
    """The nearest in exactly this scope."""


class Receipt(Model):
    """The proof of one piece of work with memories, or of one recall."""

    id: Id
    at: Time
    occasion: Occasion
    scope: str
    """A salted hash of the scope that was meant."""
    operation_ref: str | None = None
    """A salted hash of the name of the service's operation."""
    operation_id: Id | None = None
    """Our own operation, where one drives it."""
    source: Id | None = None
    """The opaque id of what it is about: the chat turn that was said or asked, an edit."""
    source_seen: bool | None = None
    """Whether that source was there when the work began."""
    started_at: Time | None = None
    finished_at: Time | None = None
    deadline_at: Time | None = None
    items: list[Item] = []
    """The worst first; of very many, only those."""
    reads: Reads = Reads()
    injected: int = 0
    """How many memories reached a prompt; only those whose decision is allow."""
    verdict: Verdict
    decision: Decision | None
    safe_action: str = ""


class Song(Model):
    """What became of one canary: the receipt of its write, that of its cleanup, what kept either from being made."""

    id: Id
    at: Time
    written: Receipt | None = None
    cleaned: Receipt | None = None
    problem: str = ""

    @property
    def receipts(self) -> list[Receipt]:
        """The receipts that there are."""
        return [one for one in (self.written, self.cleaned) if one]

    @property
    def healthy(self) -> bool:
        """Whether both were made, and both are healthy."""
        return len(self.receipts) == 2 and all(one.verdict == "healthy" for one in self.receipts)

    @property
    def told(self) -> str:
        """One line without content."""
        names = zip(("write", "cleanup"), (self.written, self.cleaned), strict=True)
        said = [f"{name} {_cases(receipt)}" for name, receipt in names if receipt]
        return ", ".join([*said, *([self.problem] if self.problem else [])])


def _cases(receipt: Receipt) -> str:
    cases = ", ".join(item.judgement.case for item in receipt.items)
    return f"{receipt.verdict} ({cases})"


class Origin(Model):
    """Where the newest revision of a memory should come from."""

    kind: OriginKind
    source: str = Field(max_length=64)
    session_id: Id | None = None


class Expectation(Model):
    """What the newest look at a memory should show: kept apart from receipts, under its reference."""

    memory_ref: str
    expected: Literal["memory", "deleted"]
    origin: Origin
    at: Time


class Memory(Model):
    """A memory as its person sees it."""

    id: str = Field(max_length=63)
    fact: str
    created_at: Time
    updated_at: Time
    expires_at: Time | None = None
    origin: Origin | None = None
    """None where we don't know where it comes from; then it is never used."""
    judgement: Judgement
    """Whether it may be used, whatever is asked; what is nearest to a question is decided then."""


class Revision(Model):
    """An earlier or the present state of a memory."""

    id: str
    fact: str
    created_at: Time
    expires_at: Time | None = None
    source: str | None = None
