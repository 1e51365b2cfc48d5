import { useId, useState } from "react";
import type { Note } from "../api/note";
import { askAgent, listNotes } from "../api/server";
import { draftOf, write } from "../chat/draft";
import { headline } from "../feed/preview";
import { ProblemNote } from "../parts/ProblemNote";
import { to } from "../route/address";
import { go, here } from "../route/here";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { work } from "./work";

const DRAFT = "a question to an agent";
const MOST = 20;

/** A question that an agent works on by itself, with the notes that one picks for it. */
export function AskAgent() {
  const question = useSignal(draftOf(DRAFT));
  const [picked, setPicked] = useState<Note[]>([]);
  const id = useId();
  const act = useAct(async (key) => {
    const ids = picked.map((note) => note.id);
    const operation = await askAgent(draftOf(DRAFT).get().trim(), ids, key);
    write(DRAFT, "");
    work.look();
    go(to({ at: "operation", id: operation.id }, here.get()));
  });
  const drop = (note: Note) => setPicked(picked.filter((one) => one.id !== note.id));
  return (
    <details className="ask-agent" open={question !== "" || undefined}>
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
          id={id}
          dir="auto"
          rows={3}
          maxLength={30_000}
          aria-describedby={`${id}-help`}
          value={question}
          onChange={(event) => write(DRAFT, event.target.value)}
        />
        {picked.length > 0 && (
          <ul className="picked" aria-label="Notes it shall read">
            {picked.map((note) => (
              <li key={note.id}>
                <span dir="auto">{headline(note)}</span>
                <button
                  type="button"
                  className="plain small"
                  aria-label={`Leave out: ${headline(note)}`}
                  onClick={() => drop(note)}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        {picked.length < MOST && <Picker picked={picked} pick={(note) => setPicked([...picked, note])} />}
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

/** Finds notes to pick; without any, the agent looks for some itself. */
function Picker({ picked, pick }: { picked: Note[]; pick: (note: Note) => void }) {
  const [text, setText] = useState("");
  const id = useId();
  return (
    <div className="picker">
      <label htmlFor={id}>Notes it shall read (without any, it looks for some itself)</label>
      <input
        id={id}
        type="search"
        dir="auto"
        placeholder="Find notes to pick"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {text.trim() !== "" && (
        <Hits
          text={text.trim()}
          picked={picked}
          pick={(note) => {
            pick(note);
            setText("");
            document.getElementById(id)?.focus();
          }}
        />
      )}
    </div>
  );
}

const SHOWN = 6;

function Hits({ text, picked, pick }: { text: string; picked: Note[]; pick: (note: Note) => void }) {
  const { data, problem, reload } = usePolled(
    `pick ${text}`,
    () => listNotes({ text, tags: [], kind: null, bin: false }, null, SHOWN + MOST),
    () => null,
  );
  if (problem) return <ProblemNote problem={problem} again={reload} />;
  if (!data) return <p className="soft">Looking…</p>;
  const hits = data.notes.filter(({ id }) => !picked.some((one) => one.id === id)).slice(0, SHOWN);
  if (hits.length === 0) return <p className="soft">No note says that.</p>;
  return (
    <ul className="hits" aria-label="Notes found">
      {hits.map((note) => (
        <li key={note.id}>
          <button type="button" className="plain" dir="auto" onClick={() => pick(note)}>
            <span className="unseen">Pick: </span>
            {headline(note)}
          </button>
        </li>
      ))}
    </ul>
  );
}
