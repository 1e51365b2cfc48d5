/** Memories and their receipts in words. Pure. */
import type { Judgement, Memory, Receipt } from "../api/memory";
import type { Operation } from "../api/operation";

/** Whether it may be used, and why not. A case that we don't know is told by its decision. */
export function used({ decision }: Judgement): { words: string; good: boolean } {
  switch (decision) {
    case "allow":
      return { words: "Used where it fits a question", good: true };
    case "degrade":
      return { words: "Withheld: it is there, but no question finds it", good: false };
    case "wait":
      return { words: "Withheld until more is known", good: false };
    case "block":
      return { words: "Withheld", good: false };
    case null:
      return { words: "Nothing to use", good: false };
  }
}

/** What a memory looks like between its making and its proof. */
const UNPROVED = ["unknown_source", "stale_revision"];
/** Milliseconds by which two clocks may differ. */
const SKEW = 60_000;

/** Whether it is seen already and still being proved: then it is not yet written down where it comes from. */
export function proving({ updated_at, judgement }: Memory, running: readonly Operation[]): boolean {
  const changed = Date.parse(updated_at) + SKEW;
  return (
    UNPROVED.includes(judgement.case) &&
    running.some(({ kind, created_at }) => kind === "memory_generation" && Date.parse(created_at) <= changed)
  );
}

/** Where it comes from. */
export function origin({ origin: from }: Memory): string {
  switch (from?.kind) {
    case "chat":
      return "From a conversation";
    case "edit":
      return "In your own words";
    case "rollback":
      return "Brought back from an earlier version";
    case "canary":
      return "A test of the memory service";
    case undefined:
      return "From a source that nobody knows";
  }
}

export const OCCASIONS: Record<Receipt["occasion"], string> = {
  generation: "Remembering",
  recall: "Looking for memories",
  change: "A change by you",
  canary: "A test of the memory service",
};

export const VERDICTS: Record<Receipt["verdict"], string> = {
  healthy: "proved",
  working: "under way",
  degraded: "degraded",
  uncertain: "uncertain",
  failed: "failed",
};

/** The four ways of reading, apart: they answer different questions. */
export function reads({ reads: all, occasion }: Receipt) {
  return [
    { name: "By name", read: all.get },
    { name: "The list", read: all.listed },
    { name: occasion === "canary" ? "Everything in its place" : "Everything of yours", read: all.scope },
    { name: "Nearest to a question", read: all.similarity },
  ];
}
