"""The eight cases, and what they don't cover, as receipts made up for the purpose: the audit's executable table."""

from dataclasses import dataclass

from shared.memory.receipt import judge
from shared.models.memory import Decision, Evidence, Judgement, Verdict

_SCOPE, _FOREIGN = "scope-a", "scope-b"
_NEW, _OLD = "evt-106", "evt-099"


@dataclass(frozen=True, slots=True)
class Case:
    """What is observed, and what has to follow."""

    name: str
    evidence: Evidence
    verdict: Verdict
    decision: Decision | None
    extra: bool = False
    """One of the demands beyond the eight."""

    @property
    def judgement(self) -> Judgement:
        """What follows in truth."""
        return judge(self.evidence)

    @property
    def holds(self) -> bool:
        """Whether that is what has to follow, with a safe action wherever something is wrong."""
        found = self.judgement
        told = bool(found.safe_action) or found.verdict == "healthy"
        return (found.verdict, found.decision) == (self.verdict, self.decision) and told


_CLEAN = Evidence(
    done=True,
    action="UPDATED",
    expected_scope=_SCOPE,
    visible_scopes=[_SCOPE],
    expected_source=_NEW,
    visible_source=_NEW,
    get_status=200,
    inventory_hit=True,
    similarity_hit=True,
)
_GONE = Evidence(
    done=True,
    action="DELETED",
    expected="deleted",
    expected_scope=_SCOPE,
    get_status=404,
    inventory_hit=False,
    similarity_hit=False,
)


def _but(base: Evidence, **changed: object) -> Evidence:
    return Evidence.model_validate({**base.model_dump(), **changed})


EIGHT: tuple[Case, ...] = (
    Case("async_pending", Evidence(done=False, expected_scope=_SCOPE), "working", "wait"),
    Case("clean_write", _CLEAN, "healthy", "allow"),
    Case(
        "no_topic_noop",
        Evidence(done=True, expected="none", expected_scope=_SCOPE, inventory_hit=False),
        "healthy",
        None,
    ),
    Case("similarity_miss_list_hit", _but(_CLEAN, similarity_hit=False), "degraded", "degrade"),
    Case("wrong_scope_result", _but(_CLEAN, action="CREATED", visible_scopes=[_FOREIGN]), "failed", "block"),
    Case("stale_revision", _but(_CLEAN, visible_source=_OLD), "failed", "block"),
    Case(
        "deleted_still_visible",
        _but(_GONE, visible_scopes=[_SCOPE], get_status=200, inventory_hit=True, similarity_hit=True),
        "failed",
        "block",
    ),
    Case(
        "created_not_fetchable",
        _but(
            _CLEAN,
            action="CREATED",
            visible_scopes=[],
            visible_source=None,
            get_status=404,
            inventory_hit=False,
            similarity_hit=False,
        ),
        "failed",
        "block",
    ),
)
EXTRA: tuple[Case, ...] = (
    Case(
        "similarity_without_inventory",
        _but(_CLEAN, done=None, action=None, get_status=None, inventory_hit=None),
        "failed",
        "block",
        extra=True,
    ),
    Case("deletion_converged", _GONE, "healthy", None, extra=True),
    Case(
        "deadline_passed",
        Evidence(done=False, late=True, expected_scope=_SCOPE),
        "uncertain",
        "wait",
        extra=True,
    ),
    Case(
        "scope_and_revision_wrong",
        _but(_CLEAN, visible_scopes=[_SCOPE, _FOREIGN], visible_source=_OLD),
        "failed",
        "block",
        extra=True,
    ),
)
CASES = EIGHT + EXTRA
