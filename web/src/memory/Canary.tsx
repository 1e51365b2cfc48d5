import { useState } from "react";
import { testMemory, type CanaryAnswer } from "../api/memory";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { ReceiptRow } from "./ReceiptRow";

/** The memory service, tried with a harmless fact of nobody's: the button, and the receipts of what came of it. */
export function Canary() {
  const [answer, setAnswer] = useState<CanaryAnswer | null>(null);
  const act = useAct(async () => {
    const found = await testMemory();
    setAnswer(found);
    announce(found.healthy ? "The memory service works." : "The memory service failed its test.");
  });
  return (
    <section aria-label="Test of the memory service">
      <h2>Does it work?</h2>
      <p className="soft">
        The test writes a harmless fact about nobody, reads it back in four ways, deletes it and looks once
        more. It touches none of your memories.
      </p>
      <p>
        <button type="button" disabled={act.busy} onClick={act.run}>
          {act.busy ? "Testing…" : answer ? "Test it again" : "Test the memory service"}
        </button>
      </p>
      {act.problem && (
        <ProblemNote
          problem={act.problem}
          saved={answer ? "What you see is from the test before." : "Your memories are as they were."}
          again={act.run}
          dismiss={act.dismiss}
        />
      )}
      {answer && (
        <>
          <p>
            <span className="state" data-status={answer.healthy ? "completed" : "failed"}>
              {answer.healthy
                ? "It works: all four ways of reading showed what they should."
                : "It failed the test."}
            </span>
            {answer.problem && ` ${sentence(answer.problem)}`}
          </p>
          <ul className="receipts" aria-label="Proofs of the test">
            {answer.written && <ReceiptRow receipt={answer.written} title="Written and read back" />}
            {answer.cleaned && <ReceiptRow receipt={answer.cleaned} title="Deleted and looked for" />}
          </ul>
        </>
      )}
    </section>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}
