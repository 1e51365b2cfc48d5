/** Which kinds can be filtered by: what anybody can make, and of the rest those that exist. */
import { useEffect } from "react";
import { KINDS, type Kind, type Note } from "../api/note";
import { listNotes } from "../api/server";
import { signal, useSignal } from "../state/signal";
import { feed } from "./feed";

/** These need no proof: the empty list says how to get one. */
const ALWAYS: readonly Kind[] = ["capture", "link", "research"];
const RARE = KINDS.filter((kind) => !ALWAYS.includes(kind));

const found = signal<readonly Kind[]>([]);
let asked = false;

function add(kinds: readonly Kind[]): void {
  const all = [...new Set([...found.get(), ...kinds])];
  if (all.length > found.get().length) found.set(all);
}

/** Asks once a visit for one note of each rare kind: it may lie far below the rows that are loaded. */
async function ask(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    const pages = await Promise.all(
      RARE.map((kind) => listNotes({ text: "", tags: [], kind, bin: false }, null, 1)),
    );
    add(pages.flatMap(({ notes }) => notes.map(({ kind }) => kind)));
  } catch {
    asked = false;
  }
}

/** The kinds worth offering, in their order: always the chosen one, too. */
export function offered(known: readonly Kind[], rows: readonly Note[], chosen: Kind | null): Kind[] {
  return KINDS.filter(
    (kind) =>
      ALWAYS.includes(kind) ||
      kind === chosen ||
      known.includes(kind) ||
      rows.some((row) => row.kind === kind),
  );
}

export function useKinds(chosen: Kind | null): Kind[] {
  const { notes, ready } = useSignal(feed);
  const known = useSignal(found);
  const some = ready && notes.length > 0;
  useEffect(() => {
    if (some) void ask();
  }, [some]);
  useEffect(() => add(notes.map(({ kind }) => kind)), [notes]);
  return offered(known, notes, chosen);
}
