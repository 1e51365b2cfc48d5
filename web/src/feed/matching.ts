/** Search in the bin. The server's index leaves it out, so its rows are read here: title, address, first lines. Pure. */
import type { Note } from "../api/note";

const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether the note holds every word, in any order, also as a part of a longer one. */
export function matches(note: Note, text: string): boolean {
  const all = fold([note.title, note.summary, note.url, note.body, note.tags.join(" ")].join("\n"));
  return fold(text)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
