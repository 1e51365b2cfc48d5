/** What agents propose, as shared/models/approval.py and functions/api/approvals.py write it, and every call about it. */
import * as z from "zod";
import { Json, maybe } from "./maybe";
import { fresh, request } from "./request";

export const Action = z.object({ tool: z.string(), arguments: Json });
export type Action = z.infer<typeof Action>;

export const Approval = z.object({
  id: z.string(),
  created_at: z.string(),
  status: z.enum(["pending", "approved", "rejected", "expired"]).default("pending"),
  action: Action,
  /** What the agent had asked for, where the person changed that. */
  proposed: maybe(Action),
  reason: z.string(),
  subject: z.string(),
  session_id: maybe(z.string()),
  run_id: maybe(z.string()),
  expires_at: z.string(),
  /** Somebody said yes; it is being done. */
  claim: maybe(z.object({ subject: z.string(), at: z.string() })),
  resolved_at: maybe(z.string()),
  resolved_by: maybe(z.string()),
  rejection: maybe(z.string()),
  ok: maybe(z.boolean()),
  result: maybe(Json),
  undo: maybe(z.object({ type: z.string() })),
});
export type Approval = z.infer<typeof Approval>;

export const Trouble = z.object({ code: z.string(), message: z.string(), next: z.string().default("") });

export const FieldDiff = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Unified lines: `@@`, ` `, `+`, `-`. */
  lines: maybe(z.array(z.string())),
});
export type FieldDiff = z.infer<typeof FieldDiff>;

export const Diff = z.object({
  target: maybe(z.object({ id: z.string(), title: z.string(), link: maybe(z.string()) })),
  fields: z.array(FieldDiff).default([]),
  trouble: maybe(Trouble),
});
export type Diff = z.infer<typeof Diff>;

export const ApprovalWithDiff = z.object({ approval: Approval, diff: maybe(Diff), stale: z.boolean() });
export type ApprovalWithDiff = z.infer<typeof ApprovalWithDiff>;

/** A turn of chat that waits for this person's word, as shared/chat/waiting.py writes it. */
export const WaitingRun = z.object({
  run_id: z.string(),
  session_id: z.string(),
  /** Of the conversation. */
  title: maybe(z.string()),
  reason: z.enum(["approve_tool", "egress_approval", "approve_answer"]),
  tool: z.string(),
  arguments: Json,
  why: z.string(),
  blocked_host: z.string(),
  /** The first lines of the answer that waits, where one does. */
  answer: z.string(),
  expires_at: z.string(),
});
export type WaitingRun = z.infer<typeof WaitingRun>;

export const ApprovalPage = z.object({
  approvals: z.array(Approval),
  /** Told with the first page alone. */
  waiting: maybe(z.array(WaitingRun)),
  next_cursor: maybe(z.string()),
});
export type ApprovalPage = z.infer<typeof ApprovalPage>;
export const ApprovalAnswer = z.object({ approval: Approval });

const ALL = "/api/v1/approvals";
const at = (id: string, deed = "") => `${ALL}/${encodeURIComponent(id)}${deed}`;

/** Those that wait for a word, newest first. */
export const listPending = () => fresh(ALL, ApprovalPage, { status: "pending", limit: 100 });

/** All of them, newest first. */
export const listApprovals = (cursor: string | null) =>
  request(ALL, ApprovalPage, { query: { limit: 30, cursor } });

export const getApproval = (id: string) => request(at(id), ApprovalWithDiff);

/** Fails with 409 when somebody was faster, and with 410 once its time is over. */
export async function approve(id: string, changes: Record<string, unknown> | null): Promise<Approval> {
  const ask = { method: "POST", body: { changes } } as const;
  return (await request(at(id, "/approve"), ApprovalAnswer, ask)).approval;
}

export async function reject(id: string, reason: string | null): Promise<Approval> {
  const ask = { method: "POST", body: { reason } } as const;
  return (await request(at(id, "/reject"), ApprovalAnswer, ask)).approval;
}

const Undone = z.object({ undone: Json });

export async function undoApproval(id: string): Promise<void> {
  await request(at(id, "/undo"), Undone, { method: "POST" });
}
