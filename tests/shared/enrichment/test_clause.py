"""Verbs of short notes, units and abbreviations are no tags; nouns stay."""

import pytest

from shared.enrichment.extract import extract

LINES = [
    # Half a sentence is no tag, whichever form its verb has.
    ("The ladder broke under my uncle", {"ladder", "uncle"}),
    ("Owls hunt at dusk", {"owls", "dusk"}),
    ("My kettle whistles when it boils", {"kettle"}),
    ("Ivy grows on the chimney", {"ivy", "chimney"}),
    ("Copper dulls faster near the harbour", {"copper", "harbour"}),
    ("The cellar hatch jammed this morning", {"cellar-hatch"}),
    # What comes before an article at a clause's beginning is done, not named.
    ("Sand the shelf, oil the hinges", {"shelf", "hinges", "oil"}),
    ("Finished the puzzle", {"puzzle"}),
    # How something is.
    ("The bread was stale and mouldy", {"bread"}),
    ("This soup tastes too salty", {"soup"}),
    ("Night shifts make me grumpy but alert", {"shifts", "night-shifts"}),
    # Nouns beside nouns are no sentence.
    ("Old garden tools from the flea market", {"garden-tools", "flea-market"}),
    ("Wild leeks on chalk", {"leeks", "chalk", "wild-leeks", "wild"}),
    ("Fishing rods in the boat house are dry", {"fishing-rods", "boat-house"}),
    ("Ferry rates went up", {"ferry-rates", "ferry"}),
    # Amounts.
    ("Oven at 220 degrees for 35 min, 2 tbsp honey", {"oven", "honey"}),
    ("Paid 45 eur and 20 chf for the stencil", {"stencil"}),
    ("Pool is 1.8 m deep, 12 °C, approx. 30 kcal per length", {"pool", "length"}),
    ("Das Becken hat 18 Grad, ca. 40 Stk. Fliesen fehlen", {"becken", "fliesen"}),
    ("Treffen am 3. März im Gasthaus", {"treffen", "gasthaus"}),
    ("Äpfel schmecken im Herbst", {"äpfel", "herbst"}),
]


@pytest.mark.parametrize(("line", "allowed"), LINES)
def test_a_short_note_is_filed_under_its_nouns(line: str, allowed: set[str]) -> None:
    found = set(extract(None, line).tags)
    assert found <= allowed
    assert found


@pytest.mark.parametrize("line", ["It broke again", "12 km, 50 min, 140 kcal", "was tired and sad", "approx. 3 hrs"])
def test_a_note_that_names_nothing_has_no_tag(line: str) -> None:
    assert extract(None, line).tags == []


def test_a_measure_without_a_number_is_a_word_like_any_other() -> None:
    assert "bar" in extract(None, "The bar by the canal").tags
    assert "bar" not in extract(None, "Pressure of 9 bar by the canal").tags


def test_an_abbreviation_ends_no_sentence() -> None:
    assert (
        extract(None, "Tiles: 40 Stk. Blau, see tab. 3 there. More later.").title
        == "Tiles: 40 Stk. Blau, see tab. 3 there"
    )
    assert extract(None, "Close the tab. Then rest.").title == "Close the tab"
    assert extract(None, "Invoice no. 31-7 is lost. More later.").title == "Invoice no. 31-7 is lost"
    assert extract(None, "The landlady said no. 3 days later she came.").title == "The landlady said no"
