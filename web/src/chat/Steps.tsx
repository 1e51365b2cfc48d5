import { AgentStep } from "../parts/AgentStep";
import { Step } from "../parts/Step";
import { ToolStep } from "../parts/ToolStep";
import { why } from "../memory/cases";
import { plural } from "../words/money";
import { rows, type Row, type TurnView, type Use } from "./turns";

/** What happened on the way: open while it happens, folded once the answer is there. */
export function Steps({ turn, open }: { turn: TurnView; open: boolean }) {
  const { steps, understood, tokens } = turn;
  const all = rows(steps);
  const log = (
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
      {all.map((row) => (
        <Line key={row.type === "use" ? (row.call ?? row.result)?.seq : row.seq} row={row} />
      ))}
    </ol>
  );
  const count = all.length + (understood ? 1 : 0);
  if (count === 0) return null;
  if (open) return log;
  return (
    <details className="trace">
      <summary>
        {plural(count, "step")}
        {tokens > 0 && <span className="soft">, {plural(tokens, "token")}</span>}
      </summary>
      {log}
    </details>
  );
}

/** Who it was, where it was not the one that answers. */
const by = (agent: string, label: string) => (agent === "" ? label : `${agent}: ${label}`);

function Line({ row }: { row: Row }) {
  if (row.type === "use") return <Used call={row.call} result={row.result} />;
  const { at } = row;
  switch (row.type) {
    case "text":
      return <Step at={at} tone="quiet" label="Wrote" text={row.text} />;
    case "thinking":
      return <Step at={at} tone="thinking" label={by(row.agent, "Thinking")} text={row.text} />;
    case "recall":
      return (
        <Step
          at={at}
          tone="quiet"
          label="Memory"
          text={[row.text, ...[...new Set(Object.values(row.withheld))].map(why)].join("\n")}
        />
      );
    case "plan":
    case "evidence":
    case "critique":
    case "verification":
      return <AgentStep step={row} />;
    case "error":
      return <Step at={at} tone="bad" label="Error" text={row.message} />;
  }
}

function Used({ call, result }: Pick<Use, "call" | "result">) {
  const one = call ?? result;
  if (one === null) return null;
  return (
    <ToolStep
      at={one.at}
      tool={one.tool}
      agent={one.agent}
      asked={call?.arguments ?? {}}
      result={result?.result ?? null}
      ok={result?.ok ?? true}
    />
  );
}
