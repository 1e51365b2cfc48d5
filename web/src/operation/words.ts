/** An operation's state in words. Pure. */
import { NO_ANSWER, over, type Operation, type Status } from "../api/operation";
import { count, dollars } from "../words/money";
import { duration } from "../words/time";

export const STATUS_WORDS: Record<Status, string> = {
  created: "Waiting for a free slot",
  queued: "Waiting for a free slot",
  running: "Running",
  waiting_for_input: "Waiting for your word",
  completed: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** How it stands, and in which colour: that nothing answers the question is no fault. */
export function standing({ status, error }: Operation): { words: string; tone: Status | "nothing" } {
  return status === "failed" && error?.code === NO_ANSWER
    ? { words: "No answer found", tone: "nothing" }
    : { words: STATUS_WORDS[status], tone: status };
}

/** "running for 3 min", "took 12 min". */
export function timing(operation: Operation, now: number): string {
  const { status, started_at, created_at, updated_at } = operation;
  const since = Date.parse(started_at ?? created_at);
  switch (status) {
    case "created":
    case "queued":
      return `for ${duration(now - Date.parse(created_at))}`;
    case "running":
    case "waiting_for_input":
      return `for ${duration(now - since)}`;
    case "completed":
    case "failed":
    case "cancelled":
      return `after ${duration(Date.parse(updated_at) - since)}`;
  }
}

/** "Remembering: 1 running, 5 done, 1 failed"; `more` says that there are older ones. */
export function upkeep(all: readonly Operation[], more: boolean): string {
  const sorts: Record<string, readonly Status[]> = {
    running: ["created", "queued", "running", "waiting_for_input"],
    done: ["completed"],
    failed: ["failed"],
    cancelled: ["cancelled"],
  };
  const told = Object.entries(sorts).flatMap(([word, statuses]) => {
    const number = all.filter(({ status }) => statuses.includes(status)).length;
    return number > 0 ? [`${count(number)} ${word}`] : [];
  });
  return `Remembering: ${told.join(", ")}${more ? ", and older ones" : ""}`;
}

/** "$1.20 so far, 14,200 tokens"; while nothing is known yet, what it may cost. */
export function spent({ usage, estimated_usd, status }: Operation): string {
  const tokens = usage.tokens > 0 ? `, ${count(usage.tokens)} tokens` : "";
  if (usage.cost_usd > 0) return `${dollars(usage.cost_usd)}${over(status) ? "" : " so far"}${tokens}`;
  if (estimated_usd > 0 && !over(status)) return `about ${dollars(estimated_usd)} reserved${tokens}`;
  return `free${tokens}`;
}

/** What it may use at most, and how much of that is gone (0 to 1); null where nothing was set, or nothing was used. */
export function budget({
  usage,
  budget_usd,
  budget_tokens,
  status,
}: Operation): { words: string; share: number } | null {
  const parts = [
    ...(budget_usd > 0 ? [{ words: dollars(budget_usd), share: usage.cost_usd / budget_usd }] : []),
    ...(budget_tokens > 0
      ? [{ words: `${count(budget_tokens)} tokens`, share: usage.tokens / budget_tokens }]
      : []),
  ];
  const share = Math.min(1, Math.max(0, ...parts.map((part) => part.share)));
  if (parts.length === 0 || (over(status) && share === 0)) return null;
  const all = parts.map(({ words }) => words).join(" and ");
  return { words: `It ${over(status) ? "could" : "may"} use ${all}.`, share };
}
