/** Memories and their receipts in words. Pure. */
import type { Judgement, Memory, Receipt } from "../api/memory";

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

const CASES: Record<string, string> = {
  wrong_scope_result: "The memory service showed it under another identity.",
  async_pending: "The work on it has not ended yet.",
  deadline_passed: "Nobody knows whether the work on it ended.",
  operation_failed: "The work on it failed.",
  deleted_still_visible: "It was forgotten, and the memory service still shows it.",
  deletion_converged: "It is gone, and every read says so.",
  deletion_unproved: "It was forgotten; not every read says so yet.",
  no_topic_noop: "Nothing was there to remember.",
  unexpected_outcome: "The memory service did something else than was meant.",
  created_not_fetchable: "It was written, and can’t be read.",
  similarity_without_inventory: "A question finds it, but nothing proves that it is yours.",
  missing: "It should be there, and is not.",
  unread: "What is remembered could not be read.",
  unknown_source: "Nobody knows where it comes from.",
  revision_unread: "Its newest version could not be read.",
  stale_revision: "An older version is shown than was written.",
  similarity_miss_list_hit: "It is there, but no question finds it.",
  clean_write: "Written, found and proved to be yours.",
  nothing: "Nothing was remembered yet.",
};

export function why({ case: name }: Judgement): string {
  return CASES[name] ?? `${name.replaceAll("_", " ")}.`;
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
export function reads({ reads: all }: Receipt) {
  return [
    { name: "By name", read: all.get },
    { name: "The list", read: all.listed },
    { name: "Everything of yours", read: all.scope },
    { name: "Nearest to a question", read: all.similarity },
  ];
}
