import time

import pytest

from shared.search import MOST, tokens, words

CASES = [
    # case and accents
    ("Café NAÏVE Straße Ærø Łódź İstanbul", ["cafe", "naiv", "strass", "aero", "lodz", "istanbul"]),
    ("Москвы город Ёлка", ["москв", "город", "елк"]),
    ("Άνθρωπος", ["ανθρωπ"]),
    ("ﬁne Ⅳ ｆｕｌｌ", ["fine", "iv", "full"]),
    ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
    # inflections
    ("running runs run", ["run"]),
    ("studies studying study", ["studi"]),
    ("note notes noted", ["note"]),
    ("the user's users’ don't", ["the", "user", "dont"]),
    # identifiers
    ("getUserName", ["getusernam", "get", "user", "name"]),
    ("HTTPServer", ["httpserver", "http", "server"]),
    ("snake_case_name", ["snake_case_name", "snake", "case", "name"]),
    ("MAX_RETRIES", ["max_retries", "max", "retri"]),
    ("os.path.join", ["os.path.join", "os", "path", "join"]),
    ("src/app/main.py", ["src/app/main.py", "src", "app", "main", "py"]),
    ("well-known", ["well-known", "well", "known"]),
    ("C++ and C# and F#", ["c++", "and", "c#", "f#"]),
    ("notepad++", ["notepad++", "notepad"]),
    ("f(x) g(x,y) call()", ["f(x)", "f", "x", "g(x,y)", "g", "y", "call"]),
    ("python3 utf8", ["python3", "python", "utf8", "utf"]),
    ("iPhone", ["iphon", "phone"]),
    ("a@example.com", ["a@example.com", "a", "exampl", "com"]),
    # numbers and versions
    ("3.11", ["3.11"]),
    ("v1.2.3", ["v1.2.3", "1.2.3", "1.2"]),
    ("1,000 12,345,678", ["1000", "12345678"]),
    ("2024-05-01", ["2024-05-01", "2024", "05", "01"]),
    ("10:30", ["10:30", "10", "30"]),
    # Chinese, Japanese, Korean, Thai
    ("猫", ["猫"]),
    ("東京都", ["東", "東京", "京", "京都", "都"]),
    ("カメラ", ["カメ", "メラ"]),
    ("ｶﾒﾗ", ["カメ", "メラ"]),
    ("が か", ["が", "か"]),
    ("ガラス", ["ガラ", "ラス"]),
    ("食べる", ["食", "食べ", "べる"]),
    ("한국어를", ["한국어를", "한국", "국어", "어를"]),
    ("GPT東京", ["gpt", "東", "東京", "京"]),
    ("ไทย", ["ไท", "ทย"]),
    ("हिन्दी में", ["हिन्दी", "में"]),
    # addresses
    (
        "https://www.docs.example.org:8080/getting-started/intro?page=2#top",
        ["docs.example.org", "doc", "exampl", "org", "getting-started", "get", "start", "intro", "page", "2", "top"],
    ),
    ("[the link](https://example.com/a%20b).", ["the", "example.com", "exampl", "com", "a", "b", "link"]),
    ("www.example.com", ["example.com", "exampl", "com"]),
    # Markdown and signs
    ("**bold** `code` [[Wiki Link]] #tag _it_", ["bold", "code", "wiki", "link", "tag", "it"]),
    ("🚀 launch", ["🚀", "launch"]),
    ("... --- !!! ()", []),
    ("", []),
    ("x" * 65 + " short", ["short"]),
]


@pytest.mark.parametrize(("body", "found"), CASES, ids=[case[0][:30] for case in CASES])
def test_words_of_a_text(body: str, found: list[str]) -> None:
    assert tokens("", body, []) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the capital of France?", ["capit", "franc"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("What's this?", ["what", "this"]),
        ("Was ist die Hauptstadt der Häuser?", ["hauptstadt", "hauser", "haus"]),
        ("¿Cómo están los perros?", ["perro", "perr"]),
        ("猫が好きですか", ["猫が", "が好", "好き"]),
        ("です", ["です"]),
        ("猫", ["猫"]),
        ("東京", ["東京"]),
        ("C++", ["c++"]),
        ("How do I use asyncio.TaskGroup?", ["use", "asyncio.taskgroup", "asyncio", "taskgroup", "task", "group"]),
        ("", []),
        ("???", []),
    ],
)
def test_words_of_a_question(question: str, found: list[str]) -> None:
    assert words(question) == found


@pytest.mark.parametrize(
    ("question", "title", "body"),
    [
        ("databases", "", "We moved the database to a cheaper region."),
        ("migrating", "", "The migration was migrated."),
        ("MÜNCHEN", "", "Ein Wochenende in Munchen"),
        ("Munchen", "", "Ein Wochenende in München"),
        ("Häuser", "", "Das Haus ist alt und die Tür ist neu, aber wir sind nicht da."),
        ("les journaux", "", "Le journal est dans la maison et il est sur la table."),
        ("strasse", "", "Die Straße"),
        ("Straßen", "", "Die Straße ist nicht lang"),
        ("user name", "", "def getUserName(self): ..."),
        ("getUserName", "", "rename getUserName"),
        ("getusername", "", "rename getUserName"),
        ("TaskGroup", "", "see asyncio.TaskGroup"),
        ("3.11", "", "needs Python 3.11.4 or later"),
        ("python", "", "python3.11 is required"),
        ("main.py", "", "edit functions/chat/main.py"),
        ("github", "", "https://github.com/example/project"),
        ("project", "", "https://github.com/example/project"),
        ("東京", "", "先週東京都に行きました"),
        ("猫", "", "私の猫は黒い"),
        ("カメラ", "", "新しいカメラが欲しい"),
        ("한국어", "", "한국어를 공부합니다"),
        ("c#", "", "written in C#."),
        ("callouts", "Callouts", ""),
        ("l'avion", "", "un avion"),
        ("ёлка", "", "Новогодняя елка"),
        ("1000", "", "it costs 1,000 dollars"),
        ("the who", "The Who", "a band"),
    ],
)
def test_a_question_finds_the_note_it_means(question: str, title: str, body: str) -> None:
    assert set(words(question)) & set(tokens(title, body, []))


def test_title_and_tags_come_first_and_nothing_twice() -> None:
    assert tokens("A Title", "title body", ["home/garden"]) == [
        "a",
        "titl",
        "home/garden",
        "home",
        "garden",
        "bodi",
    ]


def test_a_long_note_is_cut_after_its_title_and_tags() -> None:
    found = tokens("Title", " ".join(f"word{n}" for n in range(5_000)), ["tag"])
    assert len(found) == MOST
    assert found[:2] == ["titl", "tag"]


def test_words_hold_no_space_and_nothing_that_would_break_a_line() -> None:
    text = "a\u2028b\u00a0c\td\x00e\x1ff g"
    assert all(not any(char.isspace() or ord(char) < 32 for char in word) for word in tokens("", text, []))


def test_the_same_text_gives_the_same_words_each_time() -> None:
    text = "Größe getUserName 東京 https://example.org/a"
    assert tokens("t", text, ["x"]) == tokens("t", text, ["x"])
    assert words(text) == words(text)


def test_the_cost_of_words_grows_with_the_text_only() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        tokens("", text, [])
        return time.process_time() - began

    plain = seconds("some ordinary words of a note " * 3_000) + 0.01
    for hostile in ("1,111," * 15_000, "a(1," * 20_000, "a-" * 45_000, "[[" * 45_000, "x" * 90_000, "漢" * 90_000):
        assert seconds(hostile) < 60 * plain, hostile[:8]
