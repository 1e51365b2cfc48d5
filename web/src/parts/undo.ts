/** The last thing that can be taken back. It stays until it is used, dismissed, or another one comes. */
import { Problem } from "../api/problem";
import { signal } from "../state/signal";
import { announce } from "./announce";

export interface Undo {
  what: string;
  act: () => Promise<void>;
  problem: Problem | null;
  /** Said once it is taken back. */
  done?: string;
}

export const undo = signal<Undo | null>(null);

/** Deeds that were begun, by number, and the number of the one whose undoing is offered. */
let begun = 0;
let offered = 0;
/** The newest deed, until its answer is there; true where it was done. */
let pending: Promise<boolean> | null = null;

/** Does something that can be taken back: once it is done, the way back is offered. Fails as the deed does. */
export async function undoably(
  deed: () => Promise<void>,
  what: string,
  back: () => Promise<void>,
): Promise<void> {
  begun += 1;
  const number = begun;
  const doing = deed().then(() => {
    // Answers may come in another order than the deeds: the last thing done is the one begun last.
    if (number < offered) return;
    offered = number;
    undo.set({ what, act: back, problem: null });
    announce(`${what} Press z to undo.`);
  });
  const through = doing.then(
    () => true,
    () => false,
  );
  pending = through;
  try {
    await doing;
  } finally {
    if (pending === through) pending = null;
  }
}

/** Takes back the last thing done; while its answer is on its way, waits for it. */
export async function undoLast(): Promise<void> {
  // Had it failed, the thing before it would be another one than the person means.
  if (pending !== null && !(await pending)) {
    announce("That was not done, so nothing was undone.");
    return;
  }
  await runUndo();
}

/** Takes back what is offered. */
export async function runUndo(): Promise<void> {
  const offer = undo.get();
  if (!offer) return;
  undo.set(null);
  try {
    await offer.act();
    announce(offer.done ?? "Undone.");
  } catch (error) {
    undo.set({ ...offer, problem: Problem.from(error) });
  }
}
