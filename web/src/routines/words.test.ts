import { describe, expect, it } from "vitest";
import { Routine, RoutineRun } from "../api/routine";
import { Approval } from "../api/approval";
import { decided, nextRun, outcome } from "./words";

const now = Date.parse("2026-01-01T00:00:00Z");
const routine = (fields: object) =>
  Routine.parse({
    name: "daily_review",
    enabled: true,
    at: "07:00",
    time_zone: "UTC",
    failures: 0,
    revision: 1,
    ...fields,
  });
const run = (fields: object) =>
  RoutineRun.parse({ id: "1", routine: "daily_review", due_at: "", fired_at: "", ...fields });

describe("a routine in words", () => {
  it.each([
    [{ enabled: false }, "It is switched off."],
    [{ paused: { reason: "failed", at: "" } }, "It is paused."],
    [{ next_due_at: "2026-01-01T07:00:00Z" }, "Next in 7 h."],
    [{ next_due_at: "2026-01-05T07:00:00Z" }, "Next in 4 days."],
    [{ next_due_at: "2025-12-31T07:00:00Z" }, "It is due, and starts within 15 minutes."],
  ])("%j", (fields, words) => expect(nextRun(routine(fields), now)).toBe(words));

  it.each([
    [{ status: "approved", ok: true }, "“Monday” was approved."],
    [{ status: "approved", ok: false }, "“Monday” was approved, and could not be made a note."],
    [{ status: "rejected" }, "“Monday” was rejected."],
    [{ status: "expired" }, "“Monday” waited until its time was over; nobody answered."],
  ])("tells what became of what it proposed: %j", (fields, words) => {
    const action = { tool: "create_note", arguments: { text: "x", title: "Monday" } };
    const common = { id: "1", created_at: "", action, reason: "r", subject: "me", expires_at: "" };
    expect(decided(Approval.parse({ ...common, ...fields }))).toBe(words);
  });

  it("tells how a run went", () => {
    expect(outcome(run({ status: "completed", summary: "Two notes." }))).toBe("Two notes.");
    expect(outcome(run({ status: "completed" }))).toContain("nothing to say");
    const error = { code: "x", message: "The model is gone.", next: "Try again." };
    expect(outcome(run({ status: "failed", error }))).toBe("The model is gone. Try again.");
    expect(outcome(run({ status: "running" }))).toBe("Running.");
  });
});
