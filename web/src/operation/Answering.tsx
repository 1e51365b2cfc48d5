import { useId, useRef } from "react";
import type { Operation } from "../api/operation";
import { giveInput } from "../api/server";
import { draftOf, write } from "../chat/draft";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { fullTime } from "../words/time";
import { work } from "./work";

interface Props {
  operation: Operation;
  put: (change: (now: Operation) => Operation) => void;
}

/** What an operation waits to be told: its question, answers to choose from, and room for one's own. */
export function Answering({ operation, put }: Props) {
  const { id, asked, answered, status } = operation;
  const name = `operation ${id}`;
  const text = useSignal(draftOf(name));
  const field = useId();
  /** The option that was chosen; one's own words stay until an answer is in. */
  const chosen = useRef<string | null>(null);
  const act = useAct(async () => {
    const next = await giveInput(id, chosen.current ?? draftOf(name).get().trim());
    put(() => next);
    write(name, "");
    announce("Your answer is in.");
    work.look();
  }, name);
  if (status !== "waiting_for_input" || asked === null) return null;
  if (answered) {
    return (
      <section className="asking" aria-label="Its question">
        <p dir="auto">{asked.text}</p>
        <p className="soft">Your answer is in. It goes on as soon as a slot is free.</p>
      </section>
    );
  }
  return (
    <section className="asking" aria-label="Its question">
      <h2>It needs your word</h2>
      <p dir="auto">{asked.text}</p>
      {asked.options.length > 0 && (
        <p className="deeds">
          {asked.options.map((option) => (
            <button
              key={option}
              type="button"
              disabled={act.busy}
              onClick={() => {
                chosen.current = option;
                act.run();
              }}
            >
              {option}
            </button>
          ))}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          chosen.current = null;
          if (text.trim() !== "") act.run();
        }}
      >
        <label htmlFor={field}>{asked.options.length > 0 ? "Or in your own words" : "Your answer"}</label>
        <textarea
          id={field}
          dir="auto"
          rows={2}
          maxLength={10_000}
          value={text}
          readOnly={act.busy}
          onChange={(event) => write(name, event.target.value)}
        />
        <p className="deeds">
          <button type="submit" className="main" disabled={text.trim() === "" || act.busy}>
            {act.busy ? "Sending" : "Answer"}
          </button>
        </p>
      </form>
      <p className="soft">Without an answer it is cancelled on {fullTime(asked.expires_at)}.</p>
      {act.problem && <ProblemNote problem={act.problem} saved="Your answer is kept here." />}
    </section>
  );
}
