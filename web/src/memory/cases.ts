/** The cases of a memory's judgement in words, as shared/memory/receipt.py names them. Pure. */

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

/** The test's fact is nobody's, so nothing of it is proved to be yours. */
const OF_THE_TEST: Record<string, string> = {
  clean_write: "Written, and found in its place.",
  deletion_converged: "It is gone, and every read says so.",
  similarity_miss_list_hit: "It is there, but no question finds it.",
};

/** Why a memory is used or withheld, by the case that the server names. */
export function why(name: string): string {
  return CASES[name] ?? `${name.replaceAll("_", " ")}.`;
}

/** The same of the test of the memory service. */
export function whyOfTest(name: string): string {
  return OF_THE_TEST[name] ?? why(name);
}
