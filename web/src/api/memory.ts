/** What is remembered, as shared/models/memory.py writes it, and every call about it. */
import * as z from "zod";
import { maybe } from "./maybe";
import { request } from "./request";

export const Judgement = z.object({
  case: z.string(),
  verdict: z.enum(["healthy", "working", "degraded", "uncertain", "failed"]),
  decision: maybe(z.enum(["allow", "degrade", "wait", "block"])),
  safe_action: z.string().default(""),
});
export type Judgement = z.infer<typeof Judgement>;

export const Memory = z.object({
  id: z.string(),
  fact: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: maybe(z.string()),
  /** Null where nobody knows. */
  origin: maybe(
    z.object({
      kind: z.enum(["chat", "edit", "rollback", "canary"]),
      source: z.string(),
      session_id: maybe(z.string()),
    }),
  ),
  judgement: Judgement,
});
export type Memory = z.infer<typeof Memory>;

const Read = z.object({
  asked: z.int().default(0),
  hits: z.int().default(0),
  failed: z.int().default(0),
  at: maybe(z.string()),
});
export type Read = z.infer<typeof Read>;
const NONE = { asked: 0, hits: 0, failed: 0, at: null };

export const Receipt = z.object({
  id: z.string(),
  at: z.string(),
  occasion: z.enum(["generation", "recall", "change", "canary"]),
  items: z.array(z.object({ memory_ref: maybe(z.string()), judgement: Judgement })).default([]),
  /** The four ways of reading; they answer different questions, so they are never counted together. */
  reads: z
    .object({
      get: Read.default(NONE),
      listed: Read.default(NONE),
      scope: Read.default(NONE),
      similarity: Read.default(NONE),
    })
    .default({ get: NONE, listed: NONE, scope: NONE, similarity: NONE }),
  injected: z.int().default(0),
  verdict: Judgement.shape.verdict,
  decision: Judgement.shape.decision,
  safe_action: z.string().default(""),
});
export type Receipt = z.infer<typeof Receipt>;

export const Revision = z.object({
  id: z.string(),
  fact: z.string(),
  created_at: z.string(),
  source: maybe(z.string()),
});
export type Revision = z.infer<typeof Revision>;

export const CanaryAnswer = z.object({
  healthy: z.boolean(),
  written: maybe(Receipt),
  cleaned: maybe(Receipt),
  problem: z.string(),
});
export type CanaryAnswer = z.infer<typeof CanaryAnswer>;

export const MemoryPage = z.object({ memories: z.array(Memory), next_cursor: maybe(z.string()) });
export const ChangedAnswer = z.object({ memory: maybe(Memory), receipt: Receipt });
export const ForgottenAnswer = z.object({ forgotten: z.int(), receipt: Receipt });
export const RevisionPage = z.object({ revisions: z.array(Revision) });
export const ReceiptPage = z.object({ receipts: z.array(Receipt), next_cursor: maybe(z.string()) });
export type ChangedAnswer = z.infer<typeof ChangedAnswer>;
export type ForgottenAnswer = z.infer<typeof ForgottenAnswer>;

const ALL = "/api/v1/memories";
const at = (id: string, deed = "") => `${ALL}/${encodeURIComponent(id)}${deed}`;

export const listMemories = (cursor: string | null) =>
  request(ALL, MemoryPage, { query: { limit: 50, cursor } });

export const correctMemory = (id: string, fact: string) =>
  request(at(id), ChangedAnswer, { method: "PATCH", body: { fact } });

/** `leaving`: the page is about to go, and the request has to outlive it. */
export const forgetMemory = (id: string, leaving = false) =>
  request(at(id), ForgottenAnswer, { method: "DELETE", ...(leaving ? { keepalive: true } : {}) });

export const forgetAll = () => request(ALL, ForgottenAnswer, { method: "DELETE" });

export async function revisionsOf(id: string): Promise<Revision[]> {
  return (await request(at(id, "/revisions"), RevisionPage)).revisions;
}

export const rollBack = (id: string, revision: string) =>
  request(at(id, "/rollback"), ChangedAnswer, {
    method: "POST",
    body: { revision_id: revision },
    changes: at(id),
  });

/** The test may take two minutes; whoever asks again with the same key hears how that one ended. */
export const testMemory = () => request(`${ALL}/canary`, CanaryAnswer, { method: "POST", once: true });

export const listReceipts = (cursor: string | null) =>
  request(`${ALL}/receipts`, ReceiptPage, { query: { limit: 20, cursor } });
