import { useEffect, useRef, useState } from "react";
import { approve, getApproval, reject, type Approval } from "../api/approval";
import { until } from "../chat/words";
import { feed } from "../feed/feed";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { useNow } from "../words/useNow";
import { Asker } from "./Asker";
import { DiffView } from "./DiffView";
import { fieldsOf } from "./draft";
import { EditForm } from "./EditForm";
import { approvals } from "./waiting";
import { proposal, standing } from "./words";

const PACE = 8_000;

interface Props {
  approval: Approval;
  /** Whether the comparison is fetched at once. */
  open: boolean;
  /** Takes the focus to the safe choice, once it is there and in sight. */
  focus: boolean;
  /** How it stands after a decision, here or elsewhere. */
  settled: (approval: Approval) => void;
}

/** Something that an agent would do: who asks, why, what it would change. Nothing of it is done before a yes. */
export function Proposal({ approval, open, focus, settled }: Props) {
  const [whole, setWhole] = useState(open);
  const now = useNow();
  return (
    <li className="proposal" aria-label={proposal(approval.action)}>
      <h2>{proposal(approval.action)}</h2>
      <p className="reason" dir="auto">
        {approval.reason}
      </p>
      <p className="soft">
        <Asker approval={approval} /> {approval.claim ? standing(approval) : until(approval.expires_at, now)}
      </p>
      {whole ? (
        <Decide id={approval.id} focus={focus} settled={settled} />
      ) : (
        <p>
          <button type="button" className="small" onClick={() => setWhole(true)}>
            See what it would change
          </button>
        </p>
      )}
    </li>
  );
}

function inSight(element: HTMLElement | null): boolean {
  if (!element) return false;
  const { left, bottom } = element.getBoundingClientRect();
  // Its lower edge: nothing lies over it, no bar and no end of the screen.
  return element.contains(document.elementFromPoint(left + 4, bottom - 4));
}

/** The comparison, kept true while it is looked at, and the three answers to it. */
function Decide({ id, focus, settled }: { id: string; focus: boolean; settled: Props["settled"] }) {
  const { data, problem, reload } = usePolled(
    `approval ${id}`,
    () => getApproval(id),
    () => PACE,
  );
  const [editing, setEditing] = useState(false);
  const wanted = useRef<Record<string, unknown> | null>(null);
  const no = useRef<HTMLButtonElement>(null);
  const there = data !== null;
  useEffect(() => {
    const at = document.activeElement;
    // Only where it is in sight: a jump down would skip what is to be decided about.
    if (there && focus && (at === document.body || at?.id === "middle") && inSight(no.current))
      no.current?.focus();
  }, [there, focus]);

  const after = (decided: Approval) => {
    announce(`${standing(decided)}.`);
    settled(decided);
    approvals.look();
    feed.look();
    work.look();
  };
  const yes = useAct(async () => after(await approve(id, wanted.current)));
  const refuse = useAct(async () => after(await reject(id, null)));
  const failed = yes.problem ?? refuse.problem;
  // Somebody else, or another device, was faster, or the time is over: show how it stands.
  const late = failed?.status === 409 || failed?.status === 410;
  useEffect(() => {
    if (late) reload();
  }, [late, reload]);
  const elsewhere = data && (data.approval.status !== "pending" || data.approval.claim !== null);

  if (!data) {
    return problem ? (
      <ProblemNote problem={problem} saved="Nothing was decided." again={reload} />
    ) : (
      <p className="soft">Comparing with what is there…</p>
    );
  }
  const busy = yes.busy || refuse.busy;
  const trouble = data.diff?.trouble;
  return (
    <>
      {data.stale && !elsewhere && !trouble && (
        <p className="stale" role="status">
          <strong>What it is about was changed since this was proposed.</strong> The comparison shows it as it
          is now.
        </p>
      )}
      {trouble && (
        <p className="stale">
          <strong>{trouble.message}</strong> {trouble.next}
        </p>
      )}
      {data.diff && !editing && <DiffView diff={data.diff} />}
      {failed && <ProblemNote problem={failed} {...(late ? {} : { still: "It still waits." })} />}
      {elsewhere ? (
        <p className="deeds">
          <span className="state">{standing(data.approval)}.</span>
          <button type="button" className="small" onClick={() => settled(data.approval)}>
            See what came of it
          </button>
        </p>
      ) : editing ? (
        <EditForm
          approval={data.approval}
          busy={busy}
          cancel={() => setEditing(false)}
          approve={(changes) => {
            wanted.current = changes;
            yes.run();
          }}
        />
      ) : (
        <p className="deeds">
          <button type="button" ref={no} disabled={busy} onClick={refuse.run}>
            Reject
          </button>
          <button
            type="button"
            disabled={busy || Boolean(trouble)}
            onClick={() => {
              wanted.current = null;
              yes.run();
            }}
          >
            {yes.busy ? "Doing it…" : "Approve"}
          </button>
          {fieldsOf(data.approval.action.arguments).length > 0 && (
            <button
              type="button"
              className="plain"
              disabled={busy || Boolean(trouble)}
              onClick={() => setEditing(true)}
            >
              Edit, then approve
            </button>
          )}
        </p>
      )}
    </>
  );
}
