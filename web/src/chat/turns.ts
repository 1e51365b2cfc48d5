/** A conversation's events as turns: what was asked, the steps on the way, the answer, how it ended. Pure. */
import type { ChatEvent, ChatSession, Turn } from "../api/chat";
import type { Citation } from "../api/note";
import { plural } from "../words/money";

type Of<T extends ChatEvent["type"]> = Extract<ChatEvent, { type: T }>;
const STEPS = [
  "thinking",
  "text",
  "tool_call",
  "tool_result",
  "recall",
  "plan",
  "evidence",
  "critique",
  "verification",
  "error",
] as const;
export type StepEvent = Of<(typeof STEPS)[number]>;
export type Approval = Of<"approval_request">;
/** A use of a tool: what was asked of it, and what it answered once it did. */
export interface Use {
  type: "use";
  call: Of<"tool_call"> | null;
  result: Of<"tool_result"> | null;
}
export type Row = Exclude<StepEvent, Of<"tool_call"> | Of<"tool_result">> | Use;
/** A tool's result that can be taken back. */
export type Change = Of<"tool_result"> & { undo: NonNullable<Of<"tool_result">["undo"]> };

export interface TurnView {
  id: string;
  /** Null where the page of events begins in mid-turn. */
  asked: Of<"user"> | null;
  /** The request as it was understood on its own. */
  understood: Of<"context"> | null;
  steps: StepEvent[];
  answer: Of<"text"> | null;
  citations: Citation[];
  /** Why it ended without an answer. */
  ended: Of<"error"> | null;
  tokens: number;
  /** The question that waits for the person's word. */
  approval: Approval | null;
  changes: Change[];
  status: Turn["status"];
}

/** The turns, oldest first. The session says how the last one stands; the others tell it themselves. */
export function turnsOf(events: ChatEvent[], session: ChatSession | null): TurnView[] {
  const groups = new Map<string, ChatEvent[]>();
  for (const event of events) {
    const group = groups.get(event.turn);
    if (group) group.push(event);
    else groups.set(event.turn, [event]);
  }
  return [...groups].map(([id, group]) => view(id, group, session?.turn?.id === id ? session.turn : null));
}

function view(id: string, events: ChatEvent[], turn: Turn | null): TurnView {
  const open = turn?.status === "running" || turn?.status === "waiting";
  const worked = events.filter((event) => event.type !== "usage" && event.type !== "citations");
  const last = worked.at(-1);
  const answer = last?.type === "text" ? last : null;
  const ended = !open && last?.type === "error" ? last : null;
  return {
    id,
    asked: events.find((event) => event.type === "user") ?? null,
    understood: events.find((event) => event.type === "context") ?? null,
    steps: events.filter((event) => isStep(event) && event !== answer && event !== ended) as StepEvent[],
    answer,
    citations: events.flatMap((event) => (event.type === "citations" ? event.citations : [])),
    ended,
    tokens: events.reduce((sum, event) => sum + (event.type === "usage" ? event.tokens : 0), 0),
    approval: turn?.status === "waiting" ? unanswered(events) : null,
    changes: events.filter((event): event is Change => event.type === "tool_result" && event.undo !== null),
    status: turn?.status ?? told(answer, ended),
  };
}

function isStep(event: ChatEvent): event is StepEvent {
  return (STEPS as readonly string[]).includes(event.type);
}

function unanswered(events: ChatEvent[]): Approval | null {
  const answered = new Set(events.flatMap((event) => (event.type === "tool_result" ? [event.call_id] : [])));
  const asked = events.filter((event) => event.type === "approval_request");
  return asked.findLast((event) => event.call_id === "" || !answered.has(event.call_id)) ?? null;
}

function told(answer: Of<"text"> | null, ended: Of<"error"> | null): Turn["status"] {
  if (ended?.code === "interrupted") return "interrupted";
  if (ended?.code === "stopped" || ended?.code === "declined") return "cancelled";
  if (ended) return "failed";
  return answer ? "done" : "interrupted";
}

/** The steps as they are shown: a call and its answer are one, in the place of the call. */
export function rows(steps: readonly StepEvent[]): Row[] {
  const shown: Row[] = [];
  const open = new Map<string, Use>();
  for (const step of steps) {
    if (step.type === "tool_call") {
      const use: Use = { type: "use", call: step, result: null };
      shown.push(use);
      open.set(step.call_id, use);
    } else if (step.type === "tool_result") {
      const use = open.get(step.call_id);
      // Where the page of events begins between the two, the answer stands alone.
      if (use?.result === null && use.call?.tool === step.tool) use.result = step;
      else shown.push({ type: "use", call: null, result: step });
    } else shown.push(step);
  }
  return shown;
}

/** Proposals that a turn put down for approval. */
export function proposed(turn: TurnView): string[] {
  return turn.steps.flatMap((step) => {
    if (step.type !== "tool_result" || !step.ok || step.tool !== "queue_approval") return [];
    const id = step.result["approval_id"];
    return typeof id === "string" ? [id] : [];
  });
}

/** What a turn changed, in one line for each change; null where nothing can be told. */
export function changed(change: Change): string {
  const { undo } = change;
  switch (undo.type) {
    case "note_created":
      return "Made a note";
    case "note_changed":
      return "Changed a note";
    case "note_deleted":
      return "Moved a note to the bin";
    case "tasks_created":
      return `Added ${plural(undo.task_ids.length, "task")}`;
    case "task_changed":
      return "Changed a task";
  }
}

/** What taking a change back did. */
export function takenBack(change: Change): string {
  const { undo } = change;
  switch (undo.type) {
    case "note_created":
      return "Undone: the note is in the bin.";
    case "note_changed":
      return "Undone: the note is as it was before.";
    case "note_deleted":
      return "Undone: the note is back among the others.";
    case "tasks_created":
      return undo.task_ids.length === 1 ? "Undone: the task is dropped." : "Undone: the tasks are dropped.";
    case "task_changed":
      return "Undone: the task is as it was before.";
  }
}

/** Why a turn ended early; it points to no work above where there is none. */
export function why({ ended, steps }: TurnView): string {
  if (ended === null) return "";
  if (steps.length > 0) return ended.message;
  return ended.message
    .replace(/ What (?:it had|was) done by then stands above\./, "")
    .replace(
      / What (?:it had|was) done by then stands above; (\w)/,
      (_, next: string) => ` ${next.toUpperCase()}`,
    );
}

/** What a turn that ended early had done by then. */
export function done(turn: TurnView): string {
  if (turn.changes.length > 0) {
    const all = turn.changes.map(changed).map((words) => words.charAt(0).toLowerCase() + words.slice(1));
    return `By then it had done this: ${all.join(", ")}.`;
  }
  const looked = turn.steps.filter((event) => event.type === "tool_result" && event.ok).length;
  return looked > 0 ? "By then it had only looked things up; nothing was changed." : "Nothing was changed.";
}
