import { useEffect, useRef, useState } from "react";
import type { WaitingRun } from "../api/approval";
import type { Decision } from "../api/chat";
import { conversation } from "../chat/conversation";
import { until } from "../chat/words";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useNow } from "../words/useNow";
import { Arguments } from "./Arguments";
import { approvals } from "./waiting";
import { choices, wanted } from "./words";

interface Told {
  gate: WaitingRun;
  words: string;
}

/** Turns of chat that wait for a word, which can be said here; what follows is told in the conversation. */
export function Gates({ gates }: { gates: WaitingRun[] }) {
  const [told, setTold] = useState<Told[]>([]);
  // One turn may ask again: another question has another end.
  const waiting = gates.filter(
    ({ run_id, expires_at }) =>
      !told.some(({ gate }) => gate.run_id === run_id && gate.expires_at === expires_at),
  );
  if (waiting.length + told.length === 0) return null;
  return (
    <section>
      <h2>In your conversations</h2>
      <ul className="proposals" aria-label="Waiting in conversations">
        {waiting.map((gate) => (
          <Gate
            key={gate.run_id}
            gate={gate}
            answered={(words) => setTold((before) => [...before, { gate, words }])}
          />
        ))}
      </ul>
      {told.map(({ gate, words }) => (
        <p key={`${gate.run_id} ${gate.expires_at}`}>
          <strong>{wanted(gate)}:</strong> {words}. It goes on in{" "}
          <Go room={{ at: "chat", id: gate.session_id }} dir="auto">
            “{gate.title ?? "Untitled"}”
          </Go>
          .
        </p>
      ))}
    </section>
  );
}

function Gate({ gate, answered }: { gate: WaitingRun; answered: (words: string) => void }) {
  const now = useNow();
  const { busy, decide } = useDecision(gate);
  const { problem } = useSignal(conversation(gate.session_id).state);
  const answers = choices(gate);
  return (
    <li className="proposal" aria-label={wanted(gate)}>
      <h3>{wanted(gate)}</h3>
      {gate.why && <p className="reason">{gate.why}</p>}
      {gate.answer === "" ? (
        <Arguments of={gate.arguments} className="asked" />
      ) : (
        <p className="soft" dir="auto">
          {gate.answer}
        </p>
      )}
      <p className="soft">
        Asked in <span dir="auto">“{gate.title ?? "Untitled"}”</span>. {until(gate.expires_at, now)}
      </p>
      {problem && problem.at !== "send" && <ProblemNote problem={problem.told} />}
      <p className="deeds">
        {answers.map(({ decision, words, done }) => (
          <button
            key={decision}
            type="button"
            disabled={busy}
            onClick={() => decide(decision, () => answered(done))}
          >
            {words}
          </button>
        ))}
        <Go className="button plain" room={{ at: "chat", id: gate.session_id }}>
          {answers.length > 0 ? "See it in the conversation" : "Answer in the conversation"}
        </Go>
      </p>
    </li>
  );
}

/** Says a word in a conversation that is not on screen: only about the turn that was shown. */
function useDecision({ session_id, run_id }: WaitingRun) {
  const [busy, setBusy] = useState(false);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  const decide = (decision: Decision, taken: () => void) => {
    const talk = conversation(session_id);
    const act = async () => {
      // What went wrong the last time says nothing about this one.
      talk.dismiss();
      await talk.load();
      const turn = talk.state.get().session?.turn;
      if (talk.state.get().problem !== null) return;
      if (turn?.id !== run_id || turn.status !== "waiting") {
        announce("This was answered elsewhere.");
        approvals.look();
        return;
      }
      await talk.decide(decision, taken);
    };
    setBusy(true);
    void act().finally(() => {
      if (!gone.current) setBusy(false);
    });
  };
  return { busy, decide };
}
