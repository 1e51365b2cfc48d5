from hypothesis import given
from hypothesis import strategies as st

from shared.agent.rrf import K, fuse, tokens_of
from shared.models.evidence import Passage, SourceKind

KINDS: list[SourceKind] = ["note", "research", "web"]


def passage(url: str, kind: SourceKind = "note", text: str = "x" * 30) -> Passage:
    return Passage(title=url, url=url, text=text, source_kind=kind)


def test_what_several_sources_found_comes_first_and_says_so() -> None:
    fused = fuse(
        {
            "note": [passage("a"), passage("b"), passage("c")],
            "web": [passage("d", "web"), passage("c", "web")],
        },
        1000,
    )
    assert [(one.number, one.url) for one in fused] == [(1, "c"), (2, "a"), (3, "d"), (4, "b")]
    assert fused[0].merged_from == ["note", "web"]
    assert K == 60


def test_each_source_keeps_its_best_however_much_another_has() -> None:
    long = "y" * 3000
    fused = fuse(
        {"note": [passage(f"n{n}", text=long) for n in range(9)], "web": [passage("w", "web", text=long)]}, 600
    )
    assert {kind for one in fused for kind in one.merged_from} == {"note", "web"}
    assert sum(tokens_of(one.text) for one in fused) <= 600


def test_one_source_may_have_no_more_than_its_share() -> None:
    fused = fuse({"note": [passage(f"n{n}") for n in range(90)], "web": [passage("w", "web")]}, 300)
    assert sum(tokens_of(one.text) for one in fused if one.source_kind == "note") <= 200


def test_nothing_is_nothing() -> None:
    assert fuse({}, 100) == [] and fuse({"note": []}, 100) == []


@given(
    st.dictionaries(st.sampled_from(KINDS), st.lists(st.sampled_from("abcdefgh"), max_size=8)),
    st.integers(10, 400),
)
def test_it_is_bounded_numbered_and_holds_nothing_twice(found: dict[SourceKind, list[str]], tokens: int) -> None:
    ranked = {kind: [passage(url, kind) for url in urls] for kind, urls in found.items()}
    fused = fuse(ranked, tokens)
    assert [one.number for one in fused] == list(range(1, len(fused) + 1))
    assert len({one.url for one in fused}) == len(fused)
    assert sum(tokens_of(one.text) for one in fused) <= tokens
    covered = {kind for one in fused for kind in one.merged_from}
    assert covered == {kind for kind, urls in found.items() if urls}
