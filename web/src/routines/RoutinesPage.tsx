import { useEffect, useId, useState } from "react";
import { routineName } from "../api/operation";
import {
  changeRoutine,
  listRoutines,
  runRoutine,
  type Routine,
  type RoutineChange,
  type RoutineRun,
} from "../api/routine";
import { approvals } from "../approvals/waiting";
import { work } from "../operation/work";
import { STATUS_WORDS } from "../operation/words";
import { announce } from "../parts/announce";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { useDraft } from "../state/useDraft";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { Age } from "../words/Age";
import { fullTime } from "../words/time";
import { useNow } from "../words/useNow";
import { Outcome } from "./Outcome";
import { nextRun, WHAT } from "./words";

const BUSY = ["queued", "running", "waiting_for_input"];

/** What is done by itself, when, and how it went. */
export function RoutinesPage() {
  useTitle("Routines");
  const { data, problem, reload, put } = usePolled("routines", listRoutines, (found) =>
    found?.some(({ last_runs }) => last_runs.some(({ status }) => BUSY.includes(status))) ? 3_000 : 20_000,
  );
  const busy = data?.some(({ last_runs }) => last_runs.some(({ status }) => BUSY.includes(status))) ?? false;
  // A run that ended may have proposed something.
  useEffect(() => {
    if (!busy) approvals.look();
  }, [busy]);
  return (
    <div className="page">
      <header>
        <Heading>Routines</Heading>
        <p className="soft">
          What is done by itself. A routine never writes: the note that it proposes waits in{" "}
          <Go room={{ at: "approvals", id: null }}>Approvals</Go>.
        </p>
      </header>
      {problem && (
        <ProblemNote
          problem={problem}
          {...(data ? { saved: "What you see is from before." } : {})}
          again={reload}
        />
      )}
      {!data && !problem && <p className="soft">Fetching the routines…</p>}
      {data?.map((routine) => (
        <One
          key={routine.name}
          routine={routine}
          changed={(next) => put((all) => all.map((one) => (one.name === next.name ? next : one)))}
          reload={reload}
        />
      ))}
    </div>
  );
}

interface Props {
  routine: Routine;
  changed: (next: Routine) => void;
  reload: () => void;
}

function One({ routine, changed, reload }: Props) {
  const { name, enabled, at, time_zone, next_due_at, paused, last_runs } = routine;
  const called = routineName(name);
  const now = useNow();
  const id = useId();
  const draft = useDraft(at);
  const [wanted, setWanted] = useState<RoutineChange | null>(null);
  const change = useAct(async () => {
    if (wanted === null) return;
    try {
      changed(await changeRoutine(name, wanted, routine.revision));
      if (wanted.at !== undefined) draft.stored(wanted.at);
      announce(`${called}: saved.`);
    } catch (error) {
      reload();
      throw error;
    } finally {
      setWanted(null);
    }
  });
  const { run: save } = change;
  useEffect(() => {
    if (wanted) save();
  }, [wanted, save]);
  const start = useAct(async () => {
    await runRoutine(name);
    announce(`${called}: started.`);
    work.look();
    reload();
  }, `run ${name}`);
  return (
    <section className="routine" aria-label={called}>
      <h2>{called}</h2>
      <p className="soft">{WHAT[name]}</p>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={wanted?.enabled ?? enabled}
          disabled={change.busy}
          onChange={(event) => setWanted({ enabled: event.target.checked })}
        />
        <span>Run it by itself</span>
      </label>
      <form
        className="at"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.typed && draft.text !== "") setWanted({ at: draft.text });
        }}
      >
        <label htmlFor={id}>At</label>
        <input
          id={id}
          type="time"
          required
          value={draft.text}
          onChange={(event) => draft.write(event.target.value)}
        />
        <span className="soft">
          {time_zone} (<Go room={{ at: "settings" }}>change</Go>)
        </span>
        {draft.typed && (
          <button type="submit" className="main" disabled={change.busy || draft.text === ""}>
            Save the time
          </button>
        )}
      </form>
      <p title={next_due_at === null ? undefined : fullTime(next_due_at)}>{nextRun(routine, now)}</p>
      {paused && (
        <div className="stale">
          <p>
            <strong>Paused</strong> <Age at={paused.at} />: {paused.reason}
          </p>
          <p className="deeds">
            <button type="button" disabled={change.busy} onClick={() => setWanted({ resume: true })}>
              Resume
            </button>
          </p>
        </div>
      )}
      <p className="deeds">
        <button type="button" disabled={start.busy} aria-label={`Run now: ${called}`} onClick={start.run}>
          {start.busy ? "Starting" : "Run now"}
        </button>
      </p>
      {change.problem && (
        <ProblemNote problem={change.problem} still="It is as it was." dismiss={change.dismiss} />
      )}
      {start.problem && <ProblemNote problem={start.problem} dismiss={start.dismiss} />}
      {last_runs.length > 0 && (
        <ul className="runs" aria-label={`Last runs: ${called}`}>
          {last_runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Run({ run }: { run: RoutineRun }) {
  return (
    <li>
      <p>
        <span className="state" data-status={run.status}>
          {STATUS_WORDS[run.status]}
        </span>{" "}
        <span className="soft">
          <Age at={run.fired_at} />
          {run.by === "person" && ", by hand"}
        </span>
      </p>
      <Outcome run={run} />
    </li>
  );
}
