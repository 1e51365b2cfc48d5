"""The pure rules: the table of eight, the demands beyond it, and laws that hold for everything that can be observed."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.memory.cases import CASES, EIGHT, Case
from shared.memory.receipt import RULES, judge, overall
from shared.models.memory import Evidence, Judgement

SPACE: dict[str, list[object]] = {
    "done": [None, True, False],
    "late": [False, True],
    "error_code": [None, 13],
    "action": [None, "CREATED", "UPDATED", "DELETED"],
    "expected": ["memory", "none", "deleted"],
    "visible_scopes": [[], ["mine"], ["theirs"], ["mine", "theirs"]],
    "expected_source": [None, "evt-1", "evt-2"],
    "visible_source": [None, "evt-1", "evt-2"],
    "get_status": [None, 200, 404],
    "inventory_hit": [None, True, False],
    "similarity_hit": [None, True, False],
}
"""Everything that can be observed."""
CLEAN = {**EIGHT[1].evidence.model_dump(), "expected_scope": "mine", "visible_scopes": ["mine"]}


def seen_with(fields: dict[str, object]) -> Evidence:
    return Evidence.model_validate({"expected_scope": "mine", **fields})


ANYTHING = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in SPACE.items()})
# Of all combinations few come near an allow, so some start there and change a little.
NEAR = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in SPACE.items()})
SEEN = st.one_of(ANYTHING.map(seen_with), NEAR.map(lambda changed: seen_with({**CLEAN, **changed})))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_has_its_verdict_its_decision_and_its_safe_action(case: Case) -> None:
    found = case.judgement
    assert (found.verdict, found.decision) == (case.verdict, case.decision)
    assert case.holds
    assert bool(found.safe_action) is (found.verdict != "healthy")


def test_the_eight_are_two_healthy_one_working_one_degraded_and_four_failed() -> None:
    assert Counter(case.judgement.verdict for case in EIGHT) == {"healthy": 2, "working": 1, "degraded": 1, "failed": 4}
    assert [case.name for case in EIGHT] == [case.judgement.case for case in EIGHT]
    failed = [case.judgement.safe_action for case in EIGHT if case.judgement.verdict == "failed"]
    assert len(set(failed)) == 4, "each failure has an action of its own"


def test_a_case_that_the_rules_break_is_told() -> None:
    wrong = Case("clean_write", EIGHT[1].evidence, "failed", "block")
    assert not wrong.holds


# -- laws ------------------------------------------------------------------------------------------------------


@given(SEEN)
def test_a_scope_mismatch_is_an_isolation_failure_whatever_else_is_true(seen: Evidence) -> None:
    found = judge(seen.model_copy(update={"visible_scopes": [*seen.visible_scopes, "theirs"]}))
    assert (found.case, found.verdict, found.decision) == ("wrong_scope_result", "failed", "block")


@given(SEEN)
def test_what_was_deleted_and_is_still_visible_is_never_used(seen: Evidence) -> None:
    for deleted in ({"action": "DELETED"}, {"action": None, "expected": "deleted"}):
        for visible in ({"get_status": 200}, {"inventory_hit": True}, {"similarity_hit": True}):
            assert judge(seen.model_copy(update=deleted | visible)).decision in ("block", "wait")


@given(SEEN)
def test_what_is_not_done_never_fails_before_its_deadline_nor_after(seen: Evidence) -> None:
    found = judge(seen.model_copy(update={"done": False, "visible_scopes": ["mine"]}))
    assert (found.verdict, found.decision) == ("uncertain" if seen.late else "working", "wait")
    assert "second" in found.safe_action


@given(SEEN)
def test_allow_needs_every_proof(seen: Evidence) -> None:
    if judge(seen).decision != "allow":
        return
    assert set(seen.visible_scopes) <= {"mine"}
    assert seen.inventory_hit is True and seen.similarity_hit is True
    assert seen.get_status != 404
    assert seen.expected_source is not None and seen.visible_source == seen.expected_source
    assert seen.expected == "memory" and seen.action in (None, "CREATED", "UPDATED")
    assert seen.done is not False and seen.error_code is None


@given(SEEN)
def test_relevance_never_outweighs_identity_or_lifecycle(seen: Evidence) -> None:
    """Finding it by similarity may turn degrade into allow; it never makes anything else better."""
    without = judge(seen.model_copy(update={"similarity_hit": False}))
    found = judge(seen.model_copy(update={"similarity_hit": True}))
    if without.decision == "degrade":
        assert found.decision == "allow"
    elif without.decision is None:
        assert found.decision == "block", "nothing should be there, and something is"
    else:
        assert found.decision in ("block", "wait")


@given(SEEN)
def test_a_miss_by_similarity_alone_is_degraded_and_writes_nothing_again(seen: Evidence) -> None:
    if judge(seen).decision != "allow":
        return
    missed = judge(seen.model_copy(update={"similarity_hit": False}))
    assert (missed.verdict, missed.decision) == ("degraded", "degrade")
    assert "don't write" in missed.safe_action


@given(SEEN)
def test_an_older_revision_is_never_used_however_near_it_is(seen: Evidence) -> None:
    older = seen.model_copy(update={"expected_source": "evt-2", "visible_source": "evt-1"})
    assert judge(older).decision not in ("allow", "degrade")


@given(SEEN)
def test_a_404_after_a_deletion_is_proof_and_no_outage(seen: Evidence) -> None:
    gone: dict[str, object] = {"done": True, "error_code": None, "action": "DELETED", "visible_scopes": []}
    gone |= {"get_status": 404, "inventory_hit": False, "similarity_hit": False}
    found = judge(seen.model_copy(update=gone))
    assert (found.verdict, found.decision) == ("healthy", None)


@given(SEEN)
def test_nothing_where_nothing_was_expected_is_healthy(seen: Evidence) -> None:
    quiet: dict[str, object] = {
        "done": True,
        "error_code": None,
        "action": None,
        "expected": "none",
        "visible_scopes": [],
    }
    quiet |= {"get_status": None, "inventory_hit": False, "similarity_hit": None}
    found = judge(seen.model_copy(update=quiet))
    assert (found.verdict, found.decision) == ("healthy", None)


@given(SEEN)
def test_whatever_is_not_healthy_says_what_to_do(seen: Evidence) -> None:
    found = judge(seen)
    assert bool(found.safe_action) is (found.verdict != "healthy")
    assert (found.verdict == "degraded") is (found.decision == "degrade")


@given(st.lists(SEEN, min_size=1, max_size=4))
def test_a_receipt_is_as_bad_as_its_worst_item(many: list[Evidence]) -> None:
    found = [judge(seen) for seen in many]
    whole = overall(found)
    assert whole in found
    assert any(one.verdict == "failed" for one in found) is (whole.verdict == "failed")


def test_a_receipt_without_items_says_that_there_is_nothing() -> None:
    assert overall([]) == Judgement(case="nothing", verdict="healthy", decision=None)


def test_allow_is_given_for_exactly_one_state_of_the_proofs_and_every_rule_is_reached() -> None:
    """All combinations, one by one."""
    names, reached, allowed = list(SPACE), Counter[str](), set[tuple[object, ...]]()
    for values in product(*SPACE.values()):
        seen = Evidence.model_construct(expected_scope="mine", **dict(zip(names, values, strict=True)))  # type: ignore[arg-type]
        rule = next(rule for rule in RULES if rule.holds(seen))
        reached[rule.case] += 1
        if rule.decision == "allow":
            allowed.add((seen.expected, seen.inventory_hit, seen.similarity_hit, *seen.visible_scopes))
            assert seen.expected_source == seen.visible_source is not None
    assert reached.keys() == {rule.case for rule in RULES}
    # No rows, and so no scopes, beside an inventory hit: no read answers so, and the rules need not know.
    assert allowed == {("memory", True, True, "mine"), ("memory", True, True)}
