"""A life's worth of notes for screenshots: realistic, a little of everything."""

import time

from pydantic import JsonValue

from shared.models.base import JsonDict, moment, rfc3339
from tests.web.fake_api import Memory

SLEEP = """Sleep and memory, from the lecture on Tuesday.

Slow-wave sleep in the first half of the night seems to do the moving: the hippocampus replays the day and the cortex \
keeps what it hears twice. People who learned word pairs before a night of sleep forgot about a third fewer of them \
than people who learned them in the morning and stayed awake.

The lecturer warned that **most of the classic studies had fewer than 30 people**, and that two larger replications \
found about half the effect.

- naps under 90 minutes: mixed
- caffeine after 2 pm: shortens the slow-wave part
"""

SPACING = """Spaced repetition: why the gaps matter more than the number of reviews.

Cepeda and others looked at 317 experiments. The best gap is roughly **10 to 20 % of the time until you need it**: for \
a test in a week, review after a day; for a test in a year, after a month.

What nobody tells you is that the schedule matters less than keeping it at all.
"""

REPORT = """# Does sleeping on it help one remember, and for how long?

Yes, modestly: a night of sleep soon after learning reduces forgetting, and the best-known size of that effect is \
probably twice the real one. [cite: 1] The gain shows most for facts that were learned well once, and least for skills \
practised every day. [cite: 1, 3]

## How large the effect is

| Study | People | Less forgetting | Replicated |
|:--|--:|--:|:--|
| Word pairs, 2006 | 28 | 34 % | partly |
| Word pairs, pooled 2021 | 1,460 | 17 % | yes |
| Finger tapping, 2002 | 62 | 20 % | no |

Your own notes put it at “a third”, and add the lecturer's warning that the early studies were small. [cite: 1] The \
pooled figure of 17 % comes from a registered replication with 1,460 people. [cite: 3]

## What it means for spacing reviews

Sleep does not replace a second look. The best gap between looks is 10 to 20 % of the time until the knowledge is \
needed, [cite: 2] and a night in that gap comes free. In practice:

1. Learn in the evening where you can choose.
2. Look again the next day, not the same night. [cite: 2]
3. Do not count on naps: results under 90 minutes are mixed. [cite: 1]

> The gain is real, it is about half of what the textbooks say, and it is not a reason to study tired.

## What stays open

Whether the effect lasts beyond a month is unknown: only two of the nine studies tested later than 28 days. [cite: 3, 4]
"""


VAULT = """---
title: Pears at the wall
aliases: [espalier]
created: 2025-03-01
---

Tie them flat, as [[Espalier|the old books]] say, and see [[Walls#South]] for the warmth. \\#garden

![[wall in March.png]]

- [[Pruning in August]]
- water every second day
"""


def fill(memory: Memory) -> dict[str, str]:
    """Put the sample in, and name what screenshots want to open."""
    now = time.time()
    minute, hour, day = 60.0, 3600.0, 86400.0
    done: JsonValue = {"status": "enriched", "error": None, "attempts": 1, "tags": ["learning"]}

    def note(ago: float, **fields: JsonValue) -> JsonDict:
        return memory.note(at=now - ago, **({"enrichment": done} | fields))

    note(40 * day, body="Grandmother’s plum cake: 300 g flour, 150 g butter, 1 egg. Bake until it smells done.",
         title="Plum cake, as grandmother made it", tags=["recipes"])  # fmt: skip
    note(12 * day, kind="link", body="", url="https://sqlite.org/appropriate-uses.html",
         title="Appropriate uses for SQLite", tags=["databases", "sqlite"],
         summary="When one file is enough: device storage, websites with under 100,000 hits a day, data analysis, "
         "and where a client and server database fits better.")  # fmt: skip
    note(
        6 * day,
        body="مرحبا بالعالم. هذه ملاحظة قصيرة عن القراءة قبل النوم.",
        title="ملاحظة عن القراءة",
        tags=["reading"],
    )
    spacing = note(3 * day, body=SPACING, title="Spaced repetition: the gap matters most", tags=["learning", "memory"])
    sleep = note(2 * day, body=SLEEP, title="Sleep and memory, lecture notes", tags=["learning", "sleep"])
    note(26 * hour, kind="link", body="", url="https://www.rfc-editor.org/rfc/rfc9562", tags=["ids", "standards"],
         title="RFC 9562: Universally Unique IDentifiers",
         summary="Defines UUID versions 6, 7 and 8; version 7 sorts by time of creation.")  # fmt: skip
    note(7 * hour, body="Idea for the workshop: let people bring one question they gave up on.\n\nNo slides. An hour. "
         "Everybody leaves with the next step written on a card.", title="Workshop: questions people gave up on",
         tags=["workshop", "teaching"])  # fmt: skip
    question = note(3 * hour, body="Does sleeping on it help one remember, and for how long?",
                    title="Does sleep help memory?", tags=["learning", "research"])  # fmt: skip
    call = note(2 * hour, body="Call Ines about the survey before Friday, she needs the numbers of March and a yes or "
                "no on the second round.", title="Call Ines about the survey", tags=["work"])  # fmt: skip
    for title in ("Call Ines about the survey", "Find the March numbers"):
        memory.task(title=title, source_note_id=call["id"])
    call["task_ids"] = list(memory.tasks)
    memory.task(title="Return the book on walls", status="done")
    note(5 * hour, body="What grows in the shade of a walnut tree?", title="What grows in the shade of a walnut tree?",
         tags=["garden"],
         research={"requested": False, "status": "cancelled", "operation_id": call["id"], "error": None})  # fmt: skip
    vault = note(4 * hour, body=VAULT, title="Pears at the wall", tags=["garden"], source="import")
    running_note = note(9 * minute, body="What speaks for sorting ids by time, and what against?\n\nWe are about to "
                        "choose one for everything.", title="Ids sorted by time: for and against",
                        tags=["ids", "research"])  # fmt: skip
    report = _report(memory, now - 70 * minute, question, sleep, spacing)
    running = _running(memory, now, running_note)
    failed = _failed(memory, now, question)
    question["research"] = {"requested": False, "status": "completed", "operation_id": report["id"], "error": None}
    note(20, body="Ferry on the 14th leaves at 7:40, not 8:10. Tell the others.",
         enrichment={"status": "pending", "error": None, "attempts": 0, "tags": []})  # fmt: skip
    return {"report": str(report["id"]), "running": str(running["id"]), "failed": str(failed["id"]),
            "call": str(call["id"]), "question": str(question["id"]), "vault": str(vault["id"]),
            "running_note": str(running_note["id"])}  # fmt: skip


def _report(memory: Memory, at: float, question: JsonDict, sleep: JsonDict, spacing: JsonDict) -> JsonDict:
    def cite(number: int, title: JsonValue, url: str, note_id: JsonValue, quote: str) -> JsonValue:
        kind = "note" if note_id else "web"
        return {"number": number, "title": title, "url": url, "source_kind": kind, "note_id": note_id, "quote": quote}

    report = memory.note(
        at=at,
        kind="research",
        title="Does sleeping on it help one remember, and for how long?",
        body=REPORT,
        summary="Yes, modestly: about 17 % less forgetting, half of what early studies claimed.",
        tags=["research-report", "learning"],
        source_note_id=question["id"],
        citations=[
            cite(1, sleep["title"], f"#/notes/{sleep['id']}", sleep["id"],
                 "The lecturer warned that most of the classic studies had fewer than 30 people, and that two larger "
                 "replications found about half the effect."),
            cite(2, spacing["title"], f"#/notes/{spacing['id']}", spacing["id"],
                 "The best gap is roughly **10 to 20 % of the time until you need it**"),
            cite(3, "Sleep and declarative memory: a registered replication", "https://example.org/sleep-replication",
                 None, "Across 1,460 participants, sleep reduced forgetting by 17 % (95 % CI 11 to 23)."),
            cite(4, "Long retention intervals in sleep studies", "https://example.org/retention", None,
                 "Only two of nine studies tested later than 28 days."),
        ],
    )  # fmt: skip
    note_id = str(report["id"])
    memory.trace(note_id, {"type": "thinking", "text": "The question has two parts: whether, and for how long."})
    memory.trace(note_id, {"type": "tool_call", "tool": "search_notes", "arguments": {"query": "sleep memory"}})
    memory.trace(note_id, {"type": "tool_result", "tool": "search_notes", "ok": True, "result": {"found": 2}})
    memory.trace(note_id, {"type": "tool_result", "tool": "fetch", "ok": False, "result": {"error": "timeout"}})
    memory.trace(note_id, {"type": "text", "text": REPORT})
    memory.trace(note_id, {"type": "usage", "tokens": 18240, "cost_usd": 0.42})
    return report


def _running(memory: Memory, now: float, note: JsonDict) -> JsonDict:
    operation = memory.operation(
        note,
        status="running",
        started_at=rfc3339(moment(now - 500)),
        progress={"percent": 45, "message": "Reading 12 sources", "next_look_at": rfc3339(moment(now + 24))},
        usage={"tokens": 14210, "cost_usd": 1.24},
        estimated_usd=3.0,
    )
    memory.happen(operation, "task.progress", percent=0, message="Waiting for a free slot")
    memory.happen(operation, "task.started")
    memory.happen(operation, "task.thinking", message="Compare ULID, UUIDv7 and Snowflake; look for leaks of time.")
    memory.happen(operation, "task.tool_call", tool_name="web_search", input={"query": "UUIDv7 index locality"})
    memory.happen(operation, "task.tool_result", tool_name="web_search", output={"results": 8, "kept": 3})
    memory.happen(operation, "task.progress", percent=45, message="Reading 12 sources")
    note["research"] = {"requested": False, "status": "running", "operation_id": operation["id"], "error": None}
    return operation


def _failed(memory: Memory, now: float, note: JsonDict) -> JsonDict:
    operation = memory.operation(
        note,
        status="failed",
        started_at=rfc3339(moment(now - 7800)),
        created_at=rfc3339(moment(now - 7900)),
        error={
            "code": "start_unknown",
            "message": "The connection broke while the run was being started, so nobody knows whether it runs.",
            "next": "Look at your project’s usage, then start it anew.",
        },
    )
    memory.happen(operation, "task.started")
    memory.happen(operation, "task.failed", error_code="start_unknown", error_message="The connection broke.")
    return operation
