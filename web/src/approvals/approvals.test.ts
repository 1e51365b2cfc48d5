import { describe, expect, it } from "vitest";
import { Approval, WaitingRun } from "../api/approval";
import { changesFrom, fieldsOf } from "./draft";
import { compared, diffLine, failure, noteOf, proposal, shown, standing, wanted } from "./words";

const approval = (fields: object) =>
  Approval.parse({
    id: "1",
    created_at: "",
    action: { tool: "create_note", arguments: { text: "x" } },
    reason: "r",
    subject: "me",
    expires_at: "",
    ...fields,
  });

describe("a proposal in words", () => {
  it.each([
    [{ tool: "create_tasks", arguments: { tasks: [1, 2] } }, "Add 2 tasks"],
    [{ tool: "create_tasks", arguments: { tasks: [1] } }, "Add a task"],
    [{ tool: "add_evidence", arguments: { stance: "against" } }, "Add evidence against a thesis"],
    [{ tool: "update_note", arguments: {} }, "Change a note"],
    [{ tool: "a_new_one", arguments: {} }, "a new one"],
  ])("%j", (action, words) => expect(proposal(action)).toBe(words));

  it.each([
    [{ tool: "delete_note", arguments: { note_id: "n" } }, "Move a note to the bin"],
    [{ reason: "egress_approval", tool: "http_fetch", blocked_host: "example.org" }, "Reach example.org"],
    [{ reason: "approve_answer", answer: "It is so." }, "Give an answer"],
  ])("of a conversation: %j", (fields, words) => {
    const run = WaitingRun.parse({
      run_id: "1",
      session_id: "2",
      reason: "approve_tool",
      tool: "",
      arguments: {},
      why: "",
      blocked_host: "",
      answer: "",
      expires_at: "",
      ...fields,
    });
    expect(wanted(run)).toBe(words);
  });

  it("says how it stands", () => {
    expect(standing(approval({}))).toBe("Waits for your word");
    expect(standing(approval({ claim: { subject: "a", at: "" } }))).toBe("Approved, being done");
    expect(standing(approval({ status: "approved", ok: true }))).toBe("Approved and done");
    expect(standing(approval({ status: "approved", ok: false }))).toContain("could not be done");
    expect(standing(approval({ status: "expired" }))).toContain("nobody answered");
  });

  it("finds the note that came of it, and why there is none", () => {
    expect(noteOf(approval({ result: { note_id: "n" } }))).toBe("n");
    expect(noteOf(approval({ result: { note: { id: "n" } } }))).toBe("n");
    expect(noteOf(approval({ result: { id: "no note" } }))).toBeNull();
    const failed = approval({
      ok: false,
      result: { error: "x", message: "It is gone.", next: "Restore it." },
    });
    expect(failure(failed)).toBe("It is gone. Restore it.");
  });

  it("shows values as one reads them", () => {
    expect([null, [], ["a", "b"], true, 3, [{ title: "t" }], { a: 1 }].map(shown)).toEqual([
      "none",
      "none",
      "a, b",
      "yes",
      "3",
      "t",
      '{"a":1}',
    ]);
  });

  it("tells the lines of a comparison apart", () => {
    expect(["+a", "-b", " c", "@@ -1 +1 @@", "@@ cut: 7 more lines @@"].map(diffLine)).toEqual([
      { kind: "added", text: "a" },
      { kind: "removed", text: "b" },
      { kind: "same", text: "c" },
      { kind: "gap", text: "" },
      { kind: "gap", text: "cut: 7 more lines" },
    ]);
  });

  it("marks no gap above a comparison that begins at the top", () => {
    expect(compared(["@@ -0,0 +1,2 @@", "+a", "+b"]).map(({ text }) => text)).toEqual(["a", "b"]);
    expect(compared(["@@ -1 +1 @@", "-a", "+b"]).map(({ kind }) => kind)).toEqual(["removed", "added"]);
    expect(compared(["@@ -10,2 +10,2 @@", "+b"]).map(({ kind }) => kind)).toEqual(["gap", "added"]);
    expect(compared([])).toEqual([]);
  });
});

describe("its arguments as a form", () => {
  const given = {
    note_id: "n",
    changes: { title: "T", body: "one\ntwo", add_tags: ["a", "b"] },
  };

  it("leaves out what it is about", () => {
    expect(fieldsOf(given).map(({ name, kind }) => [name, kind])).toEqual([
      ["changes.title", "line"],
      ["changes.body", "text"],
      ["changes.add_tags", "tags"],
    ]);
  });

  it("sends nothing where nothing was changed", () => {
    expect(changesFrom(given, fieldsOf(given))).toEqual({ changes: {} });
  });

  it("sends a nested argument whole, because the server replaces it whole", () => {
    const edited = fieldsOf(given).map((one) => (one.kind === "tags" ? { ...one, text: "#a, c" } : one));
    expect(changesFrom(given, edited)).toEqual({
      changes: { changes: { title: "T", body: "one\ntwo", add_tags: ["a", "c"] } },
    });
    expect(given.changes.add_tags).toEqual(["a", "b"]);
  });

  it("keeps a task's tags while its title stays, and names what can't be read", () => {
    const tasks = { tasks: [{ title: "Call", tags: ["x"] }, { title: "Buy" }], confidence: 3, odd: [{}] };
    const [list, number, json] = fieldsOf(tasks);
    if (!list || !number || !json) throw new Error("three arguments are three fields");
    expect([list.kind, number.kind, json.kind]).toEqual(["titles", "number", "json"]);
    expect(changesFrom(tasks, [{ ...list, text: "Call\n\nSell" }])).toEqual({
      changes: { tasks: [{ title: "Call", tags: ["x"] }, { title: "Sell" }] },
    });
    expect(changesFrom(tasks, [{ ...json, text: "{" }])).toEqual({ wrong: "odd" });
    expect(changesFrom(tasks, [{ ...number, text: "x" }])).toEqual({ wrong: "confidence" });
  });

  it("has an empty field for what was left out, and leaves it out while nothing is typed there", () => {
    const left = { text: "x", tags: null, url: null, changes: { confidence: null, summary: null } };
    const fields = fieldsOf(left);
    expect(fields.map(({ name, kind, text }) => [name, kind, text])).toEqual([
      ["text", "text", "x"],
      ["tags", "tags", ""],
      ["url", "line", ""],
      ["changes.confidence", "number", ""],
      ["changes.summary", "text", ""],
    ]);
    expect(changesFrom(left, fields)).toEqual({ changes: {} });
    const typed = fields.map((one) => (one.name === "tags" ? { ...one, text: "home, #garden" } : one));
    expect(changesFrom(left, typed)).toEqual({ changes: { tags: ["home", "garden"] } });
  });
});
