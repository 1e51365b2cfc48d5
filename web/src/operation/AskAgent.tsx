import { useEffect, useId, useRef, useState } from "react";
import { askAgent } from "../api/server";
import { draftOf, write } from "../chat/draft";
import { ProblemNote } from "../parts/ProblemNote";
import { to } from "../route/address";
import { go, here } from "../route/here";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { useThere } from "../state/useThere";
import { asked, called, DRAFT, picked } from "./asking";
import { NotePicker } from "./NotePicker";
import { work } from "./work";

/** A question that an agent works on by itself, with the notes that one picks for it. */
export function AskAgent() {
  const question = useSignal(draftOf(DRAFT));
  // What was begun is in sight; after that it stays as the person wants it.
  const [open, setOpen] = useState(question !== "" || picked.get().length > 0);
  const wanted = useSignal(called);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const there = useThere();
  const act = useAct(async () => {
    const ids = picked.get().map((one) => one.id);
    const operation = await askAgent(draftOf(DRAFT).get().trim(), ids);
    asked();
    work.look();
    if (there()) go(to({ at: "operation", id: operation.id }, here.get()));
  }, "ask an agent");
  useEffect(() => {
    if (!wanted) return undefined;
    // After the room itself has taken the focus.
    const frame = requestAnimationFrame(() => {
      box.current?.focus();
      called.set(false);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
  return (
    <details className="ask-agent" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Ask an agent</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim() !== "") act.run();
        }}
      >
        <p className="soft" id={`${id}-help`}>
          It reads your notes, works out claims with their evidence, and asks you where it must. What it would
          change waits for your approval.
        </p>
        <label htmlFor={id}>Question</label>
        <textarea
          ref={box}
          id={id}
          dir="auto"
          rows={3}
          maxLength={30_000}
          aria-describedby={`${id}-help`}
          value={question}
          readOnly={act.busy}
          onChange={(event) => write(DRAFT, event.target.value)}
        />
        <NotePicker />
        <p className="deeds">
          <button type="submit" className="main" disabled={question.trim() === "" || act.busy}>
            {act.busy ? "Asking" : "Ask"}
          </button>
        </p>
        {act.problem && (
          <ProblemNote problem={act.problem} saved="Your question is kept here." again={act.run} />
        )}
      </form>
    </details>
  );
}
