/** The feed: rows on screen, kept true by looking again. */
import { Problem } from "../api/problem";
import { pending, researching, type Note } from "../api/note";
import { listNotes, type Wanted } from "../api/server";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { poll, type Poll } from "../state/poll";
import { signal } from "../state/signal";
import { append, mergeFirst, put, without, type Rows } from "./merge";
import { headline } from "./preview";
import { readNotes, unread } from "./read";
import { everything, same } from "./wanted";

export const CALM = 20_000;
export const EAGER = 2_000;

export interface Feed {
  wanted: Wanted;
  notes: Note[];
  cursor: string | null;
  /** The first page of what is wanted has come. */
  ready: boolean;
  more: boolean;
  problem: Problem | null;
}

const NOTHING: Feed = {
  wanted: { text: "", tags: [], kind: null, bin: false },
  notes: [],
  cursor: null,
  ready: false,
  more: false,
  problem: null,
};

const state = signal<Feed>(NOTHING);
let polling: Poll | null = null;
/** Counts changes of what is wanted, so that a late answer to an old question is dropped. */
let question = 0;

function show(rows: Rows): void {
  state.set({ ...state.get(), ...rows, ready: true, problem: null });
}

/** Which research goes on, as the rows tell it. */
function underWay(notes: Note[]): string {
  return notes
    .filter(researching)
    .map(({ id, research }) => `${id} ${research.operation_id ?? ""} ${research.status ?? ""}`)
    .join(",");
}

function tell(before: Feed, notes: Note[]): void {
  if (!before.ready) return;
  const known = new Set(before.notes.map((note) => note.id));
  const arrived = notes.find((note) => !known.has(note.id) && unread(note, readNotes.get()));
  if (arrived) announce(`New report: ${headline(arrived)}`);
}

async function look(old: () => boolean): Promise<void> {
  const asked = question;
  try {
    const page = await listNotes(state.get().wanted, null);
    if (asked !== question || old()) return;
    const before = state.get();
    const rows = mergeFirst(before, page);
    const still =
      before.ready &&
      before.problem === null &&
      rows.cursor === before.cursor &&
      rows.notes.length === before.notes.length &&
      rows.notes.every((note, at) => note === before.notes[at]);
    if (still) return;
    tell(before, rows.notes);
    // Research starts and ends behind a note's back: the badge need not wait for its own turn.
    if (underWay(before.notes) !== underWay(rows.notes)) work.look();
    show(rows);
  } catch (error) {
    if (asked === question) state.set({ ...state.get(), problem: Problem.from(error) });
  }
}

const pace = () => (state.get().notes.some(pending) ? EAGER : CALM);

export const feed = {
  ...state,
  start(): () => void {
    polling = poll(look, pace, () => !state.get().ready);
    return () => polling?.stop();
  },
  look: () => polling?.now(),
  /** Shows something else: another search, another kind, the bin. */
  want(wanted: Wanted): void {
    if (same(wanted, state.get().wanted)) return;
    question += 1;
    state.set({ ...state.get(), wanted, notes: [], cursor: null, ready: false, more: false, problem: null });
    polling?.now();
  },
  async more(): Promise<void> {
    const { cursor, more, wanted } = state.get();
    if (cursor === null || more) return;
    const asked = question;
    state.set({ ...state.get(), more: true });
    try {
      const page = await listNotes(wanted, cursor);
      if (asked !== question) return;
      state.set({ ...state.get(), ...append(state.get(), page), more: false });
    } catch (error) {
      if (asked === question) state.set({ ...state.get(), more: false, problem: Problem.from(error) });
    }
  },
  /** A note that was made or changed here. */
  put(note: Note): void {
    const now = state.get();
    const rows = put(now, note, now.ready && everything(now.wanted));
    if (rows !== now) state.set({ ...now, ...rows });
    polling?.now();
  },
  remove(id: string): void {
    const now = state.get();
    const rows = without(now, id);
    if (rows !== now) state.set({ ...now, ...rows });
  },
};
