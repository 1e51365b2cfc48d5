import { useEffect, useRef } from "react";
import type { Decision } from "../api/chat";
import { getNote } from "../api/server";
import { Arguments } from "../approvals/Arguments";
import { beginning, headline } from "../feed/preview";
import { Go } from "../route/Go";
import { usePolled } from "../state/usePolled";
import { todo } from "../words/tools";
import { useNow } from "../words/useNow";
import { Answer } from "./Answer";
import type { Approval } from "./turns";
import { until } from "./words";

interface Props {
  approval: Approval;
  busy: boolean;
  decide: (decision: Decision) => void;
}

/** What waits for a person's word: a call, a host, or the answer itself. No is the way out, and has the focus. */
export function ApprovalCard({ approval, busy, decide }: Props) {
  const no = useRef<HTMLButtonElement>(null);
  const now = useNow();
  useEffect(() => {
    if (!busy && !writing()) no.current?.focus();
  }, [approval.seq, busy]);
  const deed = (decision: Decision, words: string) => (
    <button type="button" disabled={busy} onClick={() => decide(decision)}>
      {words}
    </button>
  );
  const safe = (decision: Decision, words: string) => (
    <button type="button" ref={no} disabled={busy} onClick={() => decide(decision)}>
      {words}
    </button>
  );
  return (
    <section className="approval" aria-label="Waiting for your word">
      <Asked approval={approval} />
      {approval.why && <p>{approval.why}</p>}
      <p className="soft">{until(approval.expires_at, now)}</p>
      {approval.reason === "egress_approval" ? (
        <>
          <p className="deeds">
            {safe("egress_deny", "Don’t allow")}
            {deed("egress_allow_once", "Allow once")}
            {deed("egress_allow_always", "Allow always")}
          </p>
          <details>
            <summary>More info</summary>
            <p>
              Once: this answer alone may reach <code>{approval.blocked_host}</code>. Always: it joins the
              allowed hosts in Settings, and reading from the web is switched on. Without it the call fails,
              and the answer goes on. Addresses inside your own network stay out of reach in any case.
            </p>
            <pre tabIndex={0} aria-label="The call">
              {JSON.stringify({ tool: approval.tool, arguments: approval.arguments }, null, 2)}
            </pre>
          </details>
        </>
      ) : approval.reason === "approve_answer" ? (
        <p className="deeds">
          {safe("reject", "Reject the answer")}
          {deed("approve", "Approve the answer")}
        </p>
      ) : (
        <p className="deeds">
          {safe("reject", "Don’t")}
          {deed("approve", "Approve")}
        </p>
      )}
    </section>
  );
}

function Asked({ approval }: { approval: Approval }) {
  const note = approval.arguments["note_id"];
  if (approval.reason === "approve_answer") {
    return (
      <>
        <h2>May this be the answer?</h2>
        <Answer text={approval.answer} links={approval.links} citations={NONE} />
        {approval.critique && (
          <p>
            <strong>The critic said:</strong> <span dir="auto">{approval.critique}</span>
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <h2>
        {approval.reason === "egress_approval" ? (
          <>
            May I reach <code>{approval.blocked_host}</code> to {todo(approval.tool, approval.arguments)}?
          </>
        ) : (
          <>May I {todo(approval.tool, approval.arguments)}?</>
        )}
      </h2>
      {approval.tool === "delete_note" && typeof note === "string" ? (
        <Going id={note} />
      ) : (
        <Arguments of={approval.arguments} />
      )}
    </>
  );
}

const NONE: [] = [];

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
