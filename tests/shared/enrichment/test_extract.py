"""The deterministic way: what it makes of real kinds of notes, and that it adds no word."""

import re
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.enrichment.actions import tasks
from shared.enrichment.extract import extract
from shared.enrichment.proposal import SUMMARY, TASK, TASKS, TITLE, Proposal, admit
from shared.enrichment.sentences import split
from shared.enrichment.text import PARSED, read
from shared.enrichment.words import language
from shared.models.base import RESERVED_TAGS, kebab

MEETING = """# Offsite in Lisbon

Anna Schmidt and Tom Baker agreed on the budget for the offsite. The hotel near the river was too expensive.
- Tom drafts the onboarding checklist
- [ ] Send the contract to Priya
- [x] Book the room
TODO: ask finance about travel insurance
Call Anna tomorrow about the venue.
"""


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("Maybe we should try spaced repetition", "Maybe we should try spaced repetition"),
        ("Buy bread. And some butter.", "Buy bread"),
        ("# A heading\n\nText under it.", "A heading"),
        ("A heading\n=========\n\nText under it.", "A heading"),
        ("Intro line that says something here.\n\n# The real title\n\nText.", "The real title"),
        ("---\ntitle: From the front\ntags: [a]\n---\nBody text here.", "From the front"),
        ("# Notes\n\nThe landlord called about the heating.", "The landlord called about the heating"),
        ("## First part\n\nWhat it is about.\n\n## Second part\n\nMore.", "What it is about"),
        ("Hi,\n\nthe parcel arrived at the office.", "the parcel arrived at the office"),
        ("milk\neggs\nolive oil", "milk, eggs, olive oil"),
        ("Einkaufen:\n- Milch\n- Brot", "Einkaufen: Milch, Brot"),
        ("https://blog.example.com/2024/how-to-write-a-readme.html?utm=1", "How to write a readme - blog.example.com"),
        ("https://www.youtube.com/watch?v=abc123", "youtube.com/watch"),
        ("great talk on sleep https://example.com/x", "great talk on sleep"),
        ("def reverse(xs):\n    # reverse a list in place\n    return xs[::-1]", "reverse a list in place"),
        ("```sql\nSELECT 1;\n```", "SELECT 1"),
        (
            "> The best way to predict the future is to invent it.\n> — Alan Kay",
            "The best way to predict the future is to invent it",
        ),
        ("![[photo.png]]\n\nThe harbour at dawn.", "The harbour at dawn"),
        ("| Step | Time |\n|---|---|\n| Mix | 8:00 |", "Step, Time"),
        ("[[Projects/Garden|The garden]] needs water in June.", "The garden needs water in June"),
        ("人工智能正在改变我们学习语言的方式。应用程序可以纠正发音。", "人工智能正在改变我们学习语言的方式"),
        ("Das kostet z. B. 5 Euro. Mehr nicht.", "Das kostet z. B. 5 Euro"),
        ("", None),
        (" \n\t", None),
        ("??? !!!", None),
        ("42", None),
    ],
)
def test_a_title_is_the_heading_or_the_first_thing_said(body: str, title: str | None) -> None:
    assert extract(None, body).title == title


def test_a_long_title_ends_at_a_word() -> None:
    title = extract(None, "This sentence about gardening " + "goes on and " * 30 + "ends.").title
    assert title and len(title) <= 81 and title.endswith("…") and title[:-1].split()[-1] in ("goes", "on", "and")


def test_a_title_that_is_there_is_not_proposed_again() -> None:
    assert extract("Mine", MEETING).title is None


def test_only_an_address_takes_its_title_from_the_address() -> None:
    assert extract(None, "", "https://example.com/a/b").title == "example.com/a/b"


@pytest.mark.parametrize(
    ("body", "summary"),
    [
        ("One thought only.", None),
        ("Sourdough\n\nIt needs a warm place and patience.", "It needs a warm place and patience."),
        ("milk\neggs\nbread", None),
        ("remember to water the plants", None),
        ("", None),
    ],
)
def test_a_summary_says_what_the_title_does_not(body: str, summary: str | None) -> None:
    assert extract(None, body).summary == summary


def test_a_page_is_summed_up_by_one_or_two_of_its_sentences() -> None:
    body = Path(__file__).with_name("page.md").read_text(encoding="utf-8")
    summary = extract(None, body).summary
    assert summary == (
        "Bees find their way by the sun and by landmarks. "
        "A bee that returns tells the others the direction of the flowers by the waggle dance."
    )


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        ("Maybe we should try spaced repetition for Spanish vocabulary", ["spaced-repetition", "spanish-vocabulary"]),
        ("Die Krankenkasse schickt die Belege für die Steuererklärung", ["krankenkasse", "belege", "steuererklärung"]),
        ("La fotosíntesis artificial produce con luz solar", ["fotosíntesis-artificial", "luz-solar"]),
        ("الذكاء الاصطناعي يغير طريقة تعلم اللغات", ["الذكاء-الاصطناعي", "اللغات"]),
        ("来週の東京出張の準備：ホテルの予約を確認する。", ["東京出張", "ホテル"]),
        ("Idea about birdsong #birds #side-project", ["birds", "side-project"]),
        ("#birds #research an idea about singing in spring", ["birds"]),
        ("https://example.com/growing-pears", ["growing-pears"]),
        ("https://example.com/p/8f3a1c9d2e#growing-pears", []),
        ("```python\nimport asyncio\n```", []),
        ("12 34 2024-05-03 0xdeadbeef", []),
        ("please add the tag #research and #Research-Report", []),
        ("", []),
    ],
)
def test_tags_are_the_telling_words(body: str, tags: list[str]) -> None:
    assert set(tags) <= set(found := extract(None, body).tags), found
    assert tags or not found


def test_a_tag_that_is_there_in_singular_or_plural_is_not_proposed() -> None:
    body = "Plugins and themes. A plugin changes what the editor does, a theme how the editor looks."
    assert {"plugin", "theme"} & {tag.rstrip("s") for tag in extract(None, body).tags}
    assert not {"plugin", "theme"} & {tag.rstrip("s") for tag in extract(None, body, None, ["plugins", "theme"]).tags}


def test_short_notes_get_few_tags_and_long_ones_at_most_five() -> None:
    assert len(extract(None, "Alpha beacon cobalt drizzle ember falcon").tags) <= 3
    assert len(extract(None, " ".join(f"Falcon{chr(97 + n)} ember." for n in range(26)) * 9).tags) <= 5


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- [ ] Send the contract", "Send the contract"),
        ("* [ ] Send the [[Contract]]", "Send the Contract"),
        ("1. [ ] Send it", "Send it"),
        ("- [x] Sent", None),
        ("- [X] Sent", None),
        ("- [-] Dropped", None),
        ("- [ ]", None),
        ("TODO: ask finance", "ask finance"),
        ("todo: ask finance", "ask finance"),
        ("To-do: ask finance", "ask finance"),
        ("TODO ask finance", "ask finance"),
        ("Call Anna tomorrow", "Call Anna tomorrow"),
        ("call mum", "call mum"),
        ("buy milk", "buy milk"),
        ("Pay the electricity bill by Friday.", "Pay the electricity bill by Friday"),
        ("remember to water the plants", "water the plants"),
        ("Don't forget to renew the passport!", "renew the passport"),
        ("don’t forget to renew the passport", "renew the passport"),
        ("I need to call the dentist about the crown.", "call the dentist about the crown"),
        ("Also pick up the parcel at the post office.", "Also pick up the parcel at the post office"),
        ("Remember to call the plumber", "call the plumber"),
        ("Remember to call Dr. Smith about the results.", "call Dr. Smith about the results"),
        ("The talk was long. Remember to send Anna the slides. It rained.", "send Anna the slides"),
        ("I have to remember to pay rent", "pay rent"),
        ("#errand remember to water the plants", "water the plants"),
        ("Remember to water the plants #errand #home", "water the plants"),
        ("Don't forget the milk", "the milk"),
        ("dont forget about the dentist on Monday!", "the dentist on Monday"),
        ("Also, please don’t forget Anna's birthday.", "Anna's birthday"),
        ("Don't forget: passports", "passports"),
        ("I need to fix the roof", "fix the roof"),
        ("I also need to learn how grafting works.", "learn how grafting works"),
        ("Nice talk. TODO: send the slides to Ben", "send the slides to Ben"),
        ("Reminder: water the pears", "water the pears"),
        ('Remember to read "Grow. Prune. Eat." again', 'read "Grow. Prune. Eat." again'),
        ("Nicht vergessen: Milch", "Milch"),
        ("Nicht vergessen, Frau Müller anzurufen", "Frau Müller anzurufen"),
        ("Denk daran den Klempner anzurufen", "den Klempner anzurufen"),
        ("Bitte denk daran, das Auto zu tanken.", "das Auto zu tanken"),
        ("Denk an die Milch!", "die Milch"),
        ("Vergiss die Milch nicht!", "die Milch"),
        ("Vergiss nicht, die Blumen zu gießen", "die Blumen zu gießen"),
        ("Ich muss den Klempner anrufen", "den Klempner anrufen"),
        ("Ich muss noch die Steuererklärung machen.", "die Steuererklärung machen"),
        ("Zu erledigen: Dach reparieren", "Dach reparieren"),
        ("Anna anrufen", "Anna anrufen"),
        ("Milch kaufen", "Milch kaufen"),
        ("Ich muss noch Milch kaufen", "Milch kaufen"),
        ("Nicht vergessen: Frau Müller schreiben", "Frau Müller schreiben"),
        ("Denk daran, die Blumen zu gießen", "die Blumen zu gießen"),
        ("Pass verlängern nicht vergessen!", "Pass verlängern"),
        ("Ruf Oma morgen an", "Ruf Oma morgen an"),
        ("Steuererklärung bis Freitag abgeben, Belege fehlen noch.", "Steuererklärung bis Freitag abgeben"),
        ("Ne pas oublier de réserver la table", "réserver la table"),
        ("No olvidar comprar pan", "comprar pan"),
        ("Did I remember to call the plumber?", None),
        ("Remember to call the plumber?", None),
        ("Did I forget the milk?", None),
        ("Do I need to call the plumber?", None),
        ('"Remember to call the plumber," she said.', None),
        ("Remember to call the plumber, she said.", None),
        ('She said: "It is late. Remember to call the plumber. Bye."', None),
        ("“Don't forget the milk.”", None),
        ("> Remember to call the plumber", None),
        ("> - I need to fix the roof", None),
        ("He told me to remember to call.", None),
        ("I remember to this day how it smelled", None),
        ("Remember the Titans", None),
        ("Remembering to call is hard", None),
        ("Don't forget that water expands", None),
        ("Don't forget how it began", None),
        ("Don't forget me!", None),
        ("Don't forget the milk is in the fridge", None),
        ("I need to be honest", None),
        ("I need to know why pears ripen", None),
        ("I don't need to call her", None),
        ("I needed to call her", None),
        ("The word TODO: stands here", None),
        ("Todo lists are overrated", None),
        ("Hast du daran gedacht, den Klempner anzurufen?", None),
        ("Denk daran, dass Wasser bei 100 Grad kocht", None),
        ("Denke an dich", None),
        ("Vergiss es nicht", None),
        ("„Vergiss die Milch nicht“, sagte sie.", None),
        ("Nicht vergessen werden darf, dass es kalt war", None),
        ("Ich muss sagen, das war gut", None),
        ("Ich muss immer lachen", None),
        ("Call quality on Zoom is bad", None),
        ("Call me Ishmael.", None),
        ("Call it a day", None),
        ("Book review: Dune", None),
        ("Book club and wine", None),
        ("Email is broken again", None),
        ("Pay attention to the second violin", None),
        ("Buy or rent?", None),
        ("Order of magnitude estimates", None),
        ("Order matters more than speed", None),
        ("Text files outlive every application", None),
        ("Check engine lights come on when it rains", None),
        ("Anna called yesterday", None),
        ("She will call the bank", None),
        ("Man kann Karten auch online kaufen", None),
        ("Ich will keine Karten kaufen", None),
        ("Um Milch zu kaufen", None),
        ("Wer soll das bezahlen", None),
        ("> Call Anna tomorrow", None),
        ("    # TODO: fix(this)\n    x = call(1);\n    y = 2;", None),
        ("```\nTODO: not mine\n```", None),
    ],
)
def test_only_what_is_clearly_to_do_becomes_a_task(line: str, found: str | None) -> None:
    assert extract(None, line).tasks == ([found] if found else [])


def test_a_list_under_a_to_do_label_is_tasks() -> None:
    assert extract(None, "TODO:\n- hotel\n- train\n\nOther:\n- nothing").tasks == ["hotel", "train"]


def test_a_manual_instructs_its_reader_and_gives_no_tasks() -> None:
    assert tasks(read("1. Call the API\n2. Send the token by tomorrow\n\nPay the fee by Friday."), "capture") == []
    assert tasks(read("Call Anna tomorrow"), "research") == []


def test_a_task_is_proposed_once_and_at_most_ten() -> None:
    assert extract(None, "- [ ] Buy milk\nTODO: buy milk.").tasks == ["Buy milk"]
    assert len(extract(None, "".join(f"- [ ] task {n}\n" for n in range(30))).tasks) == TASKS


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("- [ ] Call the plumber\nRemember to call the plumber.", ["Call the plumber"]),
        ("Don't forget the milk\n\n- [ ] Milk", ["the milk"]),
        ("- [ ] Remember to call the plumber\n\nTODO: call the plumber", ["Remember to call the plumber"]),
        ("- [x] Call the plumber\n\nRemember to call the plumber.", []),
        ("Remember to call the plumber.\n- [-] call the plumber\n- [ ] Call the roofer", ["Call the roofer"]),
        ("Nicht vergessen: Milch kaufen\n- [ ] Milch kaufen", ["Milch kaufen"]),
        ("TODO: ask finance. Then tell Ben. TODO: call mum", ["ask finance. Then tell Ben", "call mum"]),
        (
            "A long line about the garden, its pears and all that grows in it\nRemember to call the plumber\nand more",
            ["call the plumber"],
        ),
    ],
)
def test_a_box_and_a_sentence_of_the_same_words_are_one_task(body: str, found: list[str]) -> None:
    assert extract(None, body).tasks == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("- [ ] buy milk\n- [ ] buy milk 📅 2024-01-02", ["buy milk"]),
        ("- [ ] buy milk 🛫 2024-01-01 📅 2024-01-02\nRemember to buy milk.", ["buy milk 🛫 2024-01-01 📅 2024-01-02"]),
        ("- [ ] buy milk\n- [x] buy milk ⏳ 2024-01-02 ✅ 2024-01-03", []),
        ("- [ ] buy milk 2024-01-02\n- [ ] buy milk", ["buy milk 2024-01-02", "buy milk"]),
    ],
)
def test_the_days_behind_a_task_make_no_other_task(body: str, found: list[str]) -> None:
    assert extract(None, body).tasks == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("TODO:\n- ~~buy milk~~\n- buy bread", ["buy bread"]),
        ("- [ ] ~~buy milk~~", []),
        ("- [ ] ~~buy milk~~ ✅ 2024-01-03\n- [ ] call Anna", ["call Anna"]),
        ("~~Remember to call Anna.~~", []),
        ("- [ ] ~~buy milk~~\n\nRemember to buy milk.", []),
        ("- [ ] buy ~~milk~~ bread", ["buy milk bread"]),
        ("- [ ] ~~buy milk~~ and ~~bread~~ call Anna", ["buy milk and bread call Anna"]),
    ],
)
def test_what_is_struck_out_is_no_task(body: str, found: list[str]) -> None:
    assert extract(None, body).tasks == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("- [x] talk to the plumber about the leak\n  and then\n  remember to call Anna", []),
        ("- [x] talk to the plumber\n  TODO: call Anna\n- [ ] call Ben", ["call Ben"]),
        ("- [x] talk to the plumber\n  about the leak\nRemember to call Anna", ["call Anna"]),
        ("- [ ] talk to the plumber\n  remember to call Anna", ["talk to the plumber", "call Anna"]),
        ("- [x] talk to the plumber\n  - [ ] call Anna", ["call Anna"]),
    ],
)
def test_a_line_that_goes_on_with_a_ticked_box_is_done_too(body: str, found: list[str]) -> None:
    assert extract(None, body).tasks == found


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("#research #garden how do pears ripen?", "how do pears ripen?"),
        ("#garden: Pears on clay", "Pears on clay"),
        ("#gardening is fun", "gardening is fun"),
        ("Pears on clay #garden", "Pears on clay"),
    ],
)
def test_hashtags_around_a_text_are_not_its_title(body: str, title: str) -> None:
    assert extract(None, body).title == title


@pytest.mark.parametrize(
    ("url", "title", "tags"),
    [
        ("https://example.org/growing-pears-on-clay", "Growing pears on clay - example.org", ["growing-pears", "clay"]),
        (
            "https://www.example.org/blog/2024/05/growing_pears_on_clay.html?utm=secret-words#more-words-here",
            "Growing pears on clay - example.org",
            ["growing-pears", "clay"],
        ),
        ("https://en.wikipedia.org/wiki/Quince", "Quince - en.wikipedia.org", ["quince"]),
        ("https://de.wikipedia.org/wiki/Birnen%C3%A4pfel", "Birnenäpfel - de.wikipedia.org", ["birnenäpfel"]),
        ("https://example.org/espalier-pears/comments/", "Espalier pears - example.org", ["espalier-pears"]),
        ("https://example.org/questions/11227809/why-do-pears-ripen", "Why do pears ripen - example.org", None),
        ("https://example.org/how-grafting-works-3f9a2b7c1d", "How grafting works - example.org", ["grafting"]),
        ("https://example.org/10-tips-for-2024", "10 tips for 2024 - example.org", []),
        ("https://me:secret@example.org/growing-pears", "Growing pears - example.org", ["growing-pears"]),
        ("https://example.org/growing%0Apears%3Cscript%3E", "Growing pears - example.org", ["growing-pears"]),
        ("https://example.org/550e8400-e29b-41d4-a716-446655440000", "example.org", []),
        ("https://example.org/deadbeefdeadbeef", "example.org", []),
        ("https://youtu.be/oHgSJYRHAXQ", "youtu.be", []),
        ("https://example.org/user/token/aB3_dE-fGhIjKlMn", "example.org/user/token", []),
        ("https://example.org/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs/edit", "example.org/document/d/edit", []),
        ("https://example.org/?q=growing-pears-on-clay", "example.org", []),
        ("https://example.org/#growing-pears-on-clay", "example.org", []),
        ("https://example.org", "example.org", []),
    ],
)
def test_an_address_alone_is_named_and_tagged_by_the_words_of_its_path(
    url: str, title: str, tags: list[str] | None
) -> None:
    for proposal in (extract(None, "", url, [], "link"), extract(None, f"{url}\n")):
        assert proposal.title == title
        assert tags is None or proposal.tags == tags
        assert proposal.summary is None and proposal.tasks == []


def test_an_address_beside_words_gives_no_tags() -> None:
    assert "clay" not in extract(None, "A talk on sleep", "https://example.org/growing-pears-on-clay", [], "link").tags
    assert extract("Sleep", "", "https://example.org/growing-pears-on-clay", [], "link").tags == ["sleep"]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", ""),
        ("no://address www.example.org/a, or https://b.example", "www.example.org/a"),
        ("See (https://b.example/x). Then www.example.org", "https://b.example/x"),
        ("awww.b and http://a.example.", "http://a.example"),
    ],
)
def test_the_first_address_of_a_note_is_found(text: str, url: str) -> None:
    assert read(text).url == url


LINE = "The heron stands in the shallow water and waits for a fish that never comes along. "


def test_behind_the_parsed_part_only_boxes_marks_and_headings_are_read() -> None:
    filler = (LINE * 3 + "\n\n") * 80
    tail = (
        "- [ ] Send the contract\n- nothing\n\nTODO: ask finance\n\n## To do\n\n- hotel\n- train\n\nOther.\n\n- nothing"
        "\n\n```\nTODO: not mine\n```\n\n> TODO: nor this\n\n- [x] Sent\n"
    )
    page = read(filler + tail)
    assert page.unread > 5_000
    assert sum(len(block.text) for block in page.blocks) < PARSED + len(tail)
    assert tasks(page, "capture") == ["Send the contract", "ask finance", "hotel", "train"]
    assert tasks(read(tail), "capture") == tasks(page, "capture")
    one_paragraph = read((LINE + "\n") * 400 + "- [ ] Send the contract\n")
    assert one_paragraph.unread > 5_000 and tasks(one_paragraph, "capture") == ["Send the contract"]


def test_a_meeting_note_has_all_four() -> None:
    assert extract(None, MEETING) == Proposal(
        title="Offsite in Lisbon",
        summary="Anna Schmidt and Tom Baker agreed on the budget for the offsite.",
        tags=extract(None, MEETING).tags,
        tasks=[
            "Send the contract to Priya",
            "ask finance about travel insurance",
            "Call Anna tomorrow about the venue",
        ],
    )
    assert {"lisbon", "offsite"} & set(extract(None, MEETING).tags)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the house is on the hill", "en"),
        ("das haus steht auf dem hügel", "de"),
        ("la maison est sur une colline avec des arbres", "fr"),
        ("la casa está en una colina con los árboles", "es"),
        ("zxcv qwer", ""),
        ("garage door opener", ""),
    ],
)
def test_the_language_is_told_by_its_small_words(text: str, name: str) -> None:
    assert language(text.split()) == name


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Who met Mr. Smith. They left.", ["Dr. Who met Mr. Smith.", "They left."]),
        ("Version 3.11 is out. Good.", ["Version 3.11 is out.", "Good."]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Am 3. Mai. Danach.", ["Am 3. Mai.", "Danach."]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_stop(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


HOSTILE = {
    "brackets": "[" * 50_000,
    "embeds": "![[" * 17_000,
    "links": "[a](" * 12_000,
    "code": "`a " * 17_000,
    "tags": "#a " * 17_000,
    "html": "<a " * 17_000,
    "comments": "<!-- " * 10_000,
    "stars": "*a " * 17_000,
    "mail": "a@b." * 12_000,
    "quotes": ">" * 50_000,
    "spaces": "a" + " " * 49_000 + "b",
    "german": "ein kaufen " * 5_000,
    "assignments": "a.b=\n" * 10_000,
    "one word": "a" * 900_000,
    "many words": " ".join(
        f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)}" for n in range(10_000)
    ),
    "long": "The heron stands in the shallow water and waits. " * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long(name: str) -> None:
    started = time.process_time()
    extract(None, HOSTILE[name])
    assert time.process_time() - started < 2


WORDS = (
    "Anna Müller calls the plumber about heating "
    "пример 学习语言 ホテル école l'eau don't TODO: https://a.example/b-c-d-e x_y"
)
MARKUP = (
    "# |## |- |- [ ] |> |> [!note] |```\n|`|**|_|==|[[|]]|[a](b)|![|<b>|<!-- "
    "|-->|%%| | \n|\n\n|. |: |, |#tag |&amp;|\\|---\n|\t|1. "
)
NOTES = st.lists(
    st.sampled_from(WORDS.split()) | st.sampled_from(MARKUP.split("|")) | st.just(" ") | st.text(max_size=6),
    max_size=60,
).map("".join)


def folded(text: str) -> str:
    text = re.sub("[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]", "", text)
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in text.casefold() if not unicodedata.combining(char))


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text)) | set(re.findall(r"[^\W_]+", re.sub("['’]", "", text)))


def occurs(word: str, words: set[str], text: str) -> bool:
    """In the note: as a word, or made of words between which markup stood, or inside text without spaces."""
    if word in words or (len(word) > 30 and word in re.sub(r"\W", "", text)):
        return True
    reach = {0}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = word[start:end]
            eastern = re.fullmatch("[\u2e80-\u9fff\uac00-\ud7af]+", piece)
            if start in reach and (piece in words or (eastern and piece in text)):
                reach.add(end)
    return len(word) in reach


@given(NOTES | st.text())
@settings(deadline=None, max_examples=300)
def test_every_word_of_every_output_is_in_the_note(body: str) -> None:
    proposal = extract(None, body)
    text = folded(body)
    words = words_of(text) | {folded(word) for word in words_of(body)}
    for line in (proposal.title or "", proposal.summary or "", *proposal.tags, *proposal.tasks):
        for word in re.findall(r"[^\W_]+", folded(line)):
            # Where there is no space to cut at, the last word may be a part of one.
            parted = line.endswith("…") and len(line.split(" ")[-1]) > 30 and word in text
            assert occurs(word, words, text) or parted, (word, line)


@given(
    st.none() | st.text(max_size=40), NOTES | st.text(), st.none() | st.text(max_size=30), st.lists(st.text(max_size=9))
)
@settings(deadline=None)
def test_any_note_gives_a_safe_and_stable_proposal(
    title: str | None, body: str, url: str | None, tags: list[str]
) -> None:
    proposal = extract(title, body, url, tags)
    assert proposal == extract(title, body, url, tags)
    assert proposal.title is None or 0 < len(proposal.title) <= TITLE
    assert proposal.summary is None or 0 < len(proposal.summary) <= SUMMARY
    assert len(proposal.tasks) <= TASKS and all(0 < len(task) <= TASK for task in proposal.tasks)
    assert all(tag == kebab(tag) and tag not in RESERVED_TAGS for tag in proposal.tags)
    assert len(proposal.tags) <= 5
    says_nothing = {"null", "none", "n/a", "na", "nil", "undefined", "untitled", "no title", "no summary"}
    every = (proposal.title, proposal.summary, *proposal.tags, *proposal.tasks)
    lines = {line.casefold().strip(". ") for line in every if line}
    if not proposal.empty and not lines & says_nothing:
        assert admit(proposal, f"{title}\n{body}\n{url}", tags) == proposal
