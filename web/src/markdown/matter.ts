/** Front matter: the `---` block of properties that a Markdown vault puts on top of a note. Pure. */
const OPEN = /^\uFEFF?---[^\S\n]*\r?\n/;
const CLOSE = /^(?:---|\.\.\.)[^\S\n]*\r?(?:\n|$)/m;
/** What a line of properties looks like: a name, a list item, something indented, a comment, nothing. */
const PROPERTY = /^(?:[\p{L}\p{N}_"'][^\n]*?:(?:\s.*)?|\s*-(?:\s.*)?|\s+.*|#.*|)$/u;

export interface Parted {
  /** The lines between the marks; null where there is no front matter. */
  properties: string | null;
  body: string;
}

const alike = (block: string) => block.split(/\r?\n/).every((line) => PROPERTY.test(line));

/** Parts a note. Text between two rules is text, if it does not read like properties. */
export function parted(text: string): Parted {
  const open = OPEN.exec(text);
  if (!open) return { properties: null, body: text };
  const rest = text.slice(open[0].length);
  const close = CLOSE.exec(rest);
  if (!close) return { properties: null, body: text };
  const block = rest.slice(0, close.index).trimEnd();
  if (!alike(block)) return { properties: null, body: text };
  return {
    properties: block,
    body: rest.slice(close.index + close[0].length).replace(/^(?:[^\S\n]*\r?\n)+/, ""),
  };
}

/** For previews: what follows the front matter, also where the preview ends before it does. */
export function body(text: string): string {
  const found = parted(text);
  const open = found.properties === null ? OPEN.exec(text) : null;
  if (!open) return found.body;
  const rest = text.slice(open[0].length);
  // The last line of a cut text may be half a line: it says nothing about the others.
  const whole = rest.split(/\r?\n/).slice(0, -1).join("\n");
  return !CLOSE.test(rest) && whole.includes(":") && alike(whole) ? "" : text;
}
