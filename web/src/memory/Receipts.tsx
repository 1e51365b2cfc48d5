import { useState } from "react";
import { listReceipts, type Receipt } from "../api/memory";
import { Problem } from "../api/problem";
import { ProblemNote } from "../parts/ProblemNote";
import { Age } from "../words/Age";
import { plural } from "../words/money";
import { OCCASIONS, reads, VERDICTS } from "./words";
import { why } from "./cases";

/** The proofs: what was looked at when something was remembered, changed or looked for. They hold no fact. */
export function Receipts() {
  const [page, setPage] = useState<{ receipts: Receipt[]; cursor: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const more = (before: Receipt[], cursor: string | null) => {
    setProblem(null);
    listReceipts(cursor).then(
      (next) => setPage({ receipts: [...before, ...next.receipts], cursor: next.next_cursor }),
      (error: unknown) => setProblem(Problem.from(error)),
    );
  };
  const again = () => more(page?.receipts ?? [], page?.cursor ?? null);
  return (
    <details
      className="trace"
      onToggle={(event) => {
        if (event.currentTarget.open) more([], null);
      }}
    >
      <summary>Receipts: the proofs, without what is remembered</summary>
      {problem && <ProblemNote problem={problem} again={again} />}
      {page?.receipts.length === 0 && <p className="soft">There are none yet.</p>}
      <ul className="receipts" aria-label="Receipts">
        {page?.receipts.map((receipt) => (
          <Row key={receipt.id} receipt={receipt} />
        ))}
      </ul>
      {page && page.cursor !== null && (
        <p className="more">
          <button type="button" onClick={again}>
            Older receipts
          </button>
        </p>
      )}
    </details>
  );
}

const TONES: Record<Receipt["verdict"], string> = {
  healthy: "completed",
  working: "running",
  degraded: "waiting_for_input",
  uncertain: "waiting_for_input",
  failed: "failed",
};

function Row({ receipt }: { receipt: Receipt }) {
  const { occasion, at, verdict, items, injected, safe_action } = receipt;
  const worst = items[0];
  return (
    <li>
      <p>
        <strong>{OCCASIONS[occasion]}</strong>{" "}
        <span className="state" data-status={TONES[verdict]}>
          {VERDICTS[verdict]}
        </span>{" "}
        <span className="soft">
          <Age at={at} />
        </span>
      </p>
      <p className="soft">
        {plural(items.length, "memory", "memories")} looked at
        {occasion === "recall" && <>, {injected} used</>}. {worst && why(worst.judgement.case)} {safe_action}
      </p>
      <div className="scrolls" role="region" aria-label="The four ways of reading" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Read</th>
              <th scope="col">asked</th>
              <th scope="col">found</th>
              <th scope="col">failed</th>
            </tr>
          </thead>
          <tbody>
            {reads(receipt).map(({ name, read }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{read.asked}</td>
                <td>{read.hits}</td>
                <td>{read.failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </li>
  );
}
