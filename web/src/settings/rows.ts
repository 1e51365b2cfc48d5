/** The settings as they are shown: what each is called, what it does, how its value reads. Pure. */
import type { Name, Settings } from "../api/settings";
import { plural } from "../words/money";

type Of<T> = { [N in Name]: Settings[N] extends T ? N : never }[Name];

interface Words {
  label: string;
  /** What it does. */
  help: string;
}
export type Row =
  | (Words & { kind: "switch"; name: Of<boolean> })
  | (Words & { kind: "number"; name: Of<number>; low: number; high: number; unit: string })
  | (Words & { kind: "text"; name: Of<string>; empty: string })
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
    ],
  },
];

/** "on", "300 seconds", "example.org, *.example.net". */
export function told(row: Row, settings: Settings): string {
  switch (row.kind) {
    case "switch":
      return settings[row.name] ? "on" : "off";
    case "number":
      return plural(settings[row.name], row.unit);
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
