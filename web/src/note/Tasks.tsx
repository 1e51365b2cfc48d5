import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { tasksOf } from "../api/server";
import type { Note } from "../api/note";
import type { Task } from "../api/task";
import { feed } from "../feed/feed";
import { BoxContext } from "../markdown/BoxContext";
import { ProblemNote } from "../parts/ProblemNote";
import { useSignal } from "../state/signal";
import { usePolled } from "../state/usePolled";
import { taskOf, unboxed } from "../tasks/boxes";
import { tick as wish, ticked, wishes } from "../tasks/wishes";

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
  const going = useSignal(wishes);
  const tasks = useMemo(
    () =>
      (data ?? [])
        .filter(({ status }) => status !== "dropped")
        .map((task) => ({ ...task, ...going.get(task.id) })),
    [data, going],
  );

  // An edit may have turned a box, and so its task.
  const seen = useRef(note.revision);
  useEffect(() => {
    if (seen.current !== note.revision) again();
    seen.current = note.revision;
  }, [note.revision, again]);

  useEffect(
    () =>
      ticked.subscribe(() => {
        const now = ticked.get();
        if (now?.source_note_id !== note.id) return;
        put((all) => all.map((one) => (one.id === now.id ? now : one)));
        reload();
        feed.look();
      }),
    [note.id, put, reload],
  );

  const tick = useCallback((task: Task) => {
    setFailed(null);
    void wish(task, (error) => setFailed(Problem.from(error)));
  }, []);
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
      {failed && <ProblemNote problem={failed} still="The task is as it was." />}
    </>
  );
}
