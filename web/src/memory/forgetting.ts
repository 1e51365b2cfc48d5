/** What is about to be forgotten: it can be taken back until it is done. Whoever leaves the page means it. */
import { forgetMemory, type ForgottenAnswer } from "../api/memory";
import { Problem } from "../api/problem";
import { announce } from "../parts/announce";
import { signal } from "../state/signal";

export const PATIENCE = 8_000;

export interface Going {
  id: string;
  /** `waits` can be taken back; `leaves` can't. */
  state: "waits" | "leaves" | "gone" | "failed";
  problem: Problem | null;
  receipt: ForgottenAnswer["receipt"] | null;
}

export const going = signal<Going[]>([]);
const timers = new Map<string, ReturnType<typeof setTimeout>>();

function set(id: string, some: Partial<Going> | null): void {
  const others = going.get().filter((one) => one.id !== id);
  const before = going.get().find((one) => one.id === id);
  const next = { id, state: "waits", problem: null, receipt: null, ...before, ...some } as const;
  going.set(some === null ? others : [...others, next]);
}

async function carryOut(id: string, leaving: boolean): Promise<void> {
  clearTimeout(timers.get(id));
  timers.delete(id);
  set(id, { state: "leaves", problem: null });
  try {
    const { receipt } = await forgetMemory(id, leaving);
    set(id, { state: "gone", receipt });
    announce("Forgotten.");
  } catch (error) {
    const problem = Problem.from(error);
    // Somebody else was faster: then it is gone all the same.
    if (problem.status === 404) set(id, { state: "gone" });
    else set(id, { state: "failed", problem });
  }
}

/** Begins to forget; `keep` takes it back while there is time. */
export function forget(id: string): void {
  set(id, { state: "waits", problem: null });
  timers.set(
    id,
    setTimeout(() => void carryOut(id, false), PATIENCE),
  );
  announce("It will be forgotten in a moment. Undo is beside it.");
}

export function keep(id: string): void {
  const timer = timers.get(id);
  if (timer === undefined) return;
  clearTimeout(timer);
  timers.delete(id);
  set(id, null);
  announce("It is kept.");
}

if (typeof window !== "undefined") {
  window.addEventListener("pagehide", () => {
    for (const id of [...timers.keys()]) void carryOut(id, true);
  });
}
