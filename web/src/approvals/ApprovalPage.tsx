import { useState } from "react";
import { getApproval, type Approval } from "../api/approval";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { WaysOn } from "../parts/WaysOn";
import { Go } from "../route/Go";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { DiffView } from "./DiffView";
import { Proposal } from "./Proposal";
import { Resolved } from "./Resolved";
import { proposal, shown } from "./words";

/** One proposal: to decide, or with what came of it. */
export function ApprovalPage({ id }: { id: string }) {
  const { data, problem, reload } = usePolled(
    `one approval ${id}`,
    () => getApproval(id),
    () => null,
  );
  const [settled, setSettled] = useState<Approval | null>(null);
  const approval = settled ?? data?.approval ?? null;
  useTitle(approval ? proposal(approval.action) : "Approval");
  return (
    <div className="page">
      <header>
        <p className="kicker">
          <Go room={{ at: "approvals", id: null }}>All approvals</Go>
        </p>
        <Heading>
          {approval
            ? approval.status === "pending"
              ? "Waits for your word"
              : "Decided"
            : problem
              ? problem.status === 404
                ? "No such approval"
                : "Can’t be shown"
              : "Fetching…"}
        </Heading>
      </header>
      {problem && <ProblemNote problem={problem} again={reload} />}
      {problem && !data && <WaysOn />}
      {approval && (
        <ul className="proposals">
          {approval.status === "pending" ? (
            <Proposal key={approval.id} approval={approval} open focus settled={setSettled} />
          ) : (
            <Resolved approval={approval} />
          )}
        </ul>
      )}
      {approval && approval.status !== "pending" && (
        <section>
          <h2>What it was</h2>
          <DiffView
            diff={{
              target: null,
              trouble: null,
              fields: Object.entries(approval.action.arguments).map(([field, after]) => ({
                field,
                before: null,
                after: shown(after),
                lines: null,
              })),
            }}
          />
        </section>
      )}
    </div>
  );
}
