/** What runs just now: the badge, and the list behind it. */
import type { Operation } from "../api/operation";
import { activeOperations } from "../api/server";
import { announce } from "../parts/announce";
import { poll, type Poll } from "../state/poll";
import { signal } from "../state/signal";

const state = signal<Operation[]>([]);
let polling: Poll | null = null;

async function look(): Promise<void> {
  try {
    const found = await activeOperations();
    const before = state.get();
    if (before.length > 0 && found.length < before.length) announce("Work finished.");
    if (JSON.stringify(found) !== JSON.stringify(before)) state.set(found);
  } catch {
    // The badge keeps its number; the feed, which looks as often, says what is wrong.
  }
}

export const work = {
  ...state,
  start(): () => void {
    polling = poll(look, () => (state.get().length > 0 ? 4_000 : 20_000));
    return () => polling?.stop();
  },
  look: () => polling?.now(),
};
