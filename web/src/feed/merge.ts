/** How a fresh first page joins the rows that are already on screen. Pure. */
import type { Note, NotePage } from "../api/note";

export interface Rows {
  notes: Note[];
  cursor: string | null;
}

function newest(known: Note | undefined, fresh: Note): Note {
  if (!known || known.revision < fresh.revision) return fresh;
  if (known.revision > fresh.revision) return known;
  return JSON.stringify(known) === JSON.stringify(fresh) ? known : fresh;
}

/**
 * The first page is the truth about its stretch of the list; what was loaded below it stays.
 * An unchanged row keeps its object, so nothing redraws; a row edited here meanwhile is not set back.
 */
export function mergeFirst(rows: Rows, page: NotePage): Rows {
  const known = new Map(rows.notes.map((note) => [note.id, note]));
  const top = page.notes.map((note) => newest(known.get(note.id), note));
  if (page.next_cursor === null) return { notes: top, cursor: null };
  const inTop = new Set(top.map((note) => note.id));
  const end = top.at(-1);
  const boundary = end ? rows.notes.findIndex((note) => note.id === end.id) : -1;
  // Without a shared row there may be a gap: only the page is certain.
  if (boundary < 0) return { notes: top, cursor: page.next_cursor };
  const tail = rows.notes.slice(boundary + 1).filter((note) => !inTop.has(note.id));
  return tail.length === 0
    ? { notes: top, cursor: page.next_cursor }
    : { notes: [...top, ...tail], cursor: rows.cursor };
}

/** The next page below. */
export function append(rows: Rows, page: NotePage): Rows {
  const known = new Set(rows.notes.map((note) => note.id));
  return {
    notes: [...rows.notes, ...page.notes.filter((note) => !known.has(note.id))],
    cursor: page.next_cursor,
  };
}

/** One note that changed here: in its place, or on top when it is new. */
export function put(rows: Rows, note: Note, onTop: boolean): Rows {
  const at = rows.notes.findIndex((row) => row.id === note.id);
  if (at < 0) return onTop ? { ...rows, notes: [note, ...rows.notes] } : rows;
  const before = rows.notes[at];
  if (before && before.revision > note.revision) return rows;
  return { ...rows, notes: rows.notes.with(at, note) };
}

export function without(rows: Rows, id: string): Rows {
  return rows.notes.some((note) => note.id === id)
    ? { ...rows, notes: rows.notes.filter((note) => note.id !== id) }
    : rows;
}
