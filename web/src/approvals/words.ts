/** Proposals in words. Pure. */
import type { Action, Approval, FieldDiff, WaitingRun } from "../api/approval";
import type { Decision } from "../api/chat";
import { plural } from "../words/money";

const DOES: Record<string, string> = {
  create_note: "Make a note",
  update_note: "Change a note",
  update_task: "Change a task",
  delete_note: "Move a note to the bin",
  start_research: "Research a note",
  create_thesis: "Write down a thesis",
};

/** What it would do, in one line. */
export function proposal({ tool, arguments: given }: Action): string {
  if (tool === "create_tasks" && Array.isArray(given["tasks"])) {
    return given["tasks"].length === 1 ? "Add a task" : `Add ${plural(given["tasks"].length, "task")}`;
  }
  if (tool === "add_evidence")
    return `Add evidence ${given["stance"] === "against" ? "against" : "for"} a thesis`;
  return DOES[tool] ?? tool.replaceAll("_", " ");
}

/** What would be done once the gate is open, in one line. */
export function wanted(run: WaitingRun): string {
  if (run.reason === "approve_answer") return "Give an answer";
  if (run.reason === "egress_approval") return `Reach ${run.blocked_host}`;
  return proposal({ tool: run.tool, arguments: run.arguments });
}

export interface Choice {
  decision: Decision;
  words: string;
  /** What was said, once it is. */
  done: string;
}

/** The words that can be said about a gate from outside of its conversation: none where only that shows the whole. */
export function choices(run: WaitingRun): Choice[] {
  if (run.reason === "approve_answer" || cut(run.arguments)) return [];
  if (run.reason === "egress_approval") {
    return [
      { decision: "egress_deny", words: "Don’t allow", done: "not allowed" },
      { decision: "egress_allow_once", words: "Allow once", done: "allowed this once" },
      { decision: "egress_allow_always", words: "Allow always", done: "allowed from now on" },
    ];
  }
  return [
    { decision: "reject", words: "Don’t", done: "refused" },
    { decision: "approve", words: "Approve", done: "approved" },
  ];
}

/** Of long texts, such a list tells the first lines. */
const FIRST_LINES = 600;

function cut(value: unknown): boolean {
  if (typeof value === "string") return value.length > FIRST_LINES && value.endsWith("…");
  return typeof value === "object" && value !== null && Object.values(value).some(cut);
}

/** How it stands, or what became of it. */
export function standing({ status, claim, ok }: Approval): string {
  if (status === "pending") return claim ? "Approved, being done" : "Waits for your word";
  if (status === "approved") return ok === false ? "Approved, and could not be done" : "Approved and done";
  return status === "rejected" ? "Rejected" : "Expired: nobody answered in time";
}

/** The note that came of it, where its result names one. */
export function noteOf({ result }: Approval): string | null {
  for (const place of [result, result?.["data"], result?.["note"]]) {
    if (typeof place !== "object" || place === null) continue;
    const found = place as Record<string, unknown>;
    const id = found["note_id"] ?? (place === result ? undefined : found["id"]);
    if (typeof id === "string") return id;
  }
  return null;
}

/** Why doing it failed, from its result. */
export function failure({ ok, result }: Approval): string {
  if (ok !== false) return "";
  const said = [result?.["message"], result?.["next"]].filter((part) => typeof part === "string");
  return said.join(" ");
}

/** A value as one reads it: "a, b", "none", "yes"; anything else as JSON. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  const title = (value as Record<string, unknown>)["title"];
  return typeof title === "string" ? title : JSON.stringify(value);
}

const TEXTS = ["text", "body"];

/** The Markdown of a note that is to be made; null for what changes something, or is no such text. */
export function madeText({ field, before, after }: FieldDiff): string | null {
  const made = TEXTS.includes(field) && (before === null || before === undefined);
  return made && typeof after === "string" && after !== "" ? after : null;
}

/** A line of a unified comparison. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
}

export function diffLine(line: string): DiffLine {
  switch (line.charAt(0)) {
    case "+":
      return { kind: "added", text: line.slice(1) };
    case "-":
      return { kind: "removed", text: line.slice(1) };
    case "@":
      return { kind: "gap", text: line.startsWith("@@ cut") ? line.replaceAll("@@", "").trim() : "" };
    default:
      return { kind: "same", text: line.slice(1) };
  }
}

/** A comparison line by line; nothing is left out above one that begins at the top. */
export function compared(lines: string[]): DiffLine[] {
  const whole = /^@@ -[01](,\d+)? \+[01](,\d+)? @@/.test(lines[0] ?? "");
  return lines.slice(whole ? 1 : 0).map(diffLine);
}
