/** A note in two lines: its headline and its beginning, without Markdown's marks. Pure. */
import type { Note, Piece } from "../api/note";
import { body } from "../markdown/matter";
import { withoutBrackets } from "../markdown/wiki";

const LONG = 280;

/** Plain words out of Markdown; only for previews, never for anything that is rendered as markup. */
export function plain(markdown: string): string {
  const marked = escaped(body(markdown.slice(0, 4_000)))
    .replace(/^\W*(?:Sources|References):?\W*\n[^]*$/im, "")
    .replace(/```[^\n]*\n?|~~~[^\n]*\n?/g, " ")
    .replace(/\[cite:\s*[\d,\s]*\]/g, "")
    .replace(/!?\[\[[^\n]*?\]\]/g, withoutBrackets)
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, "")
    .replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/gm, " ")
    .replace(/(\*\*|__|[*`])(?=\S)|(?<=\S)(\*\*|__|[*`])/g, "")
    .replace(/\|/g, " ");
  return literal(marked);
}

/** What a backslash escapes is moved out of the way of every rule, and comes back as itself. */
const AWAY = 0xe000;
const escaped = (text: string) =>
  text.replace(/\\([!-/:-@[-`{-~])/g, (_, char: string) => String.fromCharCode(AWAY + char.charCodeAt(0)));
const literal = (text: string) =>
  text.replace(/[\ue000-\ue07f]/g, (char) => String.fromCharCode(char.charCodeAt(0) - AWAY));

/** A title or a summary: words already, but for what a vault leaves in them. */
const said = (text: string) => squeeze(literal(withoutBrackets(escaped(text))));

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
  if (note.title) return said(note.title);
  if (note.kind === "link" && note.url) return shortUrl(note.url);
  const first = lines(note)[0];
  return first === undefined ? "Empty note" : first.slice(0, 200);
}

/** The headline in pieces, the words that were searched for apart. */
export function foundInHead(note: Note): Piece[] {
  const head = headline(note);
  const pieces = note.hit ? rendered(note.hit.title, note.title ? said : plain) : [];
  // A link without a title is called by its address, which is in no piece.
  return pieces.map(({ text }) => text).join("") === head ? pieces : [{ text: head, hit: false }];
}

/** Where the text says what was searched for; null where it doesn't. */
export function foundInText(note: Note): Piece[] | null {
  const pieces = note.hit ? rendered(note.hit.passage, plain) : [];
  return pieces.some(({ hit }) => hit) ? pieces : null;
}

/** Markdown is read in one piece: signs that nobody types stand where a word that was found begins and ends. */
const BEGIN = "\ue100";
const END = "\ue101";

function rendered(pieces: Piece[], read: (text: string) => string): Piece[] {
  const bare = (text: string) => text.replaceAll(BEGIN, "").replaceAll(END, "");
  const one = pieces.map(({ text, hit }) => (hit ? `${BEGIN}${bare(text)}${END}` : bare(text))).join("");
  const [before = "", ...words] = squeeze(read(one)).split(BEGIN);
  return [
    { text: before, hit: false },
    ...words.flatMap((part) => {
      const [word = "", ...rest] = part.split(END);
      return [
        { text: word, hit: true },
        { text: rest.join(""), hit: false },
      ];
    }),
  ].filter(({ text }) => text !== "");
}

/** What follows the headline: the first lines; of a link, what it is about. */
export function beginning(note: Note): string {
  if (note.kind === "link" && note.summary) return said(note.summary).slice(0, LONG);
  const all = lines(note);
  const head = headline(note);
  const rest = all[0] !== undefined && (all[0] === head || !note.title) ? all.slice(1) : all;
  const text = squeeze(rest.join(" "));
  if (note.kind === "link" && note.url && (text === "" || text === note.url)) return shortUrl(note.url);
  if (text === "" && note.summary && note.summary !== head) return said(note.summary).slice(0, LONG);
  return text.slice(0, LONG);
}
