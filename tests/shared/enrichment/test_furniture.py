"""What a copied page says of itself is no title, no summary and no tag."""

import pytest

from shared.enrichment.extract import extract
from shared.enrichment.furniture import is_furniture, unlabelled


@pytest.mark.parametrize(
    "text",
    [
        "Skip to main content",
        "Privacy policy.",
        "Legal notice",
        "© 2021 Society of Basket Makers. ",
        "This website uses cookies to count visits.",
        "Sign in",
        "Subscribe to our newsletter",
        "All rights reserved.",
        "[edit]",
        "7 min read",
        "Section 4.2:",
        "Abschnitt 3",
        "Impressum",
    ],
)
def test_links_of_the_edge_notices_and_names_of_parts_are_furniture(text: str) -> None:
    assert is_furniture(text)


@pytest.mark.parametrize(
    "text",
    [
        "Privacy matters more than speed.",
        "Search the attic",
        "Home brewing",
        "Section 4: Willow is soaked.",
        "Table salt",
        "",
        "x" * 9_000,
    ],
)
def test_what_somebody_says_is_none(text: str) -> None:
    assert not is_furniture(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Section 2: Willow is soaked.", "Willow is soaked."),
        ("Fig. 3 – Weaving a base", "Weaving a base"),
        ("Kapitel IV: Die Weide", "Die Weide"),
        ("Page 2", "Page 2"),
        ("Sections 2 and 3 differ.", "Sections 2 and 3 differ."),
        ("Day 3: it sprouted.", "Day 3: it sprouted."),
    ],
)
def test_a_sentence_is_told_without_the_name_of_its_part(text: str, said: str) -> None:
    assert unlabelled(text) == said


PAGE = """Skip to content

Paragraph 1

Willow was soaked for nine days in a barrel in 1902. Paragraph 2: Baskets of soaked willow lasted twice as long as dry.

Legal notice. Privacy policy.

© 1999 Association of Weavers
"""


def test_a_copied_page_is_described_by_what_it_says() -> None:
    found = extract(None, PAGE)
    assert found.title == "Willow was soaked for nine days in a barrel in 1902"
    assert found.summary == "Baskets of soaked willow lasted twice as long as dry."
    assert {"willow"} <= set(found.tags)
    assert not {"paragraph", "legal", "association", "privacy-policy", "content", "weavers"} & set(found.tags)


def test_a_note_of_nothing_else_is_what_somebody_wrote() -> None:
    assert extract(None, "Privacy policy").title == "Privacy policy"
