/** Settings: what counts, what of it was chosen here, and what the deployment decided. */
import * as z from "zod";
import { maybe } from "./maybe";
import { request } from "./request";

/** Those that this client shows; the others are left as they are. */
export const Settings = z.object({
  model: z.string(),
  use_tools: z.boolean(),
  approve_tools: z.boolean(),
  think: z.boolean(),
  egress_enabled: z.boolean(),
  allowed_hosts: z.array(z.string()),
  max_iterations: z.int(),
  turn_timeout_seconds: z.int(),
  time_zone: z.string(),
  agent_mode: z.enum(["single", "multi", "custom"]),
  accuracy_mode: z.enum(["standard", "accurate"]),
  human_gate: z.boolean(),
  verifier_check: z.boolean(),
  gate_hours: z.int(),
  memory_enabled: z.boolean(),
  max_running: z.int(),
  task_timeout_seconds: z.int(),
  operation_budget_usd: z.number(),
  operation_budget_tokens: z.int(),
  daily_budget_usd: z.number(),
  daily_paid_runs: z.int(),
  research_engine: z.enum(["deep", "local"]),
});
export type Settings = z.infer<typeof Settings>;
export type Name = keyof Settings;

export const SettingsAnswer = z.object({
  settings: Settings,
  overrides: z.array(z.string()),
  defaults: Settings,
  /** Models that can be named, where the server knows them. */
  models: maybe(z.array(z.string())),
});
export type SettingsAnswer = z.infer<typeof SettingsAnswer>;

export const Tool = z.object({
  name: z.string(),
  class: z.enum(["read", "write", "external", "destructive"]),
  description: z.string(),
  asks: z.boolean(),
});
export type Tool = z.infer<typeof Tool>;
const ToolPage = z.object({ tools: z.array(Tool) });

export const getSettings = () => request("/api/v1/settings", SettingsAnswer);

/** Changes one setting; null goes back to the deployment's default. */
export const putSetting = <N extends Name>(name: N, value: Settings[N] | null) =>
  // The page may be on its way out.
  request("/api/v1/settings", SettingsAnswer, { method: "PUT", body: { [name]: value }, keepalive: true });

export async function listTools(): Promise<Tool[]> {
  return (await request("/api/v1/tools", ToolPage)).tools;
}
