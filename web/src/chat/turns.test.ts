import { describe, expect, it } from "vitest";
import { ChatEvent, ChatSession } from "../api/chat";
import { changed, done, proposed, rows, takenBack, turnsOf } from "./turns";

const at = "2026-06-15T12:00:00Z";
const events = (...drafts: object[]) =>
  drafts.map((draft, n) => ChatEvent.parse({ seq: n + 1, at, turn: "t1", ...draft }));
const session = (status: string) =>
  ChatSession.parse({
    id: "s1",
    created_at: at,
    updated_at: at,
    turn: { id: "t1", status, first_seq: 1 },
  });
const asked = { type: "user", text: "hello" };
const call = { type: "tool_call", tool: "create_tasks", arguments: {}, call_id: "c1" };
const made = {
  type: "tool_result",
  tool: "create_tasks",
  ok: true,
  result: {},
  call_id: "c1",
  undo: { type: "tasks_created", task_ids: ["a", "b"] },
};
const gate = {
  type: "approval_request",
  run_id: "t1",
  reason: "approve_tool",
  tool: "delete_note",
  call_id: "c1",
  arguments: {},
  why: "",
  expires_at: at,
};
const failure = { type: "error", code: "upstream", message: "No." };

describe("a turn of several agents", () => {
  const plan = { type: "plan", steps: ["look"], sources: ["note"] };
  const critique = { type: "critique", verdict: "revise", text: "thin" };
  const verification = { type: "verification", verdict: "pass", reasons: [] };

  it("keeps what each of them said as steps", () => {
    const all = events(asked, plan, critique, verification, { type: "text", text: "So." });
    const [turn] = turnsOf(all, session("done"));
    expect(turn?.steps.map(({ type }) => type)).toEqual(["plan", "critique", "verification"]);
    expect(turn?.answer?.text).toBe("So.");
  });

  it("waits for the word on its answer, which no call answers", () => {
    const answer = {
      ...gate,
      tool: "",
      call_id: "",
      reason: "approve_answer",
      answer: "So.",
      critique: "Fine.",
    };
    const other = { ...made, call_id: "" };
    const [turn] = turnsOf(events(asked, other, answer), session("waiting"));
    expect(turn?.approval).toMatchObject({ reason: "approve_answer", answer: "So." });
  });

  it("names what it put down for approval", () => {
    const queued = { ...made, tool: "queue_approval", result: { approval_id: "p1" }, undo: null };
    const [turn] = turnsOf(events(asked, queued, { ...queued, ok: false }), session("done"));
    expect(turn && proposed(turn)).toEqual(["p1"]);
  });
});

describe("a turn", () => {
  it("has its last text as answer; a text before a call is a step", () => {
    const all = events(asked, { type: "text", text: "First I look." }, call, made, {
      type: "text",
      text: "Done.",
    });
    const [turn] = turnsOf(all, session("done"));
    expect(turn?.answer?.text).toBe("Done.");
    expect(turn?.steps.map(({ type }) => type)).toEqual(["text", "tool_call", "tool_result"]);
  });

  it("shows a call and its answer as one step, also where another one ran beside it", () => {
    const other = { ...call, call_id: "c2" };
    const all = events(
      asked,
      call,
      other,
      { ...made, call_id: "c2" },
      made,
      { ...made, call_id: "c9" },
      call,
    );
    const [turn] = turnsOf(all, session("running"));
    const seqs = rows(turn?.steps ?? []).map((row) =>
      row.type === "use" ? [row.call?.seq ?? null, row.result?.seq ?? null] : row.type,
    );
    expect(seqs).toEqual([
      [2, 5],
      [3, 4],
      [null, 6],
      [7, null],
    ]);
  });

  it("that ended without an answer says why and what it had done", () => {
    const [turn] = turnsOf(events(asked, call, made, failure), session("failed"));
    expect(turn?.ended?.message).toBe("No.");
    expect(turn && done(turn)).toBe("By then it had done this: added 2 tasks.");
    const [idle] = turnsOf(events(asked, failure), session("failed"));
    expect(idle && done(idle)).toBe("Nothing was changed.");
  });

  it("that runs shows an error on the way as a step", () => {
    const [turn] = turnsOf(events(asked, failure), session("running"));
    expect(turn?.ended).toBeNull();
    expect(turn?.steps.map(({ type }) => type)).toEqual(["error"]);
  });

  it("asks only while it waits, and only what is not answered", () => {
    expect(turnsOf(events(asked, gate), session("waiting"))[0]?.approval?.tool).toBe("delete_note");
    expect(turnsOf(events(asked, gate, made), session("waiting"))[0]?.approval).toBeNull();
    expect(turnsOf(events(asked, gate), session("done"))[0]?.approval).toBeNull();
  });

  it.each([
    ["interrupted", "interrupted"],
    ["stopped", "cancelled"],
    ["declined", "cancelled"],
    ["upstream", "failed"],
  ])("of before that ended with %s is %s", (code, status) => {
    const [turn] = turnsOf(events(asked, { ...failure, code }), null);
    expect(turn?.status).toBe(status);
  });

  it("is found where the page of events begins in the middle of one", () => {
    const [first, second] = turnsOf(
      [...events(made), ...events(asked).map((event) => ({ ...event, seq: 2, turn: "t2" }))],
      null,
    );
    expect([first?.asked, second?.asked?.text]).toEqual([null, "hello"]);
  });
});

it("every change has words for itself and for its undoing", () => {
  for (const undo of [
    { type: "note_created", note_id: "n" },
    { type: "note_changed", note_id: "n" },
    { type: "note_deleted", note_id: "n" },
    { type: "tasks_created", task_ids: ["a"] },
    { type: "task_changed", task_id: "a" },
  ]) {
    const [turn] = turnsOf(events({ ...made, undo }), null);
    const [change] = turn?.changes ?? [];
    expect(change && changed(change)).toMatch(/^[A-Z].*[a-z]$/);
    expect(change && takenBack(change)).toMatch(/^Undone: .*\.$/);
  }
});
