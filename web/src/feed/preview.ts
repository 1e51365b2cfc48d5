/** A note in two lines: its headline and its beginning, without Markdown's marks. Pure. */
import type { Note, Piece } from "../api/note";
import { hashtags, withoutHashtag } from "../capture/hashtags";
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
    .replace(/^([\s>]*(?:[-*+]|\d+[.)])\s+)\[([ xX])\](?=\s)/gm, (_, item: string, sign: string) =>
      sign === " " ? `${item}☐` : `${item}☑`,
    )
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

/** A text without the hashtags around it, which stand below it as tags, or were a wish; nothing else is left out. */
function withoutTags(text: string, tags: readonly string[]): string {
  const around = hashtags(text).filter((tag) => tag === RESEARCH || tags.includes(tag));
  const rest = around.reduce(withoutHashtag, text);
  return rest.trim() === "" ? text : rest;
}

const RESEARCH = "research";

function lines(note: Note): string[] {
  return plain(withoutTags(note.body, note.tags))
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

/** What follows the headline: the first lines; of a link, what it is about. Neither says again what that says. */
export function beginning(note: Note): string {
  const head = headline(note);
  const summary = note.summary ? goingOn(said(note.summary), head) : "";
  if (note.kind === "link" && summary !== "") return summary.slice(0, LONG);
  const [first = "", ...rest] = lines(note);
  const text = squeeze([note.title ? goingOn(first, head) : "", ...rest].join(" "));
  if (note.kind === "link" && note.url && (text === "" || text === note.url)) return shortUrl(note.url);
  return (text === "" ? summary : text).slice(0, LONG);
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const ENDS = /^[\p{Pe}\p{Pf}"']*[.!?…。！？]+[\p{Pe}\p{Pf}"']*(?=\s|$)/u;

/**
 * A text without the headline that it begins with: what follows, or, where the headline breaks a sentence off, how
 * that goes on. A text that only begins with the same word stays whole.
 */
function goingOn(text: string, head: string): string {
  const asked = head.toLowerCase().match(WORDS) ?? [];
  const there = [...text.matchAll(WORDS)].slice(0, asked.length);
  const breaks = head.endsWith("…");
  const same = (word: string, at: number) => {
    const other = there[at]?.[0].toLowerCase() ?? "";
    // Without blanks between words, a headline may end inside of what looks like one.
    return other === word || (breaks && at === asked.length - 1 && other.startsWith(word));
  };
  const last = there.at(-1);
  if (!last || !asked.every(same)) return text === head ? "" : text;
  const rest = text.slice(last.index + (asked.at(-1) ?? "").length);
  if (ENDS.test(rest)) return rest.replace(ENDS, "").trim();
  if (rest.match(WORDS) === null) return "";
  // A headline may be the words before a comma, a dash or a bracket.
  if (!breaks && !/^\s*[,;:，；：]|^\s+[–—-]\s|^\s+\(/.test(rest)) return text;
  return `…${rest.replace(/^[\s,;:，；：–—-]+/, "")}`;
}
