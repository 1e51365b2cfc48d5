import type { OperationEvent } from "../api/event";
import { Step } from "../parts/Step";

/** What happened, oldest first. Neighbouring pieces of streamed text are one step, open while it grows. */
export function EventLog({ events }: { events: OperationEvent[] }) {
  const all = joined(events);
  return (
    <ol className="steps" aria-label="What happened">
      {all.map((event, at) => (
        <Entry key={event.seq} event={event} last={at === all.length - 1} />
      ))}
    </ol>
  );
}

/** Whether a tool's answer says that it failed. */
export function failed(output: Record<string, unknown>): boolean {
  return typeof output["error"] === "string" || output["ok"] === false;
}

/** Streamed text in one piece. */
export function joined(events: OperationEvent[]): OperationEvent[] {
  const all: OperationEvent[] = [];
  for (const event of events) {
    const before = all.at(-1);
    if (event.event === "task.streaming" && before?.event === "task.streaming") {
      all[all.length - 1] = { ...before, chunk: before.chunk + event.chunk };
    } else all.push(event);
  }
  return all;
}

function Entry({ event, last }: { event: OperationEvent; last: boolean }) {
  const { at } = event;
  switch (event.event) {
    case "task.started":
      return <Step at={at} tone="quiet" label="Started" />;
    case "task.thinking":
      return <Step at={at} tone="thinking" label="Thinking" text={event.message} />;
    case "task.tool_call":
      return <Step at={at} tone="tool" label={event.tool_name} data={event.input} />;
    case "task.tool_result":
      return failed(event.output) ? (
        <Step at={at} tone="bad" label={`${event.tool_name} failed`} data={event.output} />
      ) : (
        <Step at={at} tone="good" label={`${event.tool_name} answered`} data={event.output} />
      );
    case "task.streaming":
      return <Step at={at} tone="quiet" label="Writing" text={event.chunk} fold open={last} />;
    case "task.progress":
      return <Step at={at} tone="quiet" label={`${event.percent} %`} text={event.message} />;
    case "task.completed":
      return <Step at={at} tone="good" label="Done" data={event.output} />;
    case "task.failed":
      return <Step at={at} tone="bad" label="Failed" text={event.error_message} />;
    case "task.cancelled":
      return <Step at={at} tone="quiet" label="Cancelled" />;
  }
}
