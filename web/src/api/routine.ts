/** Routines, as functions/api/routines.py and shared/models/routine.py write them, and every call about them. */
import * as z from "zod";
import { maybe } from "./maybe";
import { OperationAnswer, type Operation } from "./operation";
import { request } from "./request";

export const RoutineRun = z.object({
  id: z.string(),
  routine: z.string(),
  due_at: z.string(),
  fired_at: z.string(),
  by: z.enum(["schedule", "person"]).default("schedule"),
  status: z
    .enum(["queued", "running", "waiting_for_input", "completed", "failed", "cancelled"])
    .default("queued"),
  summary: maybe(z.string()),
  /** Why what it wrote is less than it could be. */
  partial: maybe(z.string()),
  approval_ids: z.array(z.string()).default([]),
  note_id: maybe(z.string()),
  error: maybe(z.object({ code: z.string(), message: z.string(), next: z.string().default("") })),
});
export type RoutineRun = z.infer<typeof RoutineRun>;

export const Routine = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** "07:00", by the clock of `time_zone`. */
  at: z.string(),
  time_zone: z.string(),
  next_due_at: maybe(z.string()),
  last_due_at: maybe(z.string()),
  failures: z.int(),
  paused: maybe(z.object({ reason: z.string(), at: z.string() })),
  revision: z.int(),
  last_runs: z.array(RoutineRun).default([]),
});
export type Routine = z.infer<typeof Routine>;

export const RoutinePage = z.object({ routines: z.array(Routine) });
export const RoutineAnswer = z.object({ routine: Routine });

export interface RoutineChange {
  enabled?: boolean;
  at?: string;
  resume?: boolean;
}

const ALL = "/api/v1/routines";
const of = (name: string) => `${ALL}/${encodeURIComponent(name)}`;

export async function listRoutines(): Promise<Routine[]> {
  return (await request(ALL, RoutinePage)).routines;
}

/** Fails with 409 when it was changed elsewhere since `revision`. */
export async function changeRoutine(name: string, change: RoutineChange, revision: number): Promise<Routine> {
  const ask = { method: "PATCH", body: change, headers: { "If-Match": String(revision) } } as const;
  return (await request(of(name), RoutineAnswer, ask)).routine;
}

export async function runRoutine(name: string): Promise<Operation> {
  const ask = { method: "POST", once: true } as const;
  return (await request(`${of(name)}/run`, OperationAnswer, ask)).operation;
}
