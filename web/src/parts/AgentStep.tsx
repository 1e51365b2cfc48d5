import type { OfAgents } from "../api/chat";
import { Step } from "./Step";

const CRITIC_WORDS = { ok: "OK", revise: "revise", replan: "plan anew" };
const VERIFIER_WORDS = { pass: "pass", needs_revision: "needs revision", fail: "fail" };
const checked = (label: string, looked: boolean) => (looked ? `${label}, after looking facts up` : label);

/** What one of several agents said of the work, in its colour, with its verdict in a word. */
export function AgentStep({ step }: { step: OfAgents }) {
  const { at } = step;
  switch (step.type) {
    case "plan":
      return (
        <Step
          at={at}
          tone="planner"
          label={step.attempt > 1 ? "Plan, once more" : "Plan"}
          text={step.steps.join("\n")}
        />
      );
    case "evidence":
      return (
        <Step
          at={at}
          tone="quiet"
          label="Evidence"
          text={[step.text, ...step.passages.map(({ title, url }) => title || url)].join("\n")}
        />
      );
    case "critique":
      return (
        <Step
          at={at}
          tone="critic"
          label={checked("Critic", step.checked)}
          mark={{ word: CRITIC_WORDS[step.verdict], good: step.verdict === "ok" }}
          text={step.text}
        />
      );
    case "verification":
      return (
        <Step
          at={at}
          tone="verify"
          label={checked("Verify", step.checked)}
          mark={{ word: VERIFIER_WORDS[step.verdict], good: step.verdict === "pass" }}
          text={step.reasons.join("\n")}
        />
      );
  }
}
