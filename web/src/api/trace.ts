/** How a note came to be, as shared/events/trace.py writes it. A type we don't know is skipped. */
import * as z from "zod";
import { OfAgents } from "./chat";
import { Json } from "./maybe";
import { Citation, Note } from "./note";

const common = { seq: z.int(), at: z.string() };

export const TraceEvent = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("user"), text: z.string(), changes: Json.default({}) }),
  z.object({ ...common, type: z.literal("text"), text: z.string() }),
  z.object({ ...common, type: z.literal("thinking"), text: z.string() }),
  z.object({ ...common, type: z.literal("tool_call"), tool: z.string(), arguments: Json }),
  z.object({
    ...common,
    type: z.literal("tool_result"),
    tool: z.string(),
    ok: z.boolean(),
    result: Json,
  }),
  ...OfAgents,
  z.object({ ...common, type: z.literal("citations"), citations: z.array(Citation) }),
  z.object({ ...common, type: z.literal("usage"), tokens: z.number(), cost_usd: z.number().default(0) }),
  z.object({ ...common, type: z.literal("error"), code: z.string(), message: z.string() }),
]);
export type TraceEvent = z.infer<typeof TraceEvent>;

function known(values: unknown[]): TraceEvent[] {
  return values.flatMap((value) => {
    const found = TraceEvent.safeParse(value);
    return found.success ? [found.data] : [];
  });
}

export const NoteWithTrace = z.object({
  note: Note,
  trace: z.array(z.unknown()).default([]).transform(known),
});
export type NoteWithTrace = z.infer<typeof NoteWithTrace>;
