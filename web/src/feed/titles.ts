/** What notes are called that are not in the feed: asked for once, a few at a time. */
import { useEffect } from "react";
import { Problem } from "../api/problem";
import { getNote } from "../api/server";
import { session } from "../session/session";
import { signal, useSignal } from "../state/signal";
import { feed } from "./feed";
import { headline } from "./preview";

const AT_ONCE = 4;
/** By id; null where there is no such note any more. */
const titles = signal<ReadonlyMap<string, string | null>>(new Map());
const wanted: string[] = [];
const asked = new Set<string>();
let running = 0;
session.subscribe(() => {
  asked.clear();
  titles.set(new Map());
});

const put = (id: string, title: string | null) => titles.set(new Map(titles.get()).set(id, title));

async function ask(id: string): Promise<void> {
  running += 1;
  try {
    put(id, headline((await getNote(id)).note));
  } catch (error) {
    if (Problem.from(error).status === 404) put(id, null);
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

/** A note's title; undefined while nobody knows it, null where the note is gone. */
export function useTitleOf(id: string | null): string | null | undefined {
  const row = useSignal(feed).notes.find((note) => note.id === id);
  const known = useSignal(titles);
  const missing = id !== null && row === undefined;
  useEffect(() => {
    if (!missing || asked.has(id)) return;
    asked.add(id);
    wanted.push(id);
    next();
  }, [id, missing]);
  if (id === null) return undefined;
  return row ? headline(row) : known.get(id);
}
