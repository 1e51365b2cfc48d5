import { describe, expect, it } from "vitest";
import { OperationEvent } from "../api/event";
import { Operation, subject } from "../api/operation";
import { joined } from "./EventLog";
import { budget, spent, standing, timing, upkeep } from "./words";

const now = Date.parse("2026-01-01T00:10:00Z");
const operation = (fields: object) =>
  Operation.parse({
    id: "1",
    kind: "deep_research",
    status: "running",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:09:00Z",
    started_at: "2026-01-01T00:01:00Z",
    input: { question: "# Why?\n\nmore", note_id: "2", urls: [] },
    added_later: true,
    ...fields,
  });

describe("an operation in words", () => {
  it("says what it is about", () => {
    expect(subject(operation({}))).toBe("Why?");
    expect(subject(operation({ input: { question: "#sleep Why? #research" } }))).toBe("Why?");
    expect(subject(operation({ input: { question: "#sleep" } }))).toBe("sleep");
    expect(subject(operation({ input: {} }))).toBe("Research");
    expect(subject(operation({ kind: "routine", input: { routine: "daily_review" } }))).toBe("Daily review");
  });

  it("folds what goes on by itself into one line", () => {
    const all = ["queued", "running", "completed", "completed", "failed"].map((status) =>
      operation({ status }),
    );
    expect(upkeep(all, false)).toBe("Remembering: 2 running, 2 done, 1 failed");
    expect(upkeep(all.slice(2, 4), true)).toBe("Remembering: 2 done, and older ones");
  });

  it("says how long", () => {
    expect(timing(operation({ status: "queued" }), now)).toBe("for 10 min");
    expect(timing(operation({}), now)).toBe("for 9 min");
    expect(timing(operation({ status: "completed" }), now)).toBe("after 8 min");
  });

  it("says that nothing was found as no fault", () => {
    const failed = (code: string) => standing(operation({ status: "failed", error: { code, message: "m" } }));
    expect(failed("no_sources")).toEqual({ words: "No answer found", tone: "nothing" });
    expect(failed("unavailable")).toEqual({ words: "Failed", tone: "failed" });
    expect(standing(operation({})).words).toBe("Running");
  });

  it("says what it cost", () => {
    const usage = { tokens: 1200, cost_usd: 1.2 };
    expect(spent(operation({ usage }))).toBe("$1.20 so far, 1,200 tokens");
    expect(spent(operation({ usage, status: "completed" }))).toBe("$1.20, 1,200 tokens");
    expect(spent(operation({ estimated_usd: 3 }))).toBe("about $3.00 reserved");
    expect(spent(operation({ usage: { cost_usd: 0.001 } }))).toBe("under $0.01 so far");
    expect(spent(operation({}))).toBe("free");
  });
});

describe("its budget", () => {
  it("is told beside what was used", () => {
    const limits = { budget_usd: 5, budget_tokens: 200_000 };
    const usage = { cost_usd: 1, tokens: 150_000 };
    expect(budget(operation({ usage, ...limits }))).toEqual({
      words: "It may use $5.00 and 200,000 tokens.",
      share: 0.75,
    });
    expect(budget(operation({ usage, budget_usd: 5 }))?.share).toBe(0.2);
    expect(budget(operation({ usage }))).toBeNull();
  });

  it("is no matter where the work is over and used nothing of it", () => {
    const unused = { usage: { cost_usd: 0, tokens: 0 }, budget_usd: 5 };
    expect(budget(operation({ ...unused, status: "completed" }))).toBeNull();
    expect(budget(operation(unused))).toEqual({ words: "It may use $5.00.", share: 0 });
  });
});

describe("its log", () => {
  it("joins streamed text", () => {
    const at = "";
    const events = [
      { event: "task.streaming", seq: 1, at, chunk: "a" },
      { event: "task.streaming", seq: 2, at, chunk: "b" },
      { event: "task.cancelled", seq: 3, at },
    ].map((event) => OperationEvent.parse({ ...event, task_id: "1" }));
    expect(joined(events)).toMatchObject([{ seq: 1, chunk: "ab" }, { seq: 3 }]);
    expect(events[0]).toMatchObject({ chunk: "a" });
  });
});
