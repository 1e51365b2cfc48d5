/** The tasks as the server has them, kept true by looking again. */
import { Problem } from "../api/problem";
import { addTask, listTasks } from "../api/server";
import type { Task, TaskPage } from "../api/task";
import { announce } from "../parts/announce";
import { poll, type Poll } from "../state/poll";
import { signal } from "../state/signal";
import { moved, type Lists } from "./lists";
import { tick, ticked } from "./wishes";

const CALM = 20_000;

export interface Tasks extends Lists {
  ready: boolean;
  /** There are older ones than those shown. */
  more: { open: boolean; done: boolean };
  /** The look failed; what is shown is from before. */
  problem: Problem | null;
  /** A change failed; the task is as it was. */
  failed: Problem | null;
}

const state = signal<Tasks>({
  open: [],
  done: [],
  ready: false,
  more: { open: false, done: false },
  problem: null,
  failed: null,
});
let polling: Poll | null = null;
let pages = 1;

async function read(status: "open" | "done"): Promise<{ tasks: Task[]; more: boolean }> {
  const tasks: Task[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page += 1) {
    const answer: TaskPage = await listTasks(status, cursor);
    tasks.push(...answer.tasks);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { tasks, more: cursor !== null };
}

async function look(old: () => boolean): Promise<void> {
  try {
    const [open, done] = await Promise.all([read("open"), read("done")]);
    if (old()) return;
    const more = { open: open.more, done: done.more };
    state.set({ ...state.get(), open: open.tasks, done: done.tasks, more, ready: true, problem: null });
  } catch (error) {
    state.set({ ...state.get(), problem: Problem.from(error) });
  }
}

/** Runs one change; looks at the truth once it is through. */
async function during(act: () => Promise<void>): Promise<void> {
  state.set({ ...state.get(), failed: null });
  try {
    await act();
  } finally {
    polling?.now();
  }
}

ticked.subscribe(() => {
  const task = ticked.get();
  if (task) state.set({ ...state.get(), ...moved(state.get(), task) });
});

export const tasks = {
  ...state,
  start(): () => void {
    pages = 1;
    // What is shown on entering may be from long ago: then what is there now counts, whatever is on its way.
    let entered = false;
    const see = async (old: () => boolean) => {
      await look(old);
      entered = true;
    };
    const mine = poll(
      see,
      () => CALM,
      () => !entered,
    );
    polling = mine;
    return mine.stop;
  },
  look: () => polling?.now(),
  older(): void {
    pages += 1;
    polling?.now();
  },
  tick: (task: Task) =>
    during(() => tick(task, (error) => state.set({ ...state.get(), failed: Problem.from(error) }))),
  async add(title: string): Promise<void> {
    await during(async () => {
      const made = await addTask(title);
      state.set({ ...state.get(), ...moved(state.get(), made) });
      announce("Task added.");
    });
  },
};
