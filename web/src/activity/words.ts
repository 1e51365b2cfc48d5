/** What was done, in words. Pure. */
import type { DeadLetter, Deed, Entry } from "../api/activity";
import { plural } from "../words/money";
import { did, todo } from "../words/tools";

export const TOUCHES: Record<NonNullable<Deed["class"]>, string> = {
  read: "only reads",
  write: "changes notes or tasks",
  external: "leaves the house or costs money",
  destructive: "takes something away",
};

/** Whether a run made it: what a run would change, it proposes, so that the call itself changed nothing. */
function proposes(deed: Deed): boolean {
  return deed.class === "write" && deed.run_id !== "" && deed.session_id === "" && deed.ok === true;
}

/** "Searched your notes for “sleep”", "Could not read example.org (timeout)": what a call did, or why it did not. */
export function deedWords(deed: Deed): string {
  const { tool, arguments: asked, decision } = deed;
  switch (decision) {
    case "asked":
      return `Asked for your word: may it ${todo(tool, asked)}?`;
    case "denied":
      return `Did not ${todo(tool, asked)}: it was not allowed`;
    case "refused":
      return `Did not ${todo(tool, asked)}: a rule refused it${reason(deed)}`;
    case "allowed":
      return proposes(deed) ? `Asked for your approval to ${todo(tool, asked)}` : came(deed);
    case "approved":
      return `${came(deed)}, after a yes`;
  }
}

const reason = ({ code }: Deed) => (code ? ` (${code.replaceAll("_", " ")})` : "");

/** What came of a call that was made. */
function came(deed: Deed): string {
  const { tool, arguments: asked, ok } = deed;
  return ok === false ? `Could not ${todo(tool, asked)}${reason(deed)}` : did(tool, asked);
}

/** "0.4 s", "12 ms"; nothing where nothing ran. */
export function lasted(milliseconds: number): string {
  if (milliseconds === 0) return "";
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Neighbours of one conversation, one run, or none of both. */
export interface Group {
  key: string;
  session: string;
  run: string;
  entries: Entry[];
}

export function grouped(entries: Entry[]): Group[] {
  const groups: Group[] = [];
  for (const entry of entries) {
    const session = entry.kind === "tool" ? entry.session_id : "";
    const run = entry.kind === "tool" && session === "" ? entry.run_id : "";
    const last = groups.at(-1);
    if (last && last.session === session && last.run === run) last.entries.push(entry);
    else groups.push({ key: entry.id, session, run, entries: [entry] });
  }
  return groups;
}

const GIVEN_UP: Record<string, { what: string; next: string }> = {
  enrich: {
    what: "A note was not read: its title, summary and tags are missing.",
    next: "Open the note and have it read again.",
  },
  research: {
    what: "Research that was asked for was not started.",
    next: "It is looked for again within 15 minutes. If nothing runs by then, start it from the note.",
  },
  dispatch: {
    what: "Work that waits was not told that a slot is free.",
    next: "Nothing has to be done: it is looked for again within 15 minutes.",
  },
};

/** A message that was given up, in plain words: what did not happen, why, and what to do. */
export function givenUp({ subscription, attempts, reason }: DeadLetter): {
  what: string;
  why: string;
  next: string;
} {
  const name = Object.keys(GIVEN_UP).find((one) => subscription.includes(one));
  const known = name === undefined ? undefined : GIVEN_UP[name];
  return {
    what: known?.what ?? `A message to “${subscription}” was not heard.`,
    why: `It was given up after ${plural(attempts, "attempt")}: ${reason || "no reason was told"}.`,
    next: known?.next ?? "What it was about is looked for again within 15 minutes.",
  };
}
