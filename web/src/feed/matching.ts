/** Search in the bin. The server's index leaves it out, so its rows are read here: title, address, first lines. Pure. */
import type { Hit, Note, Piece } from "../api/note";

const LENGTH = 300;
/** Characters of a passage before the first word that was found, at most. */
const BEFORE = 40;
/** Where a Markdown link leads: nobody reads it. */
const TARGET = /\]\([^)\n]{0,500}\)/g;

const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const words = (text: string) => [...new Set(fold(text).split(/\s+/))].filter((word) => word !== "");

/** Whether the note holds every word, in any order, also as a part of a longer one. */
export function matches(note: Note, text: string): boolean {
  const all = fold([note.title, note.summary, note.url, note.body, note.tags.join(" ")].join("\n"));
  return words(text).every((word) => all.includes(word));
}

/** Where the note says it: title and first lines, in the pieces that the server's search gives of other notes. */
export function hitOf(note: Note, text: string): Hit {
  const wanted = words(text);
  const name = note.title ?? firstLine(note.body);
  const said = withoutName(note.body, name);
  const found = spots(said, wanted);
  return {
    note_id: note.id,
    title: pieces(name, spots(name, wanted), 0, name.length),
    passage: found[0] === undefined ? [] : passage(said, found, found[0].start),
  };
}

interface Spot {
  start: number;
  end: number;
}

/** Where the words stand in the text as it is written; those that overlap are one. */
function spots(text: string, wanted: readonly string[]): Spot[] {
  const readable = text.replace(TARGET, (target) => " ".repeat(target.length));
  let folded = "";
  /** Of each folded letter, where the letter that it came from begins. */
  const from: number[] = [];
  let at = 0;
  for (const letter of readable) {
    const plain = fold(letter);
    folded += plain;
    for (let n = 0; n < plain.length; n += 1) from.push(at);
    at += letter.length;
  }
  from.push(text.length);
  const all = wanted.flatMap((word) => {
    const found: Spot[] = [];
    for (let place = folded.indexOf(word); place >= 0; place = folded.indexOf(word, place + word.length)) {
      found.push({ start: from[place] ?? 0, end: from[place + word.length] ?? text.length });
    }
    return found;
  });
  return all
    .toSorted((one, other) => one.start - other.start)
    .reduce<Spot[]>((joined, spot) => {
      const last = joined.at(-1);
      if (!last || spot.start >= last.end) return [...joined, { ...spot }];
      last.end = Math.max(last.end, spot.end);
      return joined;
    }, []);
}

/** Some of the text, from a little before its first word that was found. */
function passage(text: string, found: Spot[], first: number): Piece[] {
  const earliest = Math.max(0, first - BEFORE);
  const line = text.lastIndexOf("\n", first);
  const space = text.slice(earliest, first).search(/\s/);
  const start = line >= earliest || earliest === 0 ? line + 1 : space < 0 ? first : earliest + space + 1;
  const end = Math.min(text.length, start + LENGTH);
  const cut = (more: boolean): Piece[] => (more ? [{ text: "…", hit: false }] : []);
  const broken = start > 0 && text[start - 1] !== "\n";
  return [...cut(broken), ...pieces(text, found, start, end), ...cut(end < text.length)];
}

function pieces(text: string, found: Spot[], start: number, end: number): Piece[] {
  const all: Piece[] = [];
  let at = start;
  for (const spot of found) {
    if (spot.start < at || spot.end > end) continue;
    if (spot.start > at) all.push({ text: text.slice(at, spot.start), hit: false });
    all.push({ text: text.slice(spot.start, spot.end), hit: true });
    at = spot.end;
  }
  return at < end ? [...all, { text: text.slice(at, end), hit: false }] : all;
}

const firstLine = (body: string) => body.split("\n").find((line) => line.trim() !== "") ?? "";

/** A first line that only repeats the name is left out: the name stands above the passage. */
function withoutName(body: string, name: string): string {
  const bare = (line: string) => line.replace(/^[#\s]+|[#\s]+$/g, "");
  const [first = "", ...rest] = body.trimStart().split("\n");
  return name !== "" && bare(first) === bare(name) ? rest.join("\n") : body;
}
