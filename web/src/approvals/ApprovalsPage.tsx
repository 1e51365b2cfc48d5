import { useEffect, useState } from "react";
import { listApprovals, listPending, type Approval } from "../api/approval";
import { Problem } from "../api/problem";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { Gates } from "./Gates";
import { Proposal } from "./Proposal";
import { Resolved } from "./Resolved";
import { approvals } from "./waiting";

const PACE = 10_000;
/** So many are compared at once; the others when somebody asks. */
const OPEN = 3;

/** What waits for a word: in conversations, then what agents propose; what became of others folded below. */
export function ApprovalsPage() {
  useTitle("Approvals");
  const { data, problem, reload } = usePolled("approvals", listPending, () => PACE);
  const [settled, setSettled] = useState<Approval[]>([]);
  // The badge hears first of what was asked or decided in a conversation.
  useEffect(() => approvals.subscribe(reload), [reload]);
  // And the list may know more than the badge, which looks less often.
  useEffect(() => {
    if (data?.approvals.some(({ id }) => !approvals.get().includes(id))) approvals.look();
  }, [data]);
  const gates = data?.waiting ?? [];
  const waiting = (data?.approvals ?? []).filter(({ id }) => !settled.some((one) => one.id === id));
  const settle = (approval: Approval) => {
    setSettled((before) => [approval, ...before.filter(({ id }) => id !== approval.id)]);
    reload();
    document.querySelector<HTMLElement>("[data-heading]")?.focus();
  };
  return (
    <div className="page">
      <header>
        <Heading>Approvals</Heading>
        <p className="soft">
          What routines, agents and the chat would do. Nothing is done before you say so.
        </p>
      </header>
      {problem && (
        <ProblemNote
          problem={problem}
          {...(data ? { saved: "What you see is from before." } : {})}
          again={reload}
        />
      )}
      {!data && !problem && <p className="soft">Fetching what waits…</p>}
      <Gates gates={gates} />
      {data && waiting.length === 0 && gates.length === 0 && (
        <p className="soft">
          Nothing waits. A routine’s note, or a change that an agent proposes, shows up here first.
        </p>
      )}
      <ul className="proposals" aria-label="Waiting">
        {waiting.map((approval, at) => (
          <Proposal
            key={approval.id}
            approval={approval}
            open={at < OPEN}
            focus={at === 0 && gates.length === 0}
            settled={settle}
          />
        ))}
      </ul>
      {settled.length > 0 && (
        <section>
          <h2>Decided just now</h2>
          <ul className="proposals" aria-label="Decided just now">
            {settled.map((approval) => (
              <Resolved key={approval.id} approval={approval} />
            ))}
          </ul>
        </section>
      )}
      <Earlier besides={settled} />
    </div>
  );
}

/** What was decided before: fetched when it is unfolded. */
function Earlier({ besides }: { besides: Approval[] }) {
  const [page, setPage] = useState<{ approvals: Approval[]; cursor: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const more = (before: Approval[], cursor: string | null) => {
    setProblem(null);
    listApprovals(cursor).then(
      (next) => setPage({ approvals: [...before, ...next.approvals], cursor: next.next_cursor }),
      (error: unknown) => setProblem(Problem.from(error)),
    );
  };
  const told = (page?.approvals ?? []).filter(
    ({ id, status }) => status !== "pending" && !besides.some((one) => one.id === id),
  );
  return (
    <details
      className="trace"
      onToggle={(event) => {
        if (event.currentTarget.open) more([], null);
      }}
    >
      <summary>Decided before</summary>
      {problem && (
        <ProblemNote problem={problem} again={() => more(page?.approvals ?? [], page?.cursor ?? null)} />
      )}
      {page && told.length === 0 && <p className="soft">Nothing was decided before.</p>}
      <ul className="proposals" aria-label="Decided before">
        {told.map((approval) => (
          <Resolved key={approval.id} approval={approval} />
        ))}
      </ul>
      {page && page.cursor !== null && (
        <p className="more">
          <button type="button" onClick={() => more(page.approvals, page.cursor)}>
            Older ones
          </button>
        </p>
      )}
    </details>
  );
}
