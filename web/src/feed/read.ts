/** Which reports were read, on this device. What was there before the first visit counts as read. */
import * as z from "zod";
import "../api/maybe";
import type { Note } from "../api/note";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

const NAME = "memex.read";
const MOST = 500;

const Read = z.object({ since: z.string(), ids: z.array(z.string()) });
export type Read = z.infer<typeof Read>;

function load(): Read {
  const found = take(shelf(), NAME, Read);
  if (found) return found;
  const first = { since: new Date().toISOString(), ids: [] };
  keep(shelf(), NAME, first);
  return first;
}

export const readNotes = signal<Read>(typeof window === "undefined" ? { since: "", ids: [] } : load());

export function unread(note: Note, read: Read): boolean {
  return (
    note.kind === "research" &&
    note.deleted_at === null &&
    Date.parse(note.created_at) >= Date.parse(read.since) &&
    !read.ids.includes(note.id)
  );
}

export function markRead(note: Note): void {
  const read = readNotes.get();
  if (!unread(note, read)) return;
  const next = { ...read, ids: [...read.ids, note.id].slice(-MOST) };
  readNotes.set(next);
  keep(shelf(), NAME, next);
}
