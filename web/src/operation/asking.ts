/** A question to an agent under way: its words and the notes picked for it, kept on this device until it is asked. */
import * as z from "zod";
import type { Note } from "../api/note";
import { write } from "../chat/draft";
import { headline } from "../feed/preview";
import { to } from "../route/address";
import { go, here } from "../route/here";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

/** The draft of the question. */
export const DRAFT = "a question to an agent";
/** Notes that one question takes. */
export const MOST = 20;
const NAME = "memex.agent.picked";

const Pick = z.object({ id: z.string(), title: z.string() });
/** A note that was picked, as it was called then. */
export type Pick = z.infer<typeof Pick>;

export const picked = signal<Pick[]>(take(shelf(), NAME, z.array(Pick).max(MOST)) ?? []);
/** Somebody came here to ask: the question takes the focus, once. */
export const called = signal(false);

function set(next: Pick[]): void {
  picked.set(next);
  keep(shelf(), NAME, next.length === 0 ? null : next);
}

/** With one more, as long as it fits; each once. Pure. */
export function withNote(before: Pick[], note: Note): Pick[] {
  const there = before.some(({ id }) => id === note.id);
  return there || before.length >= MOST ? before : [...before, { id: note.id, title: headline(note) }];
}

export function pick(note: Note): void {
  set(withNote(picked.get(), note));
}

export function drop(id: string): void {
  set(picked.get().filter((one) => one.id !== id));
}

/** Opens the form with this note picked. */
export function askAbout(note: Note): void {
  pick(note);
  called.set(true);
  go(to({ at: "operations" }, here.get()));
}

/** It was asked: the next question begins empty. */
export function asked(): void {
  write(DRAFT, "");
  set([]);
}
