/** Why research on a note brought nothing: told by its run alone, which is asked once, a few at a time. */
import { useEffect } from "react";
import type { Note } from "../api/note";
import { NO_ANSWER } from "../api/operation";
import { Problem } from "../api/problem";
import { getOperation } from "../api/server";
import { session } from "../session/session";
import { signal, useSignal } from "../state/signal";

/** Nothing answers the question, which is no fault; or something went wrong. */
export type Ending = "nothing" | "failed";

const AT_ONCE = 4;
const endings = signal<ReadonlyMap<string, Ending>>(new Map());
const wanted: string[] = [];
const asked = new Set<string>();
let running = 0;
session.subscribe(() => {
  asked.clear();
  endings.set(new Map());
});

const put = (id: string, ending: Ending) => endings.set(new Map(endings.get()).set(id, ending));

async function ask(id: string): Promise<void> {
  running += 1;
  try {
    const { error } = await getOperation(id);
    put(id, error?.code === NO_ANSWER ? "nothing" : "failed");
  } catch (error) {
    if (Problem.from(error).status === 404) put(id, "failed");
    // Whoever shows it the next time asks again.
    else asked.delete(id);
  } finally {
    running -= 1;
    next();
  }
}

function next(): void {
  while (running < AT_ONCE) {
    const id = wanted.shift();
    if (id === undefined) return;
    void ask(id);
  }
}

/** How the note's research ended where it failed; undefined while nobody knows, and where it did not fail. */
export function useEnding({ research }: Note): Ending | undefined {
  const known = useSignal(endings);
  const id = research.status === "failed" ? research.operation_id : null;
  useEffect(() => {
    if (id === null || asked.has(id)) return;
    asked.add(id);
    wanted.push(id);
    next();
  }, [id]);
  if (research.status !== "failed") return undefined;
  return id === null ? "failed" : known.get(id);
}
