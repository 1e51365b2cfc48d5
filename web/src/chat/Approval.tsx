import { useEffect, useRef } from "react";
import type { Decision } from "../api/chat";
import { getNote } from "../api/server";
import { beginning, headline } from "../feed/preview";
import { Go } from "../route/Go";
import { usePolled } from "../state/usePolled";
import { useNow } from "../words/useNow";
import type { Approval } from "./turns";
import { until } from "./words";

interface Props {
  approval: Approval;
  busy: boolean;
  decide: (decision: Decision) => void;
}

/** A call that waits for a person's word: what it would do, with what, why it asks. No is the way out. */
export function ApprovalCard({ approval, busy, decide }: Props) {
  const no = useRef<HTMLButtonElement>(null);
  const now = useNow();
  useEffect(() => {
    if (!busy && !writing()) no.current?.focus();
  }, [approval.seq, busy]);
  const given = Object.entries(approval.arguments);
  const note = approval.arguments["note_id"];
  return (
    <section className="approval" aria-label="Waiting for your word">
      <h2>
        May I use <code>{approval.tool}</code>?
      </h2>
      {approval.tool === "delete_note" && typeof note === "string" ? (
        <Going id={note} />
      ) : (
        <dl>
          {given.map(([name, value]) => (
            <div key={name}>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>{approval.why}</p>
      <p className="soft">{until(approval.expires_at, now)}</p>
      <p className="deeds">
        <button type="button" ref={no} disabled={busy} onClick={() => decide("reject")}>
          Don’t
        </button>
        <button type="button" disabled={busy} onClick={() => decide("approve")}>
          Approve
        </button>
      </p>
    </section>
  );
}

/** Whether someone is in the middle of a text: then the focus stays there. */
function writing(): boolean {
  const at = document.activeElement;
  return (at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement) && at.value !== "";
}

/** The note that would go. */
function Going({ id }: { id: string }) {
  const { data, problem } = usePolled(
    `going ${id}`,
    () => getNote(id),
    () => null,
  );
  if (data) {
    return (
      <div className="going">
        <p dir="auto">
          <Go room={{ at: "note", id }}>{headline(data.note)}</Go>
        </p>
        <p className="soft" dir="auto">
          {beginning(data.note)}
        </p>
        <p className="soft">It goes to the bin, where it is kept for 30 days.</p>
      </div>
    );
  }
  if (!problem) return <p className="soft">Fetching the note…</p>;
  return (
    <p>
      {problem.status === 404 ? "The note is not there any more" : "The note can’t be shown"}:{" "}
      <code>{id}</code>
    </p>
  );
}
