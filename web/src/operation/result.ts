/** A result's sources as numbers, and the marks in its text as citations. Pure. */
import type { Citation } from "../api/note";
import type { Result, Source } from "../api/result";

const MARK = /\s?\[(S\d{1,4}(?:\s*,\s*S\d{1,4})*)\]/g;

/** The sources, numbered as they are listed; a passage goes with one where it can only be from there. */
export function citationsOf(result: Result): Citation[] {
  return result.sources.map((source, at) => ({
    number: at + 1,
    title: source.title,
    url: source.url,
    source_kind: source.note_id === null && !source.url.startsWith("#/notes/") ? "web" : "note",
    note_id: source.note_id,
    quote: passage(result, source),
  }));
}

function passage({ claims }: Result, { id }: Source): string | null {
  const alone = claims.find(({ sources, evidence }) => sources.join() === id && evidence.length > 0);
  return alone?.evidence[0] ?? null;
}

/** Ids of sources as their numbers; those that are not listed are left out. */
export function numbersOf(result: Result, ids: string[]): number[] {
  return ids.flatMap((id) => {
    const at = result.sources.findIndex((source) => source.id === id || source.url === id);
    return at < 0 ? [] : [at + 1];
  });
}

/** "It rains [S1, S2]." -> "It rains [cite: 1, 2]." */
export function withCitations(result: Result, text: string): string {
  return text.replace(MARK, (_, ids: string) => {
    const numbers = numbersOf(result, ids.split(/\s*,\s*/));
    return numbers.length === 0 ? "" : ` [cite: ${numbers.join(", ")}]`;
  });
}

/** The text in pieces: words, and the numbers between them. */
export function pieces(result: Result, text: string): (string | number[])[] {
  const found: (string | number[])[] = [];
  let start = 0;
  for (const mark of text.matchAll(MARK)) {
    if (mark.index > start) found.push(text.slice(start, mark.index));
    found.push(numbersOf(result, (mark[1] ?? "").split(/\s*,\s*/)));
    start = mark.index + mark[0].length;
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}

/** "80 of 100", or that nobody judged. */
export function confidence(percent: number | null): string {
  return percent === null ? "not judged" : `${percent} of 100`;
}
