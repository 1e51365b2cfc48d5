/** The settings as they are shown: what each is called, what it does, how its value reads. Pure. */
import type { Name, Settings } from "../api/settings";
import { plural } from "../words/money";

type Of<T> = { [N in Name]: Settings[N] extends T ? N : never }[Name];
type Choice = "agent_mode" | "accuracy_mode" | "research_engine";

interface Words {
  label: string;
  /** What it does. */
  help: string;
}
export type Row =
  | (Words & { kind: "switch"; name: Of<boolean> })
  | (Words & { kind: "number"; name: Of<number>; low: number; high: number; unit: string; step?: "any" })
  | (Words & { kind: "choice"; name: Choice; options: { value: string; label: string }[] })
  | (Words & { kind: "text"; name: Exclude<Of<string>, Choice>; empty: string })
  | (Words & { kind: "lines"; name: Of<string[]> });

export const GROUPS: { title: string; rows: Row[] }[] = [
  {
    title: "Answers",
    rows: [
      {
        kind: "text",
        name: "model",
        label: "Model",
        help: "Who answers in the chat. “offline” answers from your notes alone, without any service.",
        empty: "the deployment’s own",
      },
      {
        kind: "switch",
        name: "think",
        label: "Think before answering",
        help: "Shows the model’s reasoning as it comes, and keeps it with the answer. Takes longer.",
      },
      {
        kind: "text",
        name: "time_zone",
        label: "Time zone",
        help: "What “today” and “at nine” mean. UTC, or a name such as Europe/Berlin.",
        empty: "UTC",
      },
    ],
  },
  {
    title: "Tools",
    rows: [
      {
        kind: "switch",
        name: "use_tools",
        label: "Use tools",
        help: "Without them the chat can neither look into your notes nor change anything.",
      },
      {
        kind: "switch",
        name: "approve_tools",
        label: "Run outside tools without asking",
        help:
          "What costs money or leaves this house then runs within the budget. " +
          "What takes something away asks in any case.",
      },
    ],
  },
  {
    title: "Network",
    rows: [
      {
        kind: "switch",
        name: "egress_enabled",
        label: "Read from the web",
        help: "Pages of the hosts below, and nothing else.",
      },
      {
        kind: "lines",
        name: "allowed_hosts",
        label: "Allowed hosts",
        help: "One on each line: example.org, or *.example.org for its subdomains.",
      },
    ],
  },
  {
    title: "Limits",
    rows: [
      {
        kind: "number",
        name: "turn_timeout_seconds",
        label: "Time for an answer",
        help: "A longer one is ended; what was done by then stays.",
        low: 30,
        high: 3_600,
        unit: "second",
      },
      {
        kind: "number",
        name: "max_iterations",
        label: "Rounds with tools",
        help: "How often the model may be asked for one answer.",
        low: 1,
        high: 50,
        unit: "round",
      },
      {
        kind: "number",
        name: "gate_hours",
        label: "Time to answer a question",
        help: "How long a question of an agent waits for your word; after that it counts as no.",
        low: 1,
        high: 720,
        unit: "hour",
      },
    ],
  },
  {
    title: "Long work",
    rows: [
      {
        kind: "choice",
        name: "research_engine",
        label: "Research is done by",
        help:
          "The service is what this Memex is set up with, at its price. Its own agents work with the chat’s " +
          "model, from your notes and the hosts allowed above; they also step in where the service can’t be had.",
        options: [
          { value: "deep", label: "The service" },
          { value: "local", label: "Own agents" },
        ],
      },
      {
        kind: "number",
        name: "max_running",
        label: "At the same time",
        help: "How many pieces of long work may run; the others wait.",
        low: 1,
        high: 100,
        unit: "piece",
      },
      {
        kind: "number",
        name: "task_timeout_seconds",
        label: "Time for a question to an agent",
        help: "What was found by then is kept.",
        low: 30,
        high: 3_600,
        unit: "second",
      },
      {
        kind: "number",
        name: "operation_budget_usd",
        label: "Cost of one piece of work",
        help: "Beyond it, work ends with what it has.",
        low: 0,
        high: 100_000,
        unit: "dollar",
        step: "any",
      },
      {
        kind: "number",
        name: "operation_budget_tokens",
        label: "Tokens of one piece of work",
        help: "Beyond it, work ends with what it has.",
        low: 1_000,
        high: 1_000_000_000,
        unit: "token",
      },
      {
        kind: "number",
        name: "daily_budget_usd",
        label: "Cost of a day",
        help: "What all work of a day may cost together.",
        low: 0,
        high: 100_000,
        unit: "dollar",
        step: "any",
      },
      {
        kind: "number",
        name: "daily_paid_runs",
        label: "Paid runs of a day",
        help: "How many runs that cost money may start in a day.",
        low: 0,
        high: 10_000,
        unit: "run",
      },
    ],
  },
];

/** Shown among the agents. */
export const AGENT_ROWS: Row[] = [
  {
    kind: "choice",
    name: "agent_mode",
    label: "Mode",
    help: "Several agents check each other. That takes at least two more model calls for each answer, and longer.",
    options: [
      { value: "single", label: "One agent" },
      { value: "multi", label: "Several agents" },
    ],
  },
  {
    kind: "choice",
    name: "accuracy_mode",
    label: "Accuracy",
    help: "With several agents: accurate has a verifier give a verdict on each answer, one more call at least.",
    options: [
      { value: "standard", label: "Standard" },
      { value: "accurate", label: "Accurate" },
    ],
  },
  {
    kind: "switch",
    name: "verifier_check",
    label: "Look facts up again",
    help: "The last one who judges asks the sources once more, independently.",
  },
  {
    kind: "switch",
    name: "human_gate",
    label: "Show me each answer before it counts",
    help: "With several agents: you approve or reject it, with what the critic said.",
  },
];

/** Shown with what is remembered. */
export const MEMORY_ROW: Row = {
  kind: "switch",
  name: "memory_enabled",
  label: "Remember what conversations say of me",
  help: "After an answer, facts about you are kept, and used in later answers where they pass every check.",
};

/** "on", "300 seconds", "example.org, *.example.net". */
export function told(row: Row, settings: Settings): string {
  switch (row.kind) {
    case "switch":
      return settings[row.name] ? "on" : "off";
    case "number":
      return plural(settings[row.name], row.unit);
    case "choice": {
      const value = settings[row.name];
      // A value that is not offered here was chosen elsewhere, and is called by its own name.
      return (row.options.find((one) => one.value === value)?.label ?? value).toLowerCase();
    }
    case "text":
      return settings[row.name] || row.empty;
    case "lines":
      return settings[row.name].join(", ") || "none";
  }
}

/** "a.org\n\n b.org" -> ["a.org", "b.org"] */
export function linesIn(text: string): string[] {
  return text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
