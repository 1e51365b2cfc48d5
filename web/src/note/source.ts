/** What a source is: whose, what it is called, and whether there is anything to open. Pure. */
import type { Citation } from "../api/note";
import { host, noteIn, safeLink } from "../markdown/links";

/** The note that it is, if it is one. */
export function noteOf({ note_id, url }: Citation): string | null {
  return note_id ?? noteIn(url);
}

/** Where it comes from: "your note", the host of a page, or what else was asked. */
export function provenance(citation: Citation): string {
  const { source_kind, url } = citation;
  if (noteOf(citation) !== null) return source_kind === "research" ? "your report" : "your note";
  const from = safeLink(url) === null ? "" : host(url);
  // What is neither a note nor a page keeps the name that its source gave it.
  if (source_kind === "memory" || /^memor(?:y|ies)[:/]/.test(url)) return "remembered of you";
  if (source_kind === "mcp" || url.startsWith("tool:"))
    return from === "" ? "a connected server" : `${from}, by a connected server`;
  if (source_kind === "research" && from === "") return "a report that is gone";
  return from === "" ? "no address" : from;
}

/** What it is called; a source without a title by its address, or by what it is. */
export function nameOf(citation: Citation): string {
  if (citation.title) return citation.title;
  return noteOf(citation) === null ? (safeLink(citation.url) ?? "Untitled") : "A note";
}

/** Whether there is more to see of it than its name: a note, a page, or the passage that was read. */
export function opens(citation: Citation): boolean {
  return noteOf(citation) !== null || safeLink(citation.url) !== null || Boolean(citation.quote);
}
