/** Why research on a note brought nothing: told by its run alone. */
import type { Note } from "../api/note";
import { NO_ANSWER } from "../api/operation";
import { getOperation } from "../api/server";
import { askedOnce } from "../state/asked";

/** Nothing answers the question, which is no fault; or something went wrong. */
export type Ending = "nothing" | "failed";

const useAsked = askedOnce<Ending>(
  async (id) => ((await getOperation(id)).error?.code === NO_ANSWER ? "nothing" : "failed"),
  "failed",
);

/** How the note's research ended where it failed; undefined while nobody knows, and where it did not fail. */
export function useEnding({ research }: Note): Ending | undefined {
  const failed = research.status === "failed";
  const id = failed ? research.operation_id : null;
  const asked = useAsked(id);
  return failed && id === null ? "failed" : asked;
}
