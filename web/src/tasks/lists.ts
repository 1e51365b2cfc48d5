/** Which list a task stands in, and where in it. Pure. */
import type { Task } from "../api/task";
import type { Wishes } from "./wishes";

export interface Lists {
  open: Task[];
  done: Task[];
}

/** Newest first, as the server has them: ids begin with the time. */
function placed(list: Task[], task: Task): Task[] {
  const at = list.findIndex((one) => one.id < task.id);
  return at < 0 ? [...list, task] : list.toSpliced(at, 0, task);
}

/** The lists with the task where its status says; a dropped one is in neither. */
export function moved({ open, done }: Lists, task: Task): Lists {
  const without = (list: Task[]) => list.filter(({ id }) => id !== task.id);
  return {
    open: task.status === "open" ? placed(without(open), task) : without(open),
    done: task.status === "done" ? placed(without(done), task) : without(done),
  };
}

/** The lists with what was wished and is still on its way. */
export function wished(lists: Lists, wishes: Wishes): Lists {
  return [...lists.open, ...lists.done].reduce((now, task) => {
    const wish = wishes.get(task.id);
    return wish && wish.status !== task.status ? moved(now, { ...task, ...wish }) : now;
  }, lists);
}
