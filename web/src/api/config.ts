/** /config.json: where the functions live, and what research costs. */
import * as z from "zod";
import "./maybe";
import { Problem } from "./problem";

const base = z
  .string()
  .default("")
  .transform((text) => text.replace(/\/$/, ""));

export const Config = z.object({
  api: base,
  capture: base,
  chat: base,
  research: z
    .object({
      paid: z.boolean(),
      cost_usd: z.number().nullish(),
      engine: z.string().nullish(),
    })
    .nullish(),
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
