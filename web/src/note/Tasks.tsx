import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { setTask, tasksOf } from "../api/server";
import type { Note } from "../api/note";
import type { Task } from "../api/task";
import { feed } from "../feed/feed";
import { BoxContext } from "../markdown/BoxContext";
import { ProblemNote } from "../parts/ProblemNote";
import { undoably } from "../parts/undo";
import { usePolled } from "../state/usePolled";
import { taskOf, unboxed } from "../tasks/boxes";

interface Props {
  note: Note;
  /** Reads the note again: a task that is ticked turns its box in the text. */
  reload: () => void;
  children: ReactNode;
}

/** What there is to do, as found in this note: a box in its text is its task, and below stand only the others. */
export function Tasks({ note, reload, children }: Props) {
  // Another list of ids means that enrichment found something: look again.
  const {
    data,
    problem,
    reload: again,
    put,
  } = usePolled(
    `tasks ${note.id} ${note.task_ids.join(" ")}`,
    () => tasksOf(note.id),
    () => null,
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const tasks = useMemo(() => (data ?? []).filter(({ status }) => status !== "dropped"), [data]);

  // An edit may have turned a box, and so its task.
  const seen = useRef(note.revision);
  useEffect(() => {
    if (seen.current !== note.revision) again();
    seen.current = note.revision;
  }, [note.revision, again]);

  const latest = useRef(tasks);
  useEffect(() => {
    latest.current = tasks;
  });

  const tick = useCallback(
    (task: Task) => {
      const shown = (next: Task) => put(latest.current.map((one) => (one.id === task.id ? next : one)));
      const set = async (status: "open" | "done") => {
        shown({ ...task, status });
        try {
          await setTask(task.id, status);
          again();
          reload();
          feed.look();
        } catch (error) {
          shown({ ...task, status: status === "done" ? "open" : "done" });
          throw error;
        }
      };
      const next = task.status === "done" ? "open" : "done";
      setFailed(null);
      undoably(
        () => set(next),
        next === "done" ? `“${task.title}” is done.` : `“${task.title}” is open again.`,
        () => set(next === "done" ? "open" : "done"),
      ).catch((error: unknown) => setFailed(Problem.from(error)));
    },
    [put, again, reload],
  );
  const box = useCallback(
    (words: string) => {
      const task = taskOf(tasks, words);
      return task ? { done: task.status === "done", tick: () => tick(task) } : null;
    },
    [tasks, tick],
  );
  const others = useMemo(() => unboxed(tasks, note.body), [tasks, note.body]);

  return (
    <>
      <BoxContext value={box}>{children}</BoxContext>
      {problem && note.task_ids.length > 0 && <ProblemNote problem={problem} again={again} />}
      {others.length > 0 && (
        <section className="tasks">
          <h2>To do</h2>
          <ul>
            {others.map((task) => (
              <li key={task.id}>
                <label>
                  <input type="checkbox" checked={task.status === "done"} onChange={() => tick(task)} />
                  <span dir="auto">{task.title}</span>
                </label>
              </li>
            ))}
          </ul>
        </section>
      )}
      {failed && <ProblemNote problem={failed} saved="The task is as it was." />}
    </>
  );
}
