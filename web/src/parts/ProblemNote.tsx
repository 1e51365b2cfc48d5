import type { Problem } from "../api/problem";

interface Props {
  problem: Problem;
  /** What is safe in spite of it. */
  saved?: string;
  /** What stands because it was not done: said only where that is known. */
  still?: string;
  again?: (() => void) | undefined;
  dismiss?: () => void;
}

/** An error in place: what happened, what was saved, what to do. */
export function ProblemNote({ problem, saved, still, again, dismiss }: Props) {
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{problem.message}</strong>
        {saved ? ` ${saved}` : ""}
        {still ? ` ${problem.unsure ? "It may have been done all the same." : still}` : ""}
        {problem.next ? ` ${problem.next}` : ""}
      </p>
      {(again ?? dismiss) && (
        <p className="deeds">
          {again && (
            <button type="button" onClick={again}>
              Try again
            </button>
          )}
          {dismiss && (
            <button type="button" className="plain" onClick={dismiss}>
              Dismiss
            </button>
          )}
        </p>
      )}
    </div>
  );
}
