import { useEffect, useId, useMemo, useRef, type RefObject } from "react";
import type { Task } from "../api/task";
import { useTitleOf } from "../feed/titles";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { UndoLine } from "../parts/UndoLine";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { useTitle } from "../state/useTitle";
import { Age } from "../words/Age";
import { plural } from "../words/money";
import { title as typed, write } from "./draft";
import { wished } from "./lists";
import { tasks } from "./tasks";
import { wishes } from "./wishes";

/** Everything there is to do: the open ones, a place for a new one, and the done ones, folded. */
export function TasksPage() {
  useTitle("Tasks");
  const known = useSignal(tasks);
  const { ready, more, problem, failed } = known;
  const going = useSignal(wishes);
  const { open, done } = useMemo(() => wished(known, going), [known, going]);
  useEffect(() => tasks.start(), []);
  const newTask = useRef<HTMLInputElement>(null);

  const tick = (task: Task) => {
    // The row leaves its list: whoever ticks by keyboard goes on with its neighbour there.
    const box = document.activeElement;
    if (box instanceof HTMLElement && box.dataset["task"] === task.id) {
      const row = box.closest("li");
      const beside = row?.nextElementSibling ?? row?.previousElementSibling;
      const next = beside?.querySelector<HTMLElement>("[data-task]") ?? newTask.current;
      next?.focus();
    }
    void tasks.tick(task);
  };

  return (
    <div className="page tasks-page">
      <Heading>Tasks</Heading>
      <NewTask field={newTask} />
      <UndoLine />
      {failed && <ProblemNote problem={failed} still="The task is as it was." />}
      {problem && (
        <ProblemNote
          problem={problem}
          {...(ready ? { saved: "What you see is from before." } : {})}
          again={() => tasks.look()}
        />
      )}
      {!ready && !problem && <p className="soft">Fetching your tasks…</p>}
      {ready && open.length === 0 && (
        <p className="soft">
          Nothing to do. A note that says so (“Call the library about the book”) brings its task along.
        </p>
      )}
      <ul className="tasks" aria-label="Open">
        {open.map((task) => (
          <TaskRow key={task.id} task={task} tick={tick} />
        ))}
      </ul>
      {done.length > 0 && (
        <details className="done">
          <summary>{more.done ? "Done" : `${plural(done.length, "task")} done`}</summary>
          <ul className="tasks" aria-label="Done">
            {done.map((task) => (
              <TaskRow key={task.id} task={task} tick={tick} />
            ))}
          </ul>
        </details>
      )}
      {(more.open || more.done) && (
        <p className="more">
          <button type="button" onClick={() => tasks.older()}>
            Older tasks
          </button>
        </p>
      )}
    </div>
  );
}

function TaskRow({ task, tick }: { task: Task; tick: (task: Task) => void }) {
  const source = useTitleOf(task.source_note_id);
  return (
    <li>
      <label>
        <input
          type="checkbox"
          data-task={task.id}
          checked={task.status === "done"}
          onChange={() => tick(task)}
        />
        <span dir="auto">{task.title}</span>
      </label>
      <p className="soft">
        <Age at={task.created_at} />
        {task.source_note_id !== null && source === null && " · from a note that is gone"}
        {task.source_note_id !== null && source !== null && (
          <>
            {" "}
            · from{" "}
            <Go
              room={{ at: "note", id: task.source_note_id }}
              dir="auto"
              aria-label={`The note of the task “${task.title}”`}
            >
              {source === undefined ? "its note" : `“${source}”`}
            </Go>
          </>
        )}
      </p>
    </li>
  );
}

/** One line; what is typed stays until the server has it. */
function NewTask({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const title = useSignal(typed);
  const id = useId();
  const { busy, problem, run } = useAct(async () => {
    await tasks.add(typed.get().trim());
    write("");
  }, "new task");
  const filled = title.trim() !== "";
  return (
    <form
      className="new-task"
      onSubmit={(event) => {
        event.preventDefault();
        if (filled) run();
      }}
    >
      <label className="unseen" htmlFor={id}>
        New task
      </label>
      <input
        ref={field}
        id={id}
        data-new-task
        dir="auto"
        maxLength={500}
        placeholder="Something to do"
        value={title}
        readOnly={busy}
        onChange={(event) => write(event.target.value)}
      />
      <button type="submit" disabled={!filled || busy}>
        {busy ? "Adding" : "Add"}
      </button>
      {problem && <ProblemNote problem={problem} saved="Your words are kept here." again={run} />}
    </form>
  );
}
