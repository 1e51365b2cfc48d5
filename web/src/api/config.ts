/** /config.json: where the functions live, and what research costs. */
import * as z from "zod";
import "./maybe";
import { Problem } from "./problem";

const base = z
  .string()
  .default("")
  .transform((text) => text.replace(/\/$/, ""));

const Offer = z.object({
  paid: z.boolean(),
  cost_usd: z.number().nullish(),
  engine: z.string().nullish(),
  /** It asks the chat's model, which may cost by itself. */
  model: z.boolean().nullish(),
});
export type Offer = z.infer<typeof Offer>;

export const Config = z.object({
  api: base,
  capture: base,
  chat: base,
  /** By whom it is done where nobody chose otherwise. */
  research: Offer.nullish(),
  /** By each who may be chosen. */
  engines: z.record(z.string(), Offer).nullish(),
});
export type Config = z.infer<typeof Config>;
export type Service = "api" | "capture" | "chat";

let loading: Promise<Config> | null = null;

async function load(): Promise<Config> {
  let answer: Response;
  try {
    answer = await fetch("/config.json", { cache: "no-cache" });
  } catch {
    throw Problem.unreached();
  }
  if (!answer.ok) throw Problem.told(answer.status, null);
  const found = Config.safeParse(await answer.json().catch(() => null));
  if (!found.success) throw Problem.unreadable();
  return found.data;
}

/** Read once; a failure is forgotten, so that the next call tries again. */
export function config(): Promise<Config> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
