/** Long work on record, as shared/models/operation.py writes it. */
import * as z from "zod";
import { hashtags, withoutHashtag } from "../capture/hashtags";
import { Json, maybe } from "./maybe";

export const Status = z.enum([
  "created",
  "queued",
  "running",
  "waiting_for_input",
  "completed",
  "failed",
  "cancelled",
]);
export type Status = z.infer<typeof Status>;

export const Operation = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int().default(1),
  kind: z.string(),
  status: Status,
  input: Json.default({}),
  source_note_id: maybe(z.string()),
  result_note_id: maybe(z.string()),
  events: z.int().default(0),
  attempts: z.int().default(0),
  troubles: z.int().default(0),
  progress: z
    .object({
      percent: z.number().default(0),
      message: z.string().default(""),
      next_look_at: maybe(z.string()),
    })
    .default({ percent: 0, message: "", next_look_at: null }),
  usage: z
    .object({ tokens: z.number().default(0), cost_usd: z.number().default(0) })
    .default({ tokens: 0, cost_usd: 0 }),
  estimated_usd: z.number().default(0),
  /** What it may cost and use at most; zero where nothing was set. */
  budget_usd: z.number().default(0),
  budget_tokens: z.number().default(0),
  /** What it waits to be told. */
  asked: maybe(
    z.object({
      text: z.string(),
      expires_at: z.string(),
      options: z.array(z.string()).default([]),
    }),
  ),
  /** It was told; all it needs is a slot. */
  answered: z.boolean().default(false),
  output: maybe(Json),
  started_at: maybe(z.string()),
  deadline_at: maybe(z.string()),
  partial: maybe(z.string()),
  error: maybe(z.object({ code: z.string(), message: z.string(), next: z.string().default("") })),
});
export type Operation = z.infer<typeof Operation>;

export const OperationAnswer = z.object({ operation: Operation });
export const OperationPage = z.object({ operations: z.array(Operation), next_cursor: maybe(z.string()) });
export type OperationPage = z.infer<typeof OperationPage>;

/** The code of a run that ended as it should, and found nothing that answers. */
export const NO_ANSWER = "no_sources";

export function over(status: Status): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export const KIND_NAMES: Record<string, string> = {
  deep_research: "Research",
  agent_task: "A question to an agent",
  routine: "Routine",
  memory_generation: "Remembering",
};

/** What kind of work it is, in words. */
export function kindName({ kind }: Operation): string {
  return KIND_NAMES[kind] ?? kind.replaceAll("_", " ");
}

/** What it is about, in one line. */
export function subject(operation: Operation): string {
  const { question, routine } = operation.input;
  const line = typeof question === "string" ? question.trim().split("\n", 1)[0] : "";
  if (line) return withoutTags(line).replace(/^#+\s*/, "");
  if (typeof routine === "string") return routineName(routine);
  return operation.kind === "memory_generation" ? "What a conversation said of you" : kindName(operation);
}

/** A question without the hashtags around it: they say where it belongs, and that it was asked. */
function withoutTags(line: string): string {
  const rest = hashtags(line).reduce(withoutHashtag, line).trim();
  return rest === "" ? line : rest;
}

/** "daily_review" -> "Daily review" */
export function routineName(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
