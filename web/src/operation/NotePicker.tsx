import { useId, useRef, useState } from "react";
import type { Note } from "../api/note";
import { listNotes } from "../api/server";
import { headline } from "../feed/preview";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useSignal } from "../state/signal";
import { usePolled } from "../state/usePolled";
import { drop, MOST, pick, picked, type Pick } from "./asking";

const SHOWN = 6;

/** The notes that a question is about: searched for, added, taken off again, by keyboard too. */
export function NotePicker() {
  const picks = useSignal(picked);
  const [text, setText] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const wanted = text.trim();
  const { data, problem, reload } = usePolled(
    `pick ${wanted}`,
    async () => (wanted === "" ? [] : (await listNotes(searched(wanted), null, SHOWN + MOST)).notes),
    () => null,
  );
  const hits = data?.filter((note) => !picks.some((one) => one.id === note.id)).slice(0, SHOWN);

  const add = (note: Note) => {
    pick(note);
    announce(`Picked: ${headline(note)}`);
    setText("");
    box.current?.focus();
  };
  const leaveOut = (one: Pick) => {
    drop(one.id);
    announce(`Left out: ${one.title}`);
    box.current?.focus();
  };
  const last = picks.at(-1);
  return (
    <div className="picker">
      <label htmlFor={id}>Notes it shall read (without any, it looks for some itself)</label>
      {picks.length > 0 && (
        <ul className="picked" aria-label="Notes it shall read">
          {picks.map((one) => (
            <li key={one.id}>
              <span dir="auto">{one.title}</span>
              <button
                type="button"
                className="plain small"
                aria-label={`Leave out: ${one.title}`}
                onClick={() => leaveOut(one)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={box}
        id={id}
        type="search"
        dir="auto"
        placeholder={picks.length < MOST ? "Find notes to pick" : `It takes ${MOST} notes, and has them`}
        readOnly={picks.length >= MOST}
        aria-describedby={`${id}-keys`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            // It picks; it never asks the question.
            event.preventDefault();
            if (hits?.[0]) add(hits[0]);
          }
          if (event.key === "Backspace" && text === "" && last) {
            event.preventDefault();
            leaveOut(last);
          }
        }}
      />
      <p className="unseen" id={`${id}-keys`}>
        Enter picks the first note found; Backspace in the empty field leaves out the last one picked.
      </p>
      {problem && <ProblemNote problem={problem} again={reload} />}
      {wanted !== "" && !problem && <Hits hits={hits} pick={add} />}
    </div>
  );
}

function searched(text: string) {
  return { text, tags: [], kind: null, bin: false };
}

function Hits({ hits, pick }: { hits: Note[] | undefined; pick: (note: Note) => void }) {
  if (!hits) return <p className="soft">Looking…</p>;
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
