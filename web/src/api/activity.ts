/** What was done, as shared/models/activity.py writes it. */
import * as z from "zod";
import { Json, maybe } from "./maybe";
import { request } from "./request";

export const Deed = z.object({
  kind: z.literal("tool"),
  id: z.string(),
  at: z.string(),
  subject: z.string(),
  session_id: z.string().default(""),
  run_id: z.string().default(""),
  call_id: z.string().default(""),
  tool: z.string(),
  class: maybe(z.enum(["read", "write", "external", "destructive"])),
  decision: z.enum(["allowed", "asked", "approved", "denied", "refused"]),
  /** Secrets masked. */
  arguments: Json,
  ok: maybe(z.boolean()),
  code: z.string().default(""),
  duration_ms: z.number().default(0),
});
export type Deed = z.infer<typeof Deed>;

export const DeadLetter = z.object({
  kind: z.literal("dead_letter"),
  id: z.string(),
  at: z.string(),
  subscription: z.string(),
  message_id: z.string(),
  attributes: z.record(z.string(), z.string()).default({}),
  attempts: z.int(),
  reason: z.string(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

export const Entry = z.discriminatedUnion("kind", [Deed, DeadLetter]);
export type Entry = z.infer<typeof Entry>;

/** A kind that we don't know is skipped. */
export const ActivityPage = z.object({
  activity: z.array(z.unknown()).transform((all) => all.flatMap((one) => Entry.safeParse(one).data ?? [])),
  next_cursor: maybe(z.string()),
});
export type ActivityPage = z.infer<typeof ActivityPage>;

/** Newest first; of one conversation, or all. */
export const listActivity = (session: string | null, cursor: string | null) =>
  request("/api/v1/activity", ActivityPage, { query: { session_id: session, cursor, limit: 50 } });
