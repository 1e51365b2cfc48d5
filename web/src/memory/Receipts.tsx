import { useState } from "react";
import { listReceipts, type Receipt } from "../api/memory";
import { Problem } from "../api/problem";
import { ProblemNote } from "../parts/ProblemNote";
import { ReceiptRow } from "./ReceiptRow";

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
      <p className="soft">Each is kept for 90 days.</p>
      {page?.receipts.length === 0 && <p className="soft">There are none yet.</p>}
      <ul className="receipts" aria-label="Receipts">
        {page?.receipts.map((receipt) => (
          <ReceiptRow key={receipt.id} receipt={receipt} />
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
