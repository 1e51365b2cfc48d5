import { did, doing, failedTo } from "../words/tools";
import { Step } from "./Step";

type Some = Record<string, unknown>;

interface Props {
  at: string;
  tool: string;
  asked: Some;
  /** What it answered; null while it is at work. */
  result: Some | null;
  ok?: boolean;
  /** Who called it, where that was not the one who answers. */
  agent?: string;
}

/** One use of a tool in a plain sentence; what went in and what came out as data are folded. */
export function ToolStep({ at, tool, asked, result, ok = true, agent = "" }: Props) {
  const words =
    result === null ? doing(tool, asked) : ok ? did(tool, asked, result) : failedTo(tool, asked, result);
  return (
    <Step
      at={at}
      tone={result === null ? "tool" : ok ? "good" : "bad"}
      label={agent}
      text={words}
      data={{ tool, arguments: asked, ...(result === null ? {} : { result }) }}
    />
  );
}
