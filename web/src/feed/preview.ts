/** A note in two lines: its headline and its beginning, without Markdown's marks. Pure. */
import type { Note } from "../api/note";

const LONG = 280;

/** Plain words out of Markdown; only for previews, never for anything that is rendered as markup. */
export function plain(markdown: string): string {
  return markdown
    .slice(0, 4_000)
    .replace(/^\W*(?:Sources|References):?\W*\n[^]*$/im, "")
    .replace(/```[^\n]*\n?|~~~[^\n]*\n?/g, " ")
    .replace(/\[cite:\s*[\d,\s]*\]/g, "")
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, "")
    .replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/gm, " ")
    .replace(/(\*\*|__|[*`])(?=\S)|(?<=\S)(\*\*|__|[*`])/g, "")
    .replace(/\|/g, " ");
}

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

function lines(note: Note): string[] {
  return plain(note.body)
    .split("\n")
    .map(squeeze)
    .filter((line) => line !== "");
}

/** example.com/a/page */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
}

export function headline(note: Note): string {
  if (note.title) return squeeze(note.title);
  if (note.kind === "link" && note.url) return shortUrl(note.url);
  const first = lines(note)[0];
  return first === undefined ? "Empty note" : first.slice(0, 200);
}

/** What follows the headline: the first lines; of a link, what it is about. */
export function beginning(note: Note): string {
  if (note.kind === "link" && note.summary) return squeeze(note.summary).slice(0, LONG);
  const all = lines(note);
  const head = headline(note);
  const rest = all[0] !== undefined && (all[0] === head || !note.title) ? all.slice(1) : all;
  const text = squeeze(rest.join(" "));
  if (note.kind === "link" && note.url && (text === "" || text === note.url)) return shortUrl(note.url);
  if (text === "" && note.summary && note.summary !== head) return squeeze(note.summary).slice(0, LONG);
  return text.slice(0, LONG);
}
