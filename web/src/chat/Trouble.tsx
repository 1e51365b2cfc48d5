import { Problem } from "../api/problem";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";

/** A message that was not taken: what became of it, and what to do. */
export function Trouble({ problem, dismiss }: { problem: Problem; dismiss?: () => void }) {
  return (
    <>
      <ProblemNote
        problem={short(problem)}
        saved="What you typed is kept here."
        {...(dismiss ? { dismiss } : {})}
      />
      {problem.code === "not_configured" && (
        <p>
          <Go room={{ at: "settings" }}>Choose another model in the settings</Go>
        </p>
      )}
    </>
  );
}

/** Offline and signed out are told by the banner; here it is enough to say what became of the text. */
function short(problem: Problem): Problem {
  if (problem.status !== 0 && problem.status !== 401) return problem;
  const next = problem.status === 0 ? "It is sent by itself once Memex is back." : "";
  return new Problem(problem.status, problem.code, "Not sent yet.", next);
}
