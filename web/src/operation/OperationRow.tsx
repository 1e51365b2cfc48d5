import { kindName, over, subject, type Operation } from "../api/operation";
import { Go } from "../route/Go";
import { Age } from "../words/Age";
import { useNow } from "../words/useNow";
import { CancelRun } from "./CancelRun";
import { spent, standing, timing } from "./words";

interface Props {
  operation: Operation;
  /** Called once it was cancelled here. */
  changed: () => void;
}

/** One operation at a glance: what, how far, since when, for how much. */
export function OperationRow({ operation, changed }: Props) {
  const now = useNow();
  const { id, status, progress, updated_at } = operation;
  const { words, tone } = standing(operation);
  const ended = over(status);
  return (
    <li className="work-row" data-status={status}>
      <Go room={{ at: "operation", id }} className="work-title" dir="auto">
        {subject(operation)}
      </Go>
      {!ended && (
        <progress max={100} value={progress.percent} aria-label={`Progress of ${subject(operation)}`} />
      )}
      <div className="work-foot">
        <p className="soft">
          <span className="state" data-status={tone}>
            {words}
          </span>{" "}
          {timing(operation, now)}
          {ended && (
            <>
              , <Age at={updated_at} />
            </>
          )}
          {kindName(operation) !== subject(operation) && ` · ${kindName(operation)}`}
          {!ended && progress.message ? ` · ${progress.message}` : ""} · {spent(operation)}
        </p>
        {!ended && <CancelRun small id={id} what={subject(operation)} changed={changed} />}
      </div>
    </li>
  );
}
