import type { OperationEvent } from "../api/event";
import { paired, type Pair } from "../parts/paired";
import { Step } from "../parts/Step";
import { ToolStep } from "../parts/ToolStep";

/** What happened, oldest first. Neighbouring pieces of streamed text are one step, open while it grows. */
export function EventLog({ events }: { events: OperationEvent[] }) {
  const all = paired(
    joined(events),
    (event) => (event.event === "task.tool_call" ? event.tool_name : null),
    (event) => (event.event === "task.tool_result" ? event.tool_name : null),
  );
  return (
    <ol className="steps" aria-label="What happened">
      {all.map(({ event, answer }, at) => (
        <Entry key={event.seq} event={event} answer={answer} last={at === all.length - 1} />
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

function Entry({ event, answer, last }: Pair<OperationEvent> & { last: boolean }) {
  const { at } = event;
  switch (event.event) {
    case "task.started":
      return <Step at={at} tone="quiet" label="Started" />;
    case "task.thinking":
      return <Step at={at} tone="thinking" label="Thinking" text={event.message} />;
    case "task.tool_call": {
      const output = answer?.event === "task.tool_result" ? answer.output : null;
      const ok = output === null || !failed(output);
      return <ToolStep at={at} tool={event.tool_name} asked={event.input} result={output} ok={ok} />;
    }
    case "task.tool_result": {
      const { tool_name, output } = event;
      return <ToolStep at={at} tool={tool_name} asked={{}} result={output} ok={!failed(output)} />;
    }
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
