import type { WaitingRun } from "../api/approval";
import { until } from "../chat/words";
import { Go } from "../route/Go";
import { useNow } from "../words/useNow";
import { shown, wanted } from "./words";

/** Turns of chat that wait for a word. It is said in the conversation, where one sees what it is about. */
export function Gates({ gates }: { gates: WaitingRun[] }) {
  const now = useNow();
  if (gates.length === 0) return null;
  return (
    <section>
      <h2>In your conversations</h2>
      <ul className="proposals" aria-label="Waiting in conversations">
        {gates.map((gate) => (
          <li key={gate.run_id} className="proposal" aria-label={wanted(gate)}>
            <h3>{wanted(gate)}</h3>
            {gate.why && <p className="reason">{gate.why}</p>}
            <What gate={gate} />
            <p className="soft">
              Asked in <span dir="auto">“{gate.title ?? "Untitled"}”</span>. {until(gate.expires_at, now)}
            </p>
            <p className="deeds">
              <Go className="button" room={{ at: "chat", id: gate.session_id }}>
                Answer in the conversation
              </Go>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The call, or the beginning of the answer, as plain text: nothing in it may be drawn as a link here. */
function What({ gate }: { gate: WaitingRun }) {
  if (gate.answer !== "") {
    return (
      <p className="soft" dir="auto">
        {gate.answer}
      </p>
    );
  }
  // An id says nothing to a person; the conversation shows the note itself.
  const told = Object.entries(gate.arguments).filter(([name]) => !name.endsWith("_id"));
  if (told.length === 0) return null;
  return (
    <dl className="asked">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd dir="auto">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
