import { useState } from "react";
import { over, type Operation } from "../api/operation";
import { Problem } from "../api/problem";
import { listOperations } from "../api/server";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { usePolled } from "../state/usePolled";
import { AskAgent } from "./AskAgent";
import { OperationRow } from "./OperationRow";
import { Upkeep } from "./Upkeep";

/** All long work: what runs now, and what ran before. */
export function OperationsPage() {
  const first = usePolled(
    "operations",
    () => listOperations(null),
    (page) => (page?.operations.some(({ status }) => !over(status)) ? 4_000 : 20_000),
  );
  const [older, setOlder] = useState<{ operations: Operation[]; cursor: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const page = first.data;

  const seen = new Set(page?.operations.map(({ id }) => id));
  const all = page
    ? [...page.operations, ...(older?.operations.filter(({ id }) => !seen.has(id)) ?? [])]
    : [];
  const active = all.filter(({ status }) => !over(status));
  const ended = all.filter(({ status }) => over(status));
  const cursor = older ? older.cursor : (page?.next_cursor ?? null);

  const more = () => {
    setProblem(null);
    listOperations(cursor).then(
      (next) =>
        setOlder({
          operations: [...(older?.operations ?? []), ...next.operations],
          cursor: next.next_cursor,
        }),
      (error: unknown) => setProblem(Problem.from(error)),
    );
  };

  return (
    <div className="page">
      <Heading>Running work</Heading>
      <AskAgent />
      {first.problem && <ProblemNote problem={first.problem} again={first.reload} />}
      {page && active.length === 0 && (
        <p className="soft">
          Nothing runs. Research that you switch on when you save a question, routines, and what you ask an
          agent show up here.
        </p>
      )}
      {active.length > 0 && (
        <ul className="work" aria-label="Running">
          {active.map((operation) => (
            <OperationRow key={operation.id} operation={operation} changed={first.reload} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <>
          <h2>Before</h2>
          <ul className="work" aria-label="Ended">
            {ended.map((operation) => (
              <OperationRow key={operation.id} operation={operation} changed={first.reload} />
            ))}
          </ul>
        </>
      )}
      {problem && <ProblemNote problem={problem} again={more} />}
      {cursor !== null && !problem && (
        <p className="more">
          <button type="button" onClick={more}>
            Older work
          </button>
        </p>
      )}
      <Upkeep />
    </div>
  );
}
