"""What text of others costs: no beginning that nothing ends, however often it comes, costs more than text does.

It compares processor time with that of ordinary text of the same length in the same run, so it needs no fast machine.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

import pytest
from pydantic import JsonValue

from infra.local.research.researcher import Passage, research
from shared.models.base import JsonDict
from shared.net.markup import plain
from shared.research.citing import marked_claims
from shared.research.extract.asked import focus
from shared.research.extract.sentence import sentences
from shared.research.extract.visible import clean
from shared.research.interaction import parse_interaction
from shared.research.report import assemble
from shared.research.sources import listed_sources

SIZE = 100_000
RATIO = 30
ID = "01arz3ndektsv4rrffq69g5fab"
ORDINARY = (
    "# How bees live\n\nBees make **honey** from nectar [cite: 1], and store it in [[combs]]. They dance, too. Why?\n\n"
    "- A [hive](https://a.test/) holds many bees.\n- Honey keeps for years, e.g. in `jars`.\n\n"
    "<p>Some <b>pages</b> say so &amp; more.</p>\n\n## Sources\n\n1. [Bees](https://bees.test/)\n2. [Hives](https://b.test/)\n\n"
)
BEGINNINGS = [
    *(
        "<a",
        "<a ",
        "<a b=",
        "<a b='",
        '<a b="',
        "<a =\"> ='> ",
        "</a",
        "</",
        "<!--",
        "<!-",
        "<!",
        "<?",
        "<![CDATA[",
        "<script>",
    ),
    *(
        "|",
        "\\|",
        "|a|\n",
        "|-|\n",
        "[[",
        "[[a|",
        "![[",
        "[x](",
        "![a](",
        "[a](b(",
        "[a](b (c",
        "[[1]",
        "[^",
        "[cite: ",
        "[cite: 1, ",
        "[1, ",
        "[1][",
        "\\[",
    ),
    *("**a ", "***", "*a ", "_a ", "__a ", "==a ", "~~a ", "`", "``a ", "``a`", "%%", "%% a\n", "\\`"),
    *(
        "- [",
        "- [\n",
        "- ",
        "- a\n",
        "1. ",
        "1. x\n",
        "1. a b\n2. c d\n",
        "1. [",
        "> ",
        ">",
        "> [!a",
        "# a b\n",
        "# a # ",
        "#",
    ),
    *(
        "a? ",
        "a ",
        "a. ",
        ".) ",
        ". ",
        "...",
        "。",
        "! ",
        "e.g. ",
        "a:\n",
        "a:\n```\nb\n```\n",
        "|",
        "| a ",
        "![a]b ",
        "^a ",
        "---\n",
    ),
    *("&", "&#", "&#91;", "&amp;", "&#1", "1,111,", "a-", "_", "\n", "\t", " ", "\u200b", "\u200d", "x", "9", "蜂"),
    *("https://", "https://a.test/ ", "#/notes/", "#a ", "**Sources:**\n", "## Sources\n1. https://a.test/\n"),
]
ONCE = {
    "a number without end": "[1, " + "1, " * SIZE,
    "a marker without end": "[cite: " + "1 , " * SIZE,
    "a title of spaces": "# " + " " * (SIZE - 3) + "x",
    "an entry of spaces": "## Sources\n1. " + " " * SIZE,
    "an entry that spaces follow": "## Sources\n1. x" + " " * (SIZE - 20) + "\u2007x",
    "labels in a label": "## Sources\n1. [" + "[a]" * SIZE,
    "a link of parentheses": "[a](" + "(b)" * SIZE,
    "front matter": "---\n" + "\n---x" * SIZE,
    "a script": "<script>" + "</scrip" * SIZE,
    "a tag of quotes": "<a " + "='" * SIZE,
    "a list of bees": "# Bees make honey\n\n" + "- bees make honey\n" * SIZE,
    "many headings": "# Bees make honey\n\nBees make honey now.\n\n" + "## Bees {n} honey\nBees make honey.\n" * SIZE,
}
HOSTILE = {repr(one): one * (SIZE // len(one) + 1) for one in BEGINNINGS} | ONCE


def searched(text: str) -> None:
    async def retrieve(labels: Mapping[str, str], question: str, limit: int) -> Sequence[Passage]:
        return [Passage(ID, text[:200], f"Bees make honey in the hive.\n\n{text}")]

    asyncio.run(research(f"How do bees make honey?\n{text}", {}, retrieve))


def assembled(text: str) -> None:
    notes: list[JsonValue] = [
        {"url": f"https://a.test/{at % 7}", "start_index": at, "end_index": SIZE} for at in range(100)
    ]
    part: JsonDict = {"type": "text", "text": text, "annotations": notes}
    assemble(parse_interaction({"steps": [{"type": "model_output", "content": [part]}]}))


READERS: dict[str, Callable[[str], object]] = {
    "sentences": sentences,
    "clean": clean,
    "focus": focus,
    "research": searched,
    "listed_sources": lambda text: listed_sources(f"**Sources:**\n1. {text}"),
    "marked_claims": lambda text: marked_claims(text, {}, bare=True),
    "assemble": assembled,
    "plain": plain,
}


def cost(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    read(text)
    return time.process_time() - began


@pytest.mark.parametrize("reader", READERS)
def test_no_text_costs_more_than_text_does(reader: str) -> None:
    read = READERS[reader]
    ordinary = ORDINARY * (SIZE // len(ORDINARY) // 2) + "## Sources\n"
    ordinary += "1. [Bees](https://bees.test/)\n2. [Hives](https://b.test/)\n" * SIZE
    ordinary = ordinary[:SIZE]
    read(ordinary)
    # Not less than what a scan of the text costs: some readers have nothing to do with ordinary text.
    usual = max(cost(read, ordinary), cost(str.split, ordinary))
    dear = {name: spent for name, text in HOSTILE.items() if (spent := cost(read, text[:SIZE])) > RATIO * usual}
    # A machine may pause once: what is dear is so again.
    again = {name: cost(read, HOSTILE[name][:SIZE]) / usual for name in dear}
    assert {name: round(times) for name, times in again.items() if times > RATIO} == {}
