/** Hashtags that count as tags: those before and after a text, as shared/hashtags.py reads them. Pure. */
const MOST = 50;
const LONGEST = 200;
const SAYS = /[\p{L}\p{N}]/u;
const COLOUR =
  /^(?:(?=.*\d)(?:[0-9a-f]{3}|[0-9a-f]{6})|([0-9a-f])\1\1|([0-9a-f]{2})\2\2|(?:([0-9a-f])\3){3})$/;

/** One hashtag where it stands: from its `#` to behind what belongs to it. */
interface Token {
  tag: string;
  start: number;
  end: number;
}

/** The tag that a word names, in the server's form; null where it is none: a number, a colour, a heading's mark. */
export function tagOf(word: string): string | null {
  const name = word.slice(1);
  if (!word.startsWith("#") || word.length > LONGEST || COLOUR.test(name.toLowerCase())) return null;
  if (!/\p{L}/u.test(name) || !/^[\p{L}\p{N}\p{M}_/-]+$/u.test(name)) return null;
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[_-]+/g, "-")
    .split("/")
    .map((part) => part.replace(/^-+|-+$/g, ""))
    .filter((part) => part !== "")
    .join("/");
}

const lineBefore = (text: string, at: number) => text.slice(text.lastIndexOf("\n", at - 1) + 1, at);

/** In a line that is indented as code is. */
const coded = (text: string, at: number) => /^(?: {4}| {0,3}\t)\s*$/.test(lineBefore(text, at));
const quoted = (text: string, at: number) => /^\s*>/.test(lineBefore(text, at));

/** In a block of code that is still open. */
function fenced(text: string, at: number): boolean {
  let fence = "";
  for (const [, mark = "", rest = ""] of text.slice(0, at).matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (fence === "") fence = mark.startsWith("`") && rest.includes("`") ? "" : mark;
    else if (mark.startsWith(fence) && rest.trim() === "") fence = "";
  }
  return fence !== "";
}

function leading(text: string): Token[] {
  const found: Token[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const tag = found.length < MOST && !coded(text, index) ? tagOf(word.replace(/[,;:]+$/, "")) : null;
    // Selectors of a style sheet look alike; what follows them does not.
    if (tag === null) return word.startsWith("{") ? [] : found;
    found.push({ tag, start: index, end: index + word.length });
  }
  return found;
}

function trailing(text: string, from: number): Token[] {
  const found: Token[] = [];
  let end = text.length;
  while (found.length < MOST) {
    const rest = text.slice(from, end).trimEnd();
    const word = /\S+$/.exec(rest.slice(-LONGEST - 1))?.[0];
    if (word === undefined) break;
    const start = from + rest.length - word.length;
    // With a full stop or a question mark behind it, a hashtag is the last word of a sentence.
    const tag =
      coded(text, start) || quoted(text, start)
        ? null
        : tagOf(found.length > 0 ? word.replace(/[,;]+$/, "") : word);
    if (tag === null) break;
    found.unshift({ tag, start, end: start + word.length });
    end = start;
  }
  const first = found[0];
  return first && fenced(text, first.start) ? [] : found;
}

function around(text: string): { before: Token[]; after: Token[] } {
  const before = leading(text);
  return { before, after: trailing(text, before.at(-1)?.end ?? 0) };
}

/** The tags of a text, in the server's form. */
export function hashtags(text: string): string[] {
  const { before, after } = around(text);
  return [...new Set([...before, ...after].map(({ tag }) => tag))];
}

/** Whether `tag` asks for something: among hashtags alone, without a word besides, it does not. */
export function asks(text: string, tag: string): boolean {
  const { before, after } = around(text);
  if (![...before, ...after].some((token) => token.tag === tag)) return false;
  return SAYS.test(text.slice(before.at(-1)?.end ?? 0, after[0]?.start ?? text.length));
}

/** The text without that hashtag around it; all else, also the word inside a sentence, stays. */
export function withoutHashtag(text: string, tag: string): string {
  const { before, after } = around(text);
  const first = before.find((token) => token.tag === tag);
  if (first) return withoutHashtag(text.slice(0, first.start) + text.slice(first.end).trimStart(), tag);
  const last = after.find((token) => token.tag === tag);
  if (last)
    return withoutHashtag((text.slice(0, last.start).trimEnd() + text.slice(last.end)).trimEnd(), tag);
  return text;
}
