import time

import pytest

from shared import beginning, search
from shared.beginning import MARK, asked, begins, damped, indexed


@pytest.mark.parametrize(
    ("question", "begun"),
    [
        ("landlo", "^landlo"),
        ("Luhman", "^luhman"),
        ("#idea", "^idea"),
        ("rent of the landlo", "^landlo"),
        ("Mietpreisb", "^mietprei"),
        ("Müll", "^mull"),
        ("cafe\u0301s", "^cafes"),
        ("Straß", "^strass"),
        ("research-rep", "^rep"),
        ("snake_cas", "^cas"),
        ("https://www.nytim", "^nytim"),
        ("моск", "^моск"),
        # complete: something stands behind it
        ("landlo ", ""),
        ("landlord?", ""),
        ("landlord\n", ""),
        # too short, no word, or one that every text holds
        ("", ""),
        ("  ", ""),
        ("la", ""),
        ("example.or", ""),
        ("v2.5", ""),
        ("1234", ""),
        ("sleep the", ""),
        ("the", "^the"),
        # scripts without blanks are found by their characters
        ("東京都", ""),
        ("GPT東京都", ""),
        ("ประเทศ", ""),
        ("x" * 70, ""),
    ],
)
def test_the_last_word_of_a_question_is_asked_for_as_a_beginning(question: str, begun: str) -> None:
    assert asked(question) == begun


@pytest.mark.parametrize(
    ("question", "title", "body", "tags"),
    [
        ("landlo", "", "Call the landlord about the heating.", []),
        ("zettel", "My Zettelkasten", "", []),
        ("magnes", "", "Magnesium, before bed", []),
        ("Luhman", "Niklas Luhmann", "", []),
        ("#idea", "", "", ["ideas"]),
        ("Mietpreis", "", "Die Mietpreisbremse gilt nicht überall.", []),
        ("Mietpreisbrem", "", "Die Mietpreisbremse gilt nicht überall.", []),
        ("grune", "", "Viele **grünes** Haus", []),
        ("garde", "", "", ["home/garden-work"]),
        ("nytim", "", "https://www.nytimes.com/2024/05/01/a-page.html", []),
        ("москв", "", "Москвичи", []),
    ],
)
def test_a_word_is_found_while_it_is_typed(question: str, title: str, body: str, tags: list[str]) -> None:
    assert asked(question) in indexed(title, body, tags)


@pytest.mark.parametrize("word", ["landlord", "ideas", "zettelkasten", "studies", "café", "haus", "runs"])
def test_every_letter_of_a_word_finds_it(word: str) -> None:
    held = set(indexed("", f"so {word} it is", []))
    for letters in range(3, len(word) + 1):
        typed = word[:letters]
        assert held & {asked(typed), *search.words(typed)}, typed


def test_a_note_holds_its_words_then_their_beginnings() -> None:
    assert indexed("A Landlord", "and his cats, with 12345 東京都 cats", ["Home"]) == [
        *search.tokens("A Landlord", "and his cats, with 12345 東京都 cats", ["Home"]),
        *("^lan", "^land", "^landl", "^landlo", "^landlor", "^hom", "^cat"),
    ]


def test_the_agents_words_are_no_beginnings() -> None:
    held = {word for word in indexed("Landlord", "magnesium", []) if word.startswith(MARK)}
    assert held and not held & {*search.words("landl magnes"), *search.tokens("Landlord", "magnesium", [])}


def test_only_the_first_words_are_found_by_their_beginning() -> None:
    body = " ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}xyzword" for n in range(300))
    held = [word for word in indexed("Title", body, ["tagged"]) if word.startswith(MARK)]
    assert len({word[:4] for word in held}) == 40
    assert {"^tit", "^tag", "^aax"} <= set(held)
    assert "^blx" in held and "^bmx" not in held


def test_a_long_note_holds_no_more_than_before_and_keeps_its_title() -> None:
    found = indexed("Landlord", " ".join(f"word{n}" for n in range(5_000)), ["tag"])
    assert len(found) == search.MOST
    assert found[:2] == ["landlord", "tag"]
    assert "^landlo" in found


def test_beginnings_of_title_and_tags_are_those_of_the_whole_note() -> None:
    titled = indexed("Sein Leben", "", ["alle-wege"])
    assert set(titled) <= set(indexed("Sein Leben", "The English text of it, and so on", ["alle-wege"]))


def test_beginnings_are_made_anew_in_place_of_the_old() -> None:
    old = indexed("Landlord", "", [])
    assert beginning.with_words(old, "Landlord", "", []) == old
    assert beginning.with_words(old, "Tenant", "", []) == ["landlord", "^ten", "^tena", "^tenan"]


def test_a_beginning_counts_half_and_never_more_than_half_of_the_word() -> None:
    assert damped({"rent": 7, "^landlo": 10}) == {"rent": 7, "^landlo": 5}
    # `notes` is looked for as `note`; one of a few notebooks must not come before the many notes.
    assert damped({"note": 4, "^notes": 10}) == {"note": 4, "^notes": 2}
    assert damped({"mietpreisb": 4, "^mietprei": 10}) == {"mietpreisb": 4, "^mietprei": 2}
    assert damped({"a": 1, "app": 1, "^apple": 1}) == {"a": 1, "app": 1, "^apple": 1}
    assert damped({"a": 1, "^apple": 10}) == {"a": 1, "^apple": 5}
    assert damped({}) == {}


def test_which_words_begin_so() -> None:
    assert begins("Landlord's", "^landlo") and begins("land_landlord", "^landlo") and begins("LANDLORD", "^landlo")
    assert not begins("land", "^landlo") and not begins("1234", "^123") and not begins("東京都", "^東京都")


def test_the_cost_grows_with_the_first_part_of_a_text_only() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        beginning.with_words([], "", text, [])
        return time.process_time() - began

    plain = seconds("some ordinary words of a note " * 3_000) + 0.01
    for hostile in ("a-" * 450_000, "[[" * 450_000, "https://a.b/" * 90_000, "漢 " * 450_000, "x" * 900_000):
        assert seconds(hostile) < 20 * plain, hostile[:8]
