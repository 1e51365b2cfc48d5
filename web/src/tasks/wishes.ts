/** Ticks that are on their way: shown in place of what the server has, wherever the task stands, until its answer. */
import { setTask } from "../api/server";
import type { Task } from "../api/task";
import { undoably } from "../parts/undo";
import { signal } from "../state/signal";

type Status = "open" | "done";
export type Wishes = ReadonlyMap<string, { status: Status }>;

export const wishes = signal<Wishes>(new Map());
/** The task that was changed last, as the server has it. */
export const ticked = signal<Task | null>(null);

async function set(id: string, status: Status): Promise<void> {
  const mine = { status };
  wishes.set(new Map(wishes.get()).set(id, mine));
  try {
    ticked.set(await setTask(id, status));
  } finally {
    // A later wish about the same task stands: what became of this one no longer counts.
    if (wishes.get().get(id) === mine)
      wishes.set(new Map([...wishes.get()].filter(([other]) => other !== id)));
  }
}

/** Ticks a task off, or opens it again; either way the way back is offered. `failed` hears what went wrong. */
export async function tick(task: Task, failed: (error: unknown) => void): Promise<void> {
  const [next, before] = task.status === "done" ? (["open", "done"] as const) : (["done", "open"] as const);
  const what = next === "done" ? `“${task.title}” is done.` : `“${task.title}” is open again.`;
  try {
    await undoably(
      () => set(task.id, next),
      what,
      () => set(task.id, before),
    );
  } catch (error) {
    if (!wishes.get().has(task.id)) failed(error);
  }
}
