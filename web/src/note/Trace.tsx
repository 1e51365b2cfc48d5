import type { TraceEvent } from "../api/trace";
import { AgentStep } from "../parts/AgentStep";
import { paired, type Pair } from "../parts/paired";
import { Step } from "../parts/Step";
import { ToolStep } from "../parts/ToolStep";
import { dollars, plural } from "../words/money";

/** How the note came to be, folded. */
export function Trace({ trace }: { trace: TraceEvent[] }) {
  if (trace.length === 0) return null;
  const steps = paired(
    trace,
    (event) => (event.type === "tool_call" ? event.tool : null),
    (event) => (event.type === "tool_result" ? event.tool : null),
  );
  const usage = trace.filter((event) => event.type === "usage");
  const tokens = usage.reduce((sum, event) => sum + event.tokens, 0);
  const cost = usage.reduce((sum, event) => sum + event.cost_usd, 0);
  return (
    <details className="trace">
      <summary>
        How this came to be{" "}
        <span className="soft">
          {plural(steps.length, "step")}
          {tokens > 0 ? `, ${plural(tokens, "token")}` : ""}
          {cost > 0 ? `, ${dollars(cost)}` : ""}
        </span>
      </summary>
      <ol className="steps">
        {steps.map(({ event, answer }) => (
          <Entry key={event.seq} event={event} answer={answer} />
        ))}
      </ol>
    </details>
  );
}

function Entry({ event, answer }: Pair<TraceEvent>) {
  const { at } = event;
  switch (event.type) {
    case "user": {
      const fields = Object.keys(event.changes);
      const text = event.text || (fields.length > 0 ? `Changed ${fields.join(", ")}` : "");
      return fields.length > 0 ? (
        <Step at={at} tone="user" label={`You: ${text}`} data={event.changes} />
      ) : (
        <Step at={at} tone="user" label="You" text={text} />
      );
    }
    case "text":
      return <Step at={at} tone="quiet" label="Wrote" text={event.text} />;
    case "thinking":
      return <Step at={at} tone="thinking" label="Thinking" text={event.text} />;
    case "tool_call":
      return (
        <ToolStep
          at={at}
          tool={event.tool}
          asked={event.arguments}
          result={answer?.type === "tool_result" ? answer.result : null}
          ok={answer?.type !== "tool_result" || answer.ok}
        />
      );
    case "tool_result":
      return <ToolStep at={at} tool={event.tool} asked={{}} result={event.result} ok={event.ok} />;
    case "plan":
    case "evidence":
    case "critique":
    case "verification":
      return <AgentStep step={event} />;
    case "citations":
      return <Step at={at} tone="quiet" label="Sources" text={plural(event.citations.length, "source")} />;
    case "usage":
      return (
        <Step
          at={at}
          tone="quiet"
          label="Used"
          text={`${plural(event.tokens, "token")}, ${dollars(event.cost_usd)}`}
        />
      );
    case "error":
      return <Step at={at} tone="bad" label="Error" text={event.message} />;
  }
}
