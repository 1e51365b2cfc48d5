/** What one's own conversations are called, for those who show them elsewhere. Other people's are never asked for. */
import { useEffect } from "react";
import { listSessions, type ChatSession } from "../api/chat";
import { session } from "../session/session";
import { signal, useSignal } from "../state/signal";
import { sessions } from "./sessions";

/** Pages of conversations that are looked through. */
const PAGES = 10;

interface Names {
  known: ReadonlyMap<string, string>;
  /** Ids that are none of one's own, or gone. */
  missing: ReadonlySet<string>;
}

const NOTHING: Names = { known: new Map(), missing: new Set() };
const names = signal<Names>(NOTHING);
const asked = new Set<string>();
let looking: Promise<void> | null = null;
let key = session.get().key;
session.subscribe(() => {
  if (session.get().key === key) return;
  key = session.get().key;
  asked.clear();
  names.set(NOTHING);
});

const title = (one: ChatSession) => one.title ?? "Untitled";

/** Looks through the list until all that are asked for are found, or it ends. */
async function look(): Promise<void> {
  const whose = key;
  const known = new Map(names.get().known);
  let cursor: string | null = null;
  let pages = 0;
  try {
    do {
      const page = await listSessions(cursor);
      for (const one of page.sessions) known.set(one.id, title(one));
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null && pages < PAGES && [...asked].some((id) => !known.has(id)));
    if (whose !== key) return;
    const missing = cursor === null ? [...asked].filter((id) => !known.has(id)) : [];
    names.set({ known, missing: new Set(missing) });
  } catch {
    // Whoever shows them the next time asks again.
    if (whose === key) asked.clear();
  } finally {
    looking = null;
  }
}

function ask(id: string): void {
  if (asked.has(id)) return;
  asked.add(id);
  // All that one page shows are asked for at once.
  looking ??= Promise.resolve().then(look);
}

/** A conversation's title; undefined while nobody knows it, null where it is not one's own, or gone. */
export function useNameOf(id: string | null): string | null | undefined {
  const listed = useSignal(sessions).sessions.find((one) => one.id === id);
  const { known, missing } = useSignal(names);
  const unknown = id !== null && id !== "" && listed === undefined;
  useEffect(() => {
    if (unknown) ask(id);
  }, [id, unknown]);
  if (id === null || id === "") return undefined;
  if (listed) return title(listed);
  return known.get(id) ?? (missing.has(id) ? null : undefined);
}
