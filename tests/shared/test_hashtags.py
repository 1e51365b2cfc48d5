"""Which hashtags are tags that a person typed, and that only these can ask for research."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.capture import Capture, new_note
from shared.hashtags import MOST, Typed, typed
from shared.models.base import kebab

NOW = 1_790_000_000.0
QUESTION = "how do pears ripen?"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        (f"#research #garden {QUESTION}", ["research", "garden"]),
        (f"{QUESTION} #research", ["research"]),
        (f"{QUESTION}\n\nThey are hard in May.\n#garden #research\n", ["garden", "research"]),
        (f"#garden\n#fruit\n{QUESTION}", ["garden", "fruit"]),
        (f"#garden {QUESTION} #research #garden", ["garden", "research"]),
        (f"#garden, #fruit: {QUESTION} #a1, #b1", ["garden", "fruit", "a1", "b1"]),
        (f"#Side_Project #garden/fruit {QUESTION}", ["side-project", "garden/fruit"]),
        (f"{QUESTION} #2027goals #dad #decade", ["2027goals", "dad", "decade"]),
        ("पेड़ कब? #हिन्दी", [kebab("हिन्दी")]),
        (f"{QUESTION} #ＲＥＳＥＡＲＣＨ", ["research"]),
        (f"# Pears\n\n{QUESTION}\n\n#research", ["research"]),
        (f"```\nx = 1\n```\n{QUESTION} #research", ["research"]),
        (f"~~~~\n```\n~~~~\n{QUESTION} #research", ["research"]),
        (f"``` x ``` is code\n{QUESTION} #research", ["research"]),
        ("- pears\n- plums #fruit", ["fruit"]),
        ("   #garden three spaces are no code", ["garden"]),
    ],
)
def test_a_run_at_the_beginning_or_the_end_is_tags(text: str, tags: list[str]) -> None:
    assert typed(text) == Typed(tuple(tags))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        QUESTION,
        "# Heading\n\nText.",
        "## research",
        "#",
        "# research",
        "Fixed in #123",
        "#123 is fixed",
        "#12-3",
        "How does #research work?",
        "What is meant by #research?",
        "It is called #research.",
        f"{QUESTION} (#research)",
        f"{QUESTION} `#research`",
        f"{QUESTION} \\#research",
        "`#research` is a tag",
        "see https://example.org/page#research",
        "https://example.org/#research",
        "[link](#research)",
        "C#",
        "issue#research",
        "#research#garden",
        f"{QUESTION}\n\n    #research",
        f"{QUESTION}\n\n\t#research",
        "    #research",
        f"{QUESTION}\n```\n#research",
        f"{QUESTION}\n```sh\nls\n#research\n```",
        f"{QUESTION}\n~~~\n```\n#research",
        f"> {QUESTION} #research",
        f"> {QUESTION}\n> #research",
        "The wall is #fff",
        "The wall is #a1b2c3",
        "The wall is #fafafa",
        "#include <stdio.h>\nint main;",
        "#define MAX 3",
        "int x;\n#endif",
        "#header { color: red }",
        f"{QUESTION} #{'x' * 65}",
        f"{QUESTION} #{'x' * 900}",
        f"{QUESTION} #-/_",
        f"{QUESTION} #a\x00b",
    ],
)
def test_nothing_else_is_a_tag(text: str) -> None:
    assert typed(text) == Typed()


@pytest.mark.parametrize("text", ["#research", "#research #garden\n", "#garden ... #research", "\n#research\n- \n"])
def test_a_text_of_hashtags_says_nothing_besides(text: str) -> None:
    assert typed(text).alone and "research" in typed(text).tags


def test_a_run_has_a_limit_and_no_text_takes_long() -> None:
    many = " ".join(f"#tag{number}" for number in range(9_000))
    assert typed(many).tags == tuple(f"tag{number}" for number in [*range(MOST)])
    assert typed(f"{QUESTION} {'x' * 4_100} #research").tags == ("research",)
    assert typed(f"{QUESTION} #{'x' * 3_000}#research").tags == ()
    started = time.process_time()
    for text in ("#" * 900_000, "\n```" * 220_000 + " #a", " " * 900_000 + "#a", "-" * 900_000 + " #a", many * 11):
        typed(text)
    assert time.process_time() - started < 2


@given(
    st.text() | st.lists(st.sampled_from(["#a", "#b", "b", "#research", " ", "\n", "`", ">", "#", ","])).map("".join)
)
def test_tags_are_kebab_case_and_never_from_the_middle(text: str) -> None:
    found = typed(text)
    assert all(tag == kebab(tag) for tag in found.tags) and len(set(found.tags)) == len(found.tags)
    assert typed(f"x {text} x").tags == ()


# -- what a capture makes of them ------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["web", "cli", "api"])
def test_a_typed_research_tag_asks_for_research_and_the_text_stays_as_typed(source: str) -> None:
    text = f"#research #garden {QUESTION}"
    note = new_note(Capture.model_validate({"text": text, "tags": ["fruit", "garden"], "source": source}), NOW)
    assert (note.body, note.tags, note.research.requested) == (text, ["fruit", "garden", "research"], True)


def test_an_imported_text_keeps_its_hashtags_to_itself() -> None:
    note = new_note(Capture(text=f"{QUESTION} #research #garden", source="import"), NOW)
    assert (note.tags, note.research.requested) == ([], False)


def test_a_hashtag_inside_a_text_asks_for_nothing() -> None:
    note = new_note(Capture(text="How does #research work?"), NOW)
    assert (note.tags, note.research.requested) == ([], False)


def test_hashtags_alone_are_tags_without_a_question() -> None:
    note = new_note(Capture(text="#research #garden"), NOW)
    assert (note.body, note.tags, note.research.requested) == ("#research #garden", ["research", "garden"], False)


@pytest.mark.parametrize(
    "more", [{"title": QUESTION}, {"url": "https://example.org/pears"}, {"research": True}, {"tags": ["research"]}]
)
def test_a_title_an_address_or_a_plain_word_makes_hashtags_alone_a_question(more: dict[str, object]) -> None:
    note = new_note(Capture.model_validate({"text": "#research", **more}), NOW)
    assert (note.tags, note.research.requested) == (["research"], True)
