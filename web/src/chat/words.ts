/** What an answer is at just now, in words. Pure. */
import { duration } from "../words/time";
import { doing as working } from "../words/tools";
import { running, unheard, type Talk } from "./talk";
import type { TurnView } from "./turns";

/** "Searching your notes for “sleep”…", or null while nothing is at work. */
export function doing(talk: Talk, turn: TurnView | undefined): string | null {
  if (talk.link === "sending") return "Sending…";
  if (!running(talk) && unheard(talk) === null) return null;
  if (talk.session?.turn?.stopping) return "Stopping…";
  if (talk.link === "away") return "The connection is gone; looking for the answer again…";
  if (talk.streaming.text !== "") return "Writing the answer…";
  if (talk.streaming.thinking !== "") return "Thinking…";
  const answered = new Set(
    turn?.steps.flatMap((step) => (step.type === "tool_result" ? [step.call_id] : [])),
  );
  const open = turn?.steps.findLast((step) => step.type === "tool_call" && !answered.has(step.call_id));
  if (open?.type === "tool_call") return working(open.tool, open.arguments);
  const last = turn?.steps.at(-1);
  if (last?.type === "plan") return "Looking through the sources…";
  if (last?.type === "evidence") return "Working the plan out…";
  if (last?.type === "critique")
    return last.verdict === "ok" ? "Bringing it to an end…" : "Going over it again…";
  if (last?.type === "verification") {
    return last.verdict === "pass" ? "Bringing it to an end…" : "Going over it again…";
  }
  return answered.size > 0 ? "Going through what was found…" : "Reading your message…";
}

/** "for another 3 h", or that it is over. */
export function until(at: string, now: number): string {
  const left = Date.parse(at) - now;
  if (Number.isNaN(left)) return "";
  return left <= 0
    ? "The time to answer is over."
    : `Open for another ${duration(left)}; then it counts as no.`;
}
