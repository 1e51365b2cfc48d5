/** A proposal's arguments as a form, and the form as changes of them. Pure. */
import { tagsIn } from "../capture/draft";

type Given = Record<string, unknown>;

export interface Field {
  /** The argument, or the part of it: `title`, `changes.body`. */
  name: string;
  label: string;
  kind: "line" | "text" | "tags" | "words" | "titles" | "number" | "json";
  text: string;
}

const LONG = ["text", "body", "summary", "statement"];
const NUMBERS = ["confidence"];
const INSIDE = "changes";
const isTags = (word: string) => /(?:^|_)tags$/.test(word);

/** What of it can be changed. What it is about can't: that would be another proposal. */
export function fieldsOf(given: Given): Field[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (name.endsWith("_id")) return [];
    if (name === INSIDE && isObject(value)) {
      return Object.entries(value).map(([inner, one]) => field(`${INSIDE}.${inner}`, inner, one));
    }
    return [field(name, name, value)];
  });
}

function field(name: string, word: string, value: unknown): Field {
  const label = word.replaceAll("_", " ");
  if (value === null || value === undefined) return { name, label, kind: kindOf(word), text: "" };
  if (word === "tasks" && Array.isArray(value)) {
    return { name, label: "tasks, one on each line", kind: "titles", text: value.map(titleOf).join("\n") };
  }
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    return { name, label, kind: isTags(word) ? "tags" : "words", text: value.join(" ") };
  }
  if (typeof value === "number") return { name, label, kind: "number", text: String(value) };
  if (typeof value === "string") {
    const long = LONG.includes(word) || value.includes("\n");
    return { name, label, kind: long ? "text" : "line", text: value };
  }
  return { name, label, kind: "json", text: JSON.stringify(value, null, 2) };
}

/** What can be typed where nothing was proposed: the name has to tell it. */
function kindOf(word: string): Field["kind"] {
  if (isTags(word)) return "tags";
  if (word === "tasks") return "titles";
  if (NUMBERS.includes(word)) return "number";
  return LONG.includes(word) ? "text" : "line";
}

/** The arguments that differ from what was proposed; or the field that can't be read. */
export function changesFrom(given: Given, fields: Field[]): { changes: Given } | { wrong: string } {
  const edited: Given = structuredClone(given);
  for (const { name, kind, text } of fields) {
    const [first = "", inner] = name.split(".");
    const holder = inner === undefined ? edited : edited[first];
    if (!isObject(holder)) continue;
    const key = inner ?? first;
    try {
      holder[key] = read(kind, text, holder[key]);
    } catch {
      return { wrong: name };
    }
  }
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(given[name]);
  return { changes: Object.fromEntries(Object.entries(edited).filter(differs)) };
}

function read(kind: Field["kind"], text: string, before: unknown): unknown {
  // What was left out and is left empty stays left out.
  if ((before === null || before === undefined) && text.trim() === "") return before;
  switch (kind) {
    case "line":
      return text.trim();
    case "text":
      return text;
    case "tags":
      return tagsIn(text);
    case "words":
      return text.split(/[\s,]+/).filter((word) => word !== "");
    case "titles": {
      const known = Array.isArray(before) ? (before as unknown[]) : [];
      const lines = text.split("\n").map((line) => line.trim());
      return lines
        .filter((line) => line !== "")
        .map((title) => known.find((one) => titleOf(one) === title) ?? { title });
    }
    case "number": {
      if (text.trim() === "") return null;
      if (Number.isNaN(Number(text))) throw new Error("no number");
      return Number(text);
    }
    case "json":
      return JSON.parse(text);
  }
}

function titleOf(task: unknown): string {
  const title = isObject(task) ? task["title"] : null;
  return typeof title === "string" ? title : "";
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
