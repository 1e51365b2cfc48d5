/** The last thing that can be taken back. It stays until it is used, dismissed, or another one comes. */
import { Problem } from "../api/problem";
import { signal } from "../state/signal";
import { announce } from "./announce";

export interface Undo {
  what: string;
  act: () => Promise<void>;
  problem: Problem | null;
}

export const undo = signal<Undo | null>(null);

export function offerUndo(what: string, act: () => Promise<void>): void {
  undo.set({ what, act, problem: null });
  announce(`${what} Press z to undo.`);
}

export async function runUndo(): Promise<void> {
  const offer = undo.get();
  if (!offer) return;
  undo.set(null);
  try {
    await offer.act();
    announce("Undone.");
  } catch (error) {
    undo.set({ ...offer, problem: Problem.from(error) });
  }
}
