"""Which sentences of a text may be quoted, and which answer best."""

from dataclasses import replace

import pytest

from shared.agent_task.quotes import PER_SOURCE, quotes, sentences
from shared.agent_task.standing import Read
from shared.models.result import Source


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Pears\n\nThey ripen early.", ["They ripen early."]),
        ("Do pears ripen early? They do so.", ["They do so."]),
        ("- early pears\n- late pears\n\nBoth kinds keep.", ["Both kinds keep."]),
        ("- Early pears are eaten at once.", ["Early pears are eaten at once."]),
        ("Pears ripen early at a south wall", ["Pears ripen early at a south wall"]),
        ("Pears at a wall\n\nThey ripen early.", ["They ripen early."]),
        ("Three kinds are grown:\n\nThey ripen early.", ["They ripen early."]),
        ("…and so it goes on. They ripen early. And then the next o…", ["They ripen early."]),
        ("See [[Pears|the pears]], **all** of `them` [cite: 12].", ["See the pears, all of them."]),
        ("> [!tip] Wait\n> They ripen early.", ["They ripen early."]),
        ("| Pear |\n|---|\n| It is early. |\n\n```\nThis is code.\n```", []),
        ("梨は早く熟します。早いですか？", ["梨は早く熟します。"]),
    ],
)
def test_what_a_text_states(text: str, said: list[str]) -> None:
    assert sentences(text) == said


def read(n: int, prose: str, title: str = "Note") -> Read:
    return Read(Source(id=f"S{n}", title=title, url=f"#/notes/{n}"), prose, prose)


def test_the_sentence_with_the_rarer_words_comes_first() -> None:
    common = [read(n, f"Pears by wall number {n} are watered daily.") for n in range(5)]
    found = quotes([*common, read(9, "Pears by a wall are tied to wires.")], "Are pears by a wall tied to wires?")
    assert found[0].source.id == "S9"


def test_no_source_speaks_more_often_than_it_may_and_none_without_the_words() -> None:
    talker = read(1, " ".join(f"Pears love wall number {n} in summer." for n in range(9)))
    other = read(2, "Bread wants flour and much time.")
    assert [one.source.id for one in quotes([talker, other], "Which wall do pears love?")] == ["S1"] * PER_SOURCE
    assert quotes([other], "Which wall do pears love?") == []


def test_reports_speak_after_the_persons_own_notes_however_many_words_they_hold() -> None:
    report = replace(read(1, "Wall pears by a wall love every wall where pears grow."), report=True)
    own = read(2, "My pears grew soft beside the shed.")
    found = quotes([report, own], "What do I know about pears and walls?")
    assert [one.source.id for one in found] == ["S2", "S1"]
    assert [one.source.id for one in quotes([report], "What do I know about pears and walls?")] == ["S1"]


def test_words_that_only_ask_find_nothing() -> None:
    assert quotes([read(1, "I know the tram well by now.")], "What do I know about pears?") == []
