import { describe, expect, it } from "vitest";
import { did, doing, failedTo, todo } from "./tools";

describe("a tool in words", () => {
  it.each([
    ["search_notes", { query: "sleep" }, { notes: [1, 2, 3] }, "Searched your notes for “sleep”: 3 found"],
    [
      "search_notes",
      { query: "sleep", tag: "x" },
      { notes: [] },
      "Searched your notes for “sleep” among those tagged #x: nothing found",
    ],
    ["search_notes", { query: "sleep" }, { found: 2 }, "Searched your notes for “sleep”: 2 found"],
    ["get_note", { note_id: "01" }, { note: { title: "Pears" } }, "Read the note “Pears”"],
    ["get_note", { note_id: "01" }, {}, "Read a note"],
    ["calculator", { expression: "6*7" }, { result: "42" }, "Worked out 6*7: it is 42"],
    ["create_tasks", { tasks: [{ title: "Call Y" }] }, {}, "Added the task “Call Y”"],
    ["create_tasks", { tasks: [{ title: "A" }, { title: "B" }] }, {}, "Added 2 tasks: “A”, “B”"],
    ["create_note", { text: "Long\n words", title: null }, {}, "Wrote the note “Long words”"],
    [
      "update_note",
      { changes: { title: "a", body: "b", add_tags: [] } },
      {},
      "Changed the title, the text and the tags of a note",
    ],
    ["update_task", { changes: { status: "done" } }, {}, "Changed the status of a task"],
    [
      "http_fetch",
      { url: "https://www.example.org/a/" },
      { title: "A page" },
      "Read example.org/a: “A page”",
    ],
    [
      "queue_approval",
      { action: { tool: "delete_note", arguments: {} } },
      {},
      "Asked for your approval to move a note to the bin",
    ],
    [
      "create_note",
      { title: "Review" },
      { queued_for_approval: "01", message: "Nothing is changed yet." },
      "Asked for your approval to write the note “Review”",
    ],
    ["fetch_market_data", { symbols: ["A", "B"] }, { quotes: [1] }, "Looked up the price of A, B: 1 found"],
    [
      "generate_artifact",
      { artifact: { kind: "table", title: "Studies" } },
      {},
      "Laid out a table “Studies”",
    ],
    ["retrieval", {}, { result: [1, 2] }, "Looked through the sources: 2 found"],
    ["notion__search", { q: 1 }, {}, "Used notion__search"],
    ["constructor", {}, {}, "Used constructor"],
    ["search_notes", { query: 7 }, { notes: "?" }, "Searched your notes"],
  ])("%s", (tool, asked, result, words) => expect(did(tool, asked, result)).toBe(words));

  it("says what is being done, what is to be done, and why it was not", () => {
    expect(doing("web_search", { query: "x" })).toBe("Searching the web for “x”…");
    expect(todo("delete_note", {})).toBe("move a note to the bin");
    expect(failedTo("http_fetch", { url: "https://x.example" }, { error: "egress_blocked" })).toBe(
      "Could not read x.example: egress blocked",
    );
    expect(failedTo("get_note", {}, { message: "There is no such note." })).toBe(
      "Could not read a note: There is no such note.",
    );
  });

  it("cuts what is long", () => {
    expect(did("search_notes", { query: "word ".repeat(40) }).length).toBeLessThan(120);
  });
});
