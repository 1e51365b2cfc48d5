/** What a row shows and how much room it takes. News that enrichment brings changes a row, never its height. Pure. */
import type { Note, Piece } from "../api/note";
import { beginning, foundInHead, foundInText, headline } from "./preview";

/** A line up to here is a title of one or two lines; a longer one is text that will get a title. */
const SHORT = 80;

export interface Shape {
  head: string;
  /** What follows the headline; empty where the headline says everything. */
  text: string;
  /** Takes the height of a title and two lines, whatever it shows: more is on its way. */
  roomy: boolean;
  /** Of a search: headline and text in pieces, the words that were searched for apart. */
  found: { head: Piece[]; text: Piece[] } | null;
}

/** A row that is seen for the first time. */
export function shape(note: Note): Shape {
  const head = headline(note);
  const passage = foundInText(note);
  const text = passage ? passage.map((piece) => piece.text).join("") : beginning(note);
  const found = note.hit ? { head: foundInHead(note), text: passage ?? [{ text, hit: false }] } : null;
  const waits = note.enrichment.status === "pending";
  return {
    head,
    text,
    roomy: waits && (text !== "" || note.kind === "link" || head.length > SHORT),
    found,
  };
}

/** The row after the note changed: what was reserved stays, and a one-line note stays one until a person edits it. */
export function reshape(shown: Shape, before: Note, after: Note): Shape {
  // Another question, another passage.
  if (JSON.stringify(before.hit) !== JSON.stringify(after.hit)) return shape(after);
  const enriched =
    before.enrichment.status === "pending" &&
    after.enrichment.status !== "pending" &&
    before.body === after.body;
  if (enriched) return shown.roomy ? { ...shape(after), roomy: true } : shown;
  if (before.body === after.body && before.title === after.title && before.summary === after.summary)
    return shown;
  return shape(after);
}
