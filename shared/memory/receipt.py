"""From what was observed to what may be done: identity first, then lifecycle, then relevance. Pure; sees no content.

What it can't know: whether a fact is true, useful, poisoned, or kept for longer than it should be. A label proves only
what its writer wrote, and how well a question finds its memories takes real questions and people to tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.models.memory import Decision, Evidence, Judgement, Verdict


@dataclass(frozen=True, slots=True)
class Rule:
    """One case: when it holds, and what follows."""

    case: str
    holds: Callable[[Evidence], bool]
    verdict: Verdict
    decision: Decision | None
    safe_action: str = ""

    @property
    def judgement(self) -> Judgement:
        """What follows."""
        return Judgement(case=self.case, verdict=self.verdict, decision=self.decision, safe_action=self.safe_action)


def judge(seen: Evidence) -> Judgement:
    """The judgement of the first rule that holds."""
    return next(rule.judgement for rule in RULES if rule.holds(seen))


def _foreign(seen: Evidence) -> bool:
    return any(scope != seen.expected_scope for scope in seen.visible_scopes)


def _visible(seen: Evidence) -> bool:
    """Any read that an agent may use still shows it."""
    return seen.get_status == 200 or bool(seen.inventory_hit) or bool(seen.similarity_hit)


def _gone(seen: Evidence) -> bool:
    """No read shows it, and those that can prove it were made. A 404 is that proof, and no outage."""
    return seen.get_status == 404 and seen.inventory_hit is False and not seen.similarity_hit


def _to_be_gone(seen: Evidence) -> bool:
    return seen.action == "DELETED" or seen.expected == "deleted"


def _written(seen: Evidence) -> bool:
    return seen.action in ("CREATED", "UPDATED")


def _absent(seen: Evidence) -> bool:
    return seen.inventory_hit is False or seen.get_status == 404


# The order is the rule: what stands below can't outweigh what stands above.
RULES: tuple[Rule, ...] = (
    # -- identity
    Rule(
        "wrong_scope_result",
        _foreign,
        "failed",
        "block",
        "Stop injecting, and review how identities are mapped to scopes.",
    ),
    # -- lifecycle and freshness
    Rule(
        "async_pending",
        lambda seen: seen.done is False and not seen.late,
        "working",
        "wait",
        "Poll the same operation; start no second one.",
    ),
    Rule(
        "deadline_passed",
        lambda seen: seen.done is False,
        "uncertain",
        "wait",
        "What became of the work is unknown: look at the same operation later; start no second one.",
    ),
    Rule(
        "operation_failed",
        lambda seen: seen.error_code is not None,
        "failed",
        "block",
        "Read the operation's error and mend its cause; nothing it may have written is used.",
    ),
    Rule(
        "deleted_still_visible",
        lambda seen: _to_be_gone(seen) and (seen.action == "DELETED" or seen.done is not True) and _visible(seen),
        "failed",
        "block",
        "Quarantine the fact: keep it out of every prompt, and reconcile the deletion.",
    ),
    Rule("deletion_converged", lambda seen: seen.action == "DELETED" and _gone(seen), "healthy", None),
    Rule(
        "deletion_unproved",
        lambda seen: seen.action == "DELETED" or (seen.expected == "deleted" and seen.done is not True),
        "uncertain",
        "wait",
        "Read by name, scope and similarity until all say that it is gone; until then it is not used.",
    ),
    Rule(
        "no_topic_noop",
        lambda seen: seen.done is True and seen.action is None and seen.expected == "none" and not _visible(seen),
        "healthy",
        None,
    ),
    Rule(
        "unexpected_outcome",
        lambda seen: seen.expected == "none" or (seen.done is True and seen.action is None) or _to_be_gone(seen),
        "failed",
        "block",
        "The work did something else than was meant: compare its source and topics with what it reports.",
    ),
    Rule(
        "created_not_fetchable",
        lambda seen: _written(seen) and _absent(seen),
        "failed",
        "block",
        "Verify name, scope and action before the write is tried again.",
    ),
    Rule(
        "similarity_without_inventory",
        lambda seen: bool(seen.similarity_hit) and seen.inventory_hit is not True,
        "failed",
        "block",
        "Don't inject: prove by name or scope that it is there and current; relevance proves neither.",
    ),
    Rule(
        "missing",
        _absent,
        "failed",
        "block",
        "It should be there and is not: verify name and scope, and read again; write nothing.",
    ),
    Rule(
        "unread",
        lambda seen: seen.inventory_hit is None,
        "uncertain",
        "wait",
        "Read the scope again; until then nothing of it is used.",
    ),
    Rule(
        "unknown_source",
        lambda seen: seen.expected_source is None,
        "uncertain",
        "block",
        "Nobody here knows where it comes from: read it, then correct it or forget it.",
    ),
    Rule(
        "revision_unread",
        lambda seen: seen.visible_source is None,
        "uncertain",
        "wait",
        "Read its newest revision; until then it is not used.",
    ),
    Rule(
        "stale_revision",
        lambda seen: seen.visible_source != seen.expected_source,
        "failed",
        "block",
        "Inspect its revisions, or wait for convergence.",
    ),
    # -- relevance
    Rule(
        "similarity_miss_list_hit",
        lambda seen: seen.similarity_hit is not True,
        "degraded",
        "degrade",
        "Tune the question, the filter or top_k, or read by scope; don't write it again.",
    ),
    Rule("clean_write", lambda _: True, "healthy", "allow"),
)

_WORST: tuple[Verdict, ...] = ("healthy", "degraded", "working", "uncertain", "failed")
_STRICTEST: tuple[Decision | None, ...] = (None, "allow", "degrade", "wait", "block")


def rank(judgement: Judgement) -> tuple[int, int]:
    """How bad it is: larger is worse."""
    return _WORST.index(judgement.verdict), _STRICTEST.index(judgement.decision)


def overall(judgements: Sequence[Judgement]) -> Judgement:
    """The worst of several, for the receipt as a whole; of none, that there is nothing."""
    return max(judgements, key=rank, default=Judgement(case="nothing", verdict="healthy", decision=None))
