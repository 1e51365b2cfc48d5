/** A thesis' evidence as numbered sources that open beside it. Pure. */
import type { Citation, Evidence, Note } from "../api/note";
import { host, noteIn } from "../markdown/links";

/** Sources of a note: those that its text cites, then those of its evidence, each address once. */
export function sourcesOf(note: Note, titleOf: (noteId: string) => string | null): Citation[] {
  const all = [...note.citations];
  for (const { source } of evidenceOf(note)) {
    if (all.some(({ url }) => url === source)) continue;
    const id = noteIn(source);
    all.push({
      number: Math.max(0, ...all.map(({ number }) => number)) + 1,
      title: id === null ? host(source) || source : (titleOf(id) ?? ""),
      url: source,
      source_kind: id === null ? "web" : "note",
      note_id: id,
      quote: null,
    });
  }
  return all;
}

export function evidenceOf({ thesis }: Note): Evidence[] {
  return thesis ? [...thesis.supporting, ...thesis.opposing] : [];
}
