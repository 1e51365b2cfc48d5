/** What happened in an operation: nine kinds, numbered without gaps. A kind we don't know is skipped. */
import * as z from "zod";
import { Json, maybe } from "./maybe";

const common = { seq: z.int(), at: z.string() };

export const OperationEvent = z.discriminatedUnion("event", [
  z.object({ ...common, event: z.literal("task.started") }),
  z.object({ ...common, event: z.literal("task.thinking"), message: z.string() }),
  z.object({ ...common, event: z.literal("task.tool_call"), tool_name: z.string(), input: Json }),
  z.object({ ...common, event: z.literal("task.tool_result"), tool_name: z.string(), output: Json }),
  z.object({ ...common, event: z.literal("task.streaming"), chunk: z.string() }),
  z.object({ ...common, event: z.literal("task.progress"), percent: z.number(), message: z.string() }),
  z.object({ ...common, event: z.literal("task.completed"), output: Json }),
  z.object({
    ...common,
    event: z.literal("task.failed"),
    error_code: z.string(),
    error_message: z.string(),
  }),
  z.object({ ...common, event: z.literal("task.cancelled") }),
]);
export type OperationEvent = z.infer<typeof OperationEvent>;

export const EventPage = z.object({ events: z.array(z.unknown()), next_cursor: maybe(z.string()) });

export function readEvent(value: unknown): OperationEvent | null {
  const found = OperationEvent.safeParse(value);
  return found.success ? found.data : null;
}

export function last(event: OperationEvent): boolean {
  return ["task.completed", "task.failed", "task.cancelled"].includes(event.event);
}
