import type { Decision } from "../api/chat";
import { Step } from "../parts/Step";
import { Go } from "../route/Go";
import { Age } from "../words/Age";
import { Answer } from "./Answer";
import { ApprovalCard } from "./Approval";
import { Changes } from "./Changes";
import { Steps } from "./Steps";
import { doing } from "./words";
import type { Talk } from "./talk";
import { done, proposed, why, type TurnView as Turn } from "./turns";

interface Props {
  session: string;
  turn: Turn;
  /** The conversation, for the last turn: it may be going on. */
  live: Talk | null;
  again: (text: string) => void;
  edit: (text: string) => void;
  decide: (decision: Decision) => void;
}

/** One message and all that followed from it. */
export function TurnView({ session, turn, live, again, edit, decide }: Props) {
  const { asked, answer, ended } = turn;
  const now = live ? doing(live, turn) : null;
  const open = turn.status === "running" || turn.status === "waiting";
  return (
    <li className="turn" data-status={turn.status}>
      {asked && (
        <div className="said">
          <p dir="auto">
            <span className="unseen">You: </span>
            {asked.text}
          </p>
          <span className="soft">
            <Age at={asked.at} />
          </span>
        </div>
      )}
      <Steps turn={turn} open={answer === null} />
      {live && live.streaming.thinking !== "" && (
        <ol className="steps">
          <Step at={asked?.at ?? ""} tone="thinking" label="Thinking" text={live.streaming.thinking} />
        </ol>
      )}
      {answer && <Answer text={answer.text} links={answer.links} citations={turn.citations} />}
      {live && live.streaming.text !== "" && (
        <Answer text={live.streaming.text} links={NONE} citations={NONE} />
      )}
      <Changes session={session} changes={turn.changes} />
      {proposed(turn).map((id) => (
        <p key={id}>
          Nothing is done yet: it waits in <Go room={{ at: "approvals", id }}>Approvals</Go>.
        </p>
      ))}
      {turn.approval && live && (
        <ApprovalCard approval={turn.approval} busy={live.link !== "idle"} decide={decide} />
      )}
      {now && <p className="doing">{now}</p>}
      {ended && (
        <div className="problem">
          <p>
            <strong>{why(turn)}</strong> {done(turn)}
          </p>
        </div>
      )}
      {live && asked && !open && live.link === "idle" && (
        <p className="deeds">
          {turn.status === "interrupted" && turn.steps.some(({ type }) => type === "plan") && (
            <button type="button" className="small" onClick={() => decide("continue")}>
              Go on where it stopped
            </button>
          )}
          {ended && (
            <button type="button" className="small" onClick={() => again(asked.text)}>
              Try again
            </button>
          )}
          <button type="button" className="plain small" onClick={() => edit(asked.text)}>
            Edit message
          </button>
        </p>
      )}
    </li>
  );
}

const NONE: [] = [];
