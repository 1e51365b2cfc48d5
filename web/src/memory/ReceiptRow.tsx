import type { Receipt } from "../api/memory";
import { Age } from "../words/Age";
import { plural } from "../words/money";
import { OCCASIONS, reads, VERDICTS } from "./words";
import { why, whyOfTest } from "./cases";

const TONES: Record<Receipt["verdict"], string> = {
  healthy: "completed",
  working: "running",
  degraded: "waiting_for_input",
  uncertain: "waiting_for_input",
  failed: "failed",
};

/** One proof: what it is about, how it ended and what to do, and the four ways of reading apart. */
export function ReceiptRow({ receipt, title }: { receipt: Receipt; title?: string }) {
  const { occasion, at, verdict, items, injected, safe_action } = receipt;
  const worst = items[0];
  const count = items.filter(({ memory_ref }) => memory_ref !== null).length;
  const name = title ?? OCCASIONS[occasion];
  return (
    <li>
      <p>
        <strong>{name}</strong>{" "}
        <span className="state" data-status={TONES[verdict]}>
          {VERDICTS[verdict]}
        </span>{" "}
        <span className="soft">
          <Age at={at} />
        </span>
      </p>
      <p className="soft">
        {count > 0 && occasion !== "canary" && (
          <>
            {plural(count, "memory", "memories")} looked at
            {occasion === "recall" && <>, {injected} used</>}.{" "}
          </>
        )}
        {worst && (occasion === "canary" ? whyOfTest : why)(worst.judgement.case)} {safe_action}
      </p>
      <div className="scrolls" role="region" aria-label={`The four ways of reading: ${name}`} tabIndex={0}>
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
