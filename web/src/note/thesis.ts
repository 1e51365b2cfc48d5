/** A thesis' evidence as numbered sources that open beside it, and a person's judgement of it. Pure. */
import type { Citation, Evidence, Note, Thesis } from "../api/note";
import type { Changes } from "../api/server";
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

/** A judgement as it is being made: what was not touched follows the thesis. */
export interface Judging {
  status?: Thesis["status"];
  /** As typed; empty where nobody has judged. */
  confidence?: string;
}

/** What of it differs from the thesis; null where the confidence is no number from 0 to 100. */
export function judged(thesis: Thesis, { status, confidence }: Judging): Changes["thesis"] | null {
  const percent = confidence === undefined ? thesis.confidence : percentOf(confidence);
  if (percent === undefined) return null;
  return {
    ...(status === undefined || status === thesis.status ? {} : { status }),
    ...(percent === thesis.confidence ? {} : { confidence: percent }),
  };
}

function percentOf(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  return /^\s*(100|\d{1,2})\s*$/.test(text) ? Number(text) : undefined;
}
