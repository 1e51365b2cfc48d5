import { useState } from "react";
import { Problem } from "../api/problem";
import { setTask, tasksOf } from "../api/server";
import type { Task } from "../api/task";
import { ProblemNote } from "../parts/ProblemNote";
import { usePolled } from "../state/usePolled";

/** What there is to do, as found in this note. */
export function Tasks({ noteId, ids }: { noteId: string; ids: string[] }) {
  // Another list of ids means that enrichment found something: look again.
  const { data, problem, reload, put } = usePolled(
    `tasks ${noteId} ${ids.join(" ")}`,
    () => tasksOf(noteId),
    () => null,
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const tasks = (data ?? []).filter(({ status }) => status !== "dropped");
  if (problem && ids.length > 0) return <ProblemNote problem={problem} again={reload} />;
  if (tasks.length === 0) return null;

  const toggle = async (task: Task) => {
    const status = task.status === "done" ? "open" : "done";
    const shown = (next: Task) => tasks.map((one) => (one.id === task.id ? next : one));
    setFailed(null);
    put(shown({ ...task, status }));
    try {
      put(shown(await setTask(task.id, status)));
    } catch (error) {
      put(shown(task));
      setFailed(Problem.from(error));
    }
  };

  return (
    <section className="tasks">
      <h2>To do</h2>
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <label>
              <input type="checkbox" checked={task.status === "done"} onChange={() => void toggle(task)} />
              <span dir="auto">{task.title}</span>
            </label>
          </li>
        ))}
      </ul>
      {failed && <ProblemNote problem={failed} saved="The task is as it was." />}
    </section>
  );
}
