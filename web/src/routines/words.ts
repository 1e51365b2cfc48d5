/** Routines and their runs in words. Pure. */
import type { Approval } from "../api/approval";
import type { Routine, RoutineRun } from "../api/routine";
import { STATUS_WORDS } from "../operation/words";
import { duration } from "../words/time";

export const WHAT: Record<string, string> = {
  daily_review: "Each morning: what was captured, what is still to do, what changed.",
  nightly_digest: "Each night: what the day’s notes say, in a few points with their sources.",
};

/** "Next in 3 h", or why there is no next time. */
export function nextRun({ enabled, paused, next_due_at }: Routine, now: number): string {
  if (!enabled) return "It is switched off.";
  if (paused) return "It is paused.";
  if (next_due_at === null) return "";
  const left = Date.parse(next_due_at) - now;
  if (left <= 0) return "It is due, and starts within 15 minutes.";
  return `Next in ${duration(left)}.`;
}

/** What became of what a run proposed. */
export function decided({ status, ok, action }: Approval): string {
  const title = action.arguments["title"];
  const what = typeof title === "string" && title !== "" ? `“${title}”` : "What it wrote";
  switch (status) {
    case "approved":
      return ok === false ? `${what} was approved, and could not be made a note.` : `${what} was approved.`;
    case "rejected":
      return `${what} was rejected.`;
    case "expired":
      return `${what} waited until its time was over; nobody answered.`;
    case "pending":
      return "";
  }
}

/** How a run went, in a sentence. */
export function outcome(run: RoutineRun): string {
  if (run.status === "completed") return run.summary ?? "Done; there was nothing to say.";
  if (run.error) return [run.error.message, run.error.next].filter((part) => part !== "").join(" ");
  return `${STATUS_WORDS[run.status]}.`;
}
