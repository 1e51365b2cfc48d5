import { undoApproval, type Approval } from "../api/approval";
import { markUndone, nameOf, undone } from "../chat/undone";
import { feed } from "../feed/feed";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { Age } from "../words/Age";
import { failure, noteOf, proposal, standing } from "./words";

/** What became of a proposal, and the way back where there is one. */
export function Resolved({ approval }: { approval: Approval }) {
  const { id, action, reason, resolved_by, resolved_at, rejection, proposed, ok } = approval;
  const back = useSignal(undone).includes(nameOf(`approval ${id}`, 0));
  const act = useAct(async () => {
    await undoApproval(id);
    markUndone(`approval ${id}`, 0);
    announce("Undone.");
    feed.look();
  });
  const note = noteOf(approval);
  const why = failure(approval);
  return (
    <li className="proposal resolved">
      <p>
        <strong>
          <Go room={{ at: "approvals", id }}>{proposal(action)}</Go>
        </strong>{" "}
        <span className={ok === false ? "state bad" : "state"}>{back ? "Undone" : standing(approval)}</span>
      </p>
      <p className="soft" dir="auto">
        {reason}
      </p>
      {why && <p>{why}</p>}
      {rejection && <p dir="auto">Because: {rejection}</p>}
      <p className="soft">
        {resolved_by && <>By {resolved_by}, </>}
        {resolved_at && <Age at={resolved_at} />}
        {proposed && " · in words changed by a person"}
      </p>
      <p className="deeds">
        {note !== null && ok !== false && (
          <Go className="button" room={{ at: "note", id: note }}>
            See the note
          </Go>
        )}
        {approval.undo && ok === true && !back && (
          <button
            type="button"
            disabled={act.busy}
            aria-label={`Undo: ${proposal(action)}`}
            onClick={act.run}
          >
            {act.busy ? "Undoing" : "Undo"}
          </button>
        )}
      </p>
      {act.problem && <ProblemNote problem={act.problem} saved="Nothing was undone." dismiss={act.dismiss} />}
    </li>
  );
}
