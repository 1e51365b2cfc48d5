import { AgentStep } from "../parts/AgentStep";
import { Step } from "../parts/Step";
import { why } from "../memory/cases";
import { plural } from "../words/money";
import type { StepEvent, TurnView } from "./turns";

/** What happened on the way: open while it happens, folded once the answer is there. */
export function Steps({ turn, open }: { turn: TurnView; open: boolean }) {
  const { steps, understood, tokens } = turn;
  const rows = (
    <ol className="steps" aria-label="Steps">
      {understood && (
        <Step
          key={understood.seq}
          at={understood.at}
          tone="quiet"
          label="Interpreted request"
          text={understood.text}
        />
      )}
      {steps.map((step) => (
        <Row key={step.seq} step={step} />
      ))}
    </ol>
  );
  const count = steps.length + (understood ? 1 : 0);
  if (count === 0) return null;
  if (open) return rows;
  return (
    <details className="trace">
      <summary>
        {plural(count, "step")}
        {tokens > 0 && <span className="soft">, {plural(tokens, "token")}</span>}
      </summary>
      {rows}
    </details>
  );
}

/** Who it was, where it was not the one that answers. */
const by = (agent: string, label: string) => (agent === "" ? label : `${agent}: ${label}`);

function Row({ step }: { step: StepEvent }) {
  const { at } = step;
  switch (step.type) {
    case "text":
      return <Step at={at} tone="quiet" label="Wrote" text={step.text} />;
    case "thinking":
      return <Step at={at} tone="thinking" label={by(step.agent, "Thinking")} text={step.text} />;
    case "tool_call":
      return <Step at={at} tone="tool" label={by(step.agent, step.tool)} data={step.arguments} />;
    case "recall":
      return (
        <Step
          at={at}
          tone="quiet"
          label="Memory"
          text={[step.text, ...[...new Set(Object.values(step.withheld))].map(why)].join("\n")}
        />
      );
    case "plan":
    case "evidence":
    case "critique":
    case "verification":
      return <AgentStep step={step} />;
    case "tool_result":
      return (
        <Step
          at={at}
          tone={step.ok ? "good" : "bad"}
          label={by(step.agent, step.ok ? `${step.tool} answered` : `${step.tool} failed`)}
          data={step.result}
        />
      );
    case "error":
      return <Step at={at} tone="bad" label="Error" text={step.message} />;
  }
}
