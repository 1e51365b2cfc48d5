/** What a tool does, in plain words: one table for every place that shows a call. What is not in it is named. Pure. */
import { plural } from "./money";

type Some = Record<string, unknown>;

interface Words {
  /** To search, is searching, has searched. */
  verbs: readonly [string, string, string];
  /** What it is done to, as the arguments say it, and the result where that knows better. */
  what: (asked: Some, result: Some) => string;
  /** What came of it. */
  came?: (result: Some) => string;
}

const LONG = 80;

function text(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}

function short(value: unknown): string {
  const whole = text(value);
  return whole.length > LONG ? `${whole.slice(0, LONG - 1).trimEnd()}…` : whole;
}

/** " “words”", or nothing where there are none. */
const quoted = (value: unknown) => (short(value) === "" ? "" : ` “${short(value)}”`);
const about = (value: unknown) => (short(value) === "" ? "" : ` for${quoted(value)}`);

function some(value: unknown): Some {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Some) : {};
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** "3 found"; a tool that only counts says how many. */
const found =
  (name: string) =>
  (result: Some): string => {
    const counted = Array.isArray(result[name]) ? list(result[name]).length : result["found"];
    if (typeof counted !== "number") return "";
    return counted === 0 ? "nothing found" : `${counted} found`;
  };

/** example.org/a, as a person reads an address. */
const page = (value: unknown) =>
  short(
    text(value)
      .replace(/^https?:\/\/(www\.)?/i, "")
      .replace(/\/$/, ""),
  );

function titles(value: unknown): string {
  const names = list(value).map((one) => some(one)["title"]);
  if (names.length === 1) return `the task${quoted(names[0])}`;
  return names.length === 0 ? "tasks" : `${plural(names.length, "task")}:${names.map(quoted).join(",")}`;
}

/** "the title and the tags of a note" */
function fields(changes: unknown, of: string): string {
  const names = [
    ...new Set(Object.keys(some(changes)).map((name) => name.replace(/^add_/, "").replace("body", "text"))),
  ];
  const last = names.pop();
  if (last === undefined) return of;
  return `the ${names.length > 0 ? `${names.join(", the ")} and the ${last}` : last} of ${of}`;
}

const LOOK = ["look", "Looking", "Looked"] as const;
const SEARCH = ["search", "Searching", "Searched"] as const;
const READ = ["read", "Reading", "Read"] as const;
const WRITE = ["write", "Writing", "Wrote"] as const;
const CHANGE = ["change", "Changing", "Changed"] as const;
const ADD = ["add", "Adding", "Added"] as const;

const TOOLS: Record<string, Words> = {
  search_notes: {
    verbs: SEARCH,
    what: ({ query, tag }) =>
      `your notes${about(query)}${text(tag) ? ` among those tagged #${text(tag)}` : ""}`,
    came: found("notes"),
  },
  search_research: {
    verbs: SEARCH,
    what: ({ query }) => `your reports${about(query)}`,
    came: found("notes"),
  },
  get_note: {
    verbs: READ,
    what: (_, { note }) => (short(some(note)["title"]) ? `the note${quoted(some(note)["title"])}` : "a note"),
  },
  list_recent_notes: { verbs: LOOK, what: () => "through your latest notes", came: found("notes") },
  list_tasks: { verbs: LOOK, what: () => "through your tasks", came: found("tasks") },
  calculator: {
    verbs: ["work out", "Working out", "Worked out"],
    what: ({ expression }) => short(expression) || "a number",
    came: ({ result }) => (short(result) ? `it is ${short(result)}` : ""),
  },
  current_time: { verbs: LOOK, what: () => "at the clock" },
  create_note: {
    verbs: WRITE,
    what: ({ title, text: body }) =>
      short(title) || short(body) ? `the note${quoted(title) || quoted(body)}` : "a note",
  },
  update_note: { verbs: CHANGE, what: ({ changes }) => fields(changes, "a note") },
  create_tasks: { verbs: ADD, what: ({ tasks }) => titles(tasks) },
  update_task: { verbs: CHANGE, what: ({ changes }) => fields(changes, "a task") },
  undo_change: { verbs: ["take back", "Taking back", "Took back"], what: () => "the last change" },
  queue_approval: {
    verbs: ["ask", "Asking", "Asked"],
    what: ({ action }) => {
      const { tool, arguments: asked } = some(action);
      return text(tool) ? `for your approval to ${todo(text(tool), some(asked))}` : "for your approval";
    },
  },
  /** How several agents, or the research service, gather what they read. */
  retrieval: { verbs: LOOK, what: () => "through the sources", came: found("result") },
  start_research: { verbs: ["start", "Starting", "Started"], what: () => "research on a note" },
  web_search: { verbs: SEARCH, what: ({ query }) => `the web${about(query)}`, came: found("results") },
  http_fetch: {
    verbs: READ,
    what: ({ url }) => page(url) || "a page",
    came: ({ title }) => short(title) && `“${short(title)}”`,
  },
  delete_note: { verbs: ["move", "Moving", "Moved"], what: () => "a note to the bin" },
  create_thesis: { verbs: WRITE, what: ({ statement }) => `down the thesis${quoted(statement)}` },
  add_evidence: { verbs: ADD, what: () => "evidence to a thesis" },
  generate_artifact: {
    verbs: ["lay out", "Laying out", "Laid out"],
    what: ({ artifact }) => {
      const { kind, title } = some(artifact);
      return `${text(kind) ? `a ${text(kind)}` : "what it found"}${quoted(title)}`;
    },
  },
  ask_user: { verbs: ["ask", "Asking", "Asked"], what: ({ question }) => `you${quoted(question)}` },
  fetch_market_data: {
    verbs: ["look up", "Looking up", "Looked up"],
    what: ({ symbols }) => {
      const names = list(symbols).map(text).join(", ");
      return names ? `the price of ${short(names)}` : "prices";
    },
    came: found("quotes"),
  },
};

const USE = ["use", "Using", "Used"] as const;

function words(tool: string): Words {
  // Own names only: `constructor` is no tool of ours.
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known ?? { verbs: USE, what: () => tool };
}

const NOTHING: Some = {};

/** "search your notes for “sleep”" */
export function todo(tool: string, asked: Some): string {
  const { verbs, what } = words(tool);
  return `${verbs[0]} ${what(asked, NOTHING)}`;
}

/** "Searching your notes for “sleep”…" */
export function doing(tool: string, asked: Some): string {
  const { verbs, what } = words(tool);
  return `${verbs[1]} ${what(asked, NOTHING)}…`;
}

/** "Searched your notes for “sleep”: 3 found" */
export function did(tool: string, asked: Some, result: Some = NOTHING): string {
  const { verbs, what, came } = words(tool);
  // What an agent would write is queued for a person's word in the place of being done.
  if (text(result["queued_for_approval"])) return `Asked for your approval to ${todo(tool, asked)}`;
  const last = came?.(result) ?? "";
  return `${verbs[2]} ${what(asked, result)}${last ? `: ${last}` : ""}`;
}

/** "Could not read example.org: the host is not allowed." */
export function failedTo(tool: string, asked: Some, result: Some): string {
  const why = short(result["message"]) || short(result["error"]).replaceAll("_", " ");
  return `Could not ${todo(tool, asked)}${why ? `: ${why}` : ""}`;
}
