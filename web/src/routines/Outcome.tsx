import { useEffect } from "react";
import { getApproval } from "../api/approval";
import type { RoutineRun } from "../api/routine";
import { noteOf } from "../approvals/words";
import { approvals } from "../approvals/waiting";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { usePolled } from "../state/usePolled";
import { decided, outcome } from "./words";

/** How a run went; once what it proposed was decided about, that instead of what it waited for. */
export function Outcome({ run }: { run: RoutineRun }) {
  const [proposed] = run.approval_ids;
  return proposed === undefined || run.status !== "completed" ? (
    <Told run={run} words={outcome(run)} note={run.note_id} proposed={null} />
  ) : (
    <Proposed run={run} id={proposed} />
  );
}

function Proposed({ run, id }: { run: RoutineRun; id: string }) {
  const waiting = useSignal(approvals).includes(id);
  const { data, reload } = usePolled(
    `approval of a routine ${id}`,
    () => getApproval(id),
    () => null,
  );
  // The badge hears first of a decision.
  useEffect(() => reload(), [waiting, reload]);
  const approval = data?.approval ?? null;
  const note = run.note_id ?? (approval?.ok === false || approval === null ? null : noteOf(approval));
  return (
    <Told
      run={run}
      words={approval === null || approval.status === "pending" ? outcome(run) : decided(approval)}
      note={note}
      proposed={id}
    />
  );
}

interface ToldProps {
  run: RoutineRun;
  words: string;
  note: string | null;
  proposed: string | null;
}

function Told({ run, words, note, proposed }: ToldProps) {
  return (
    <>
      <p dir="auto">{words}</p>
      {run.partial && <p className="soft">{run.partial}</p>}
      <p className="deeds">
        {note !== null ? (
          <Go room={{ at: "note", id: note }}>The note</Go>
        ) : (
          proposed !== null && <Go room={{ at: "approvals", id: proposed }}>What it proposes</Go>
        )}
        <Go room={{ at: "operation", id: run.id }}>What happened</Go>
      </p>
    </>
  );
}
