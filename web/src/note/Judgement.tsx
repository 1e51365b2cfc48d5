import { useId, useState } from "react";
import type { Note, Thesis } from "../api/note";
import { Problem } from "../api/problem";
import { editNote } from "../api/server";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { judged, type Judging } from "./thesis";

interface Props {
  note: Note;
  thesis: Thesis;
  /** Each status in words. */
  words: Record<Thesis["status"], string>;
  saved: (note: Note) => void;
  reload: () => void;
}

/** A person's word on a thesis: its status and how sure one is. */
export function Judgement({ note, thesis, words, saved, reload }: Props) {
  const [judging, setJudging] = useState<Judging>({});
  const id = useId();
  const wanted = judged(thesis, judging);
  const touched = wanted === null || Object.keys(wanted ?? {}).length > 0;
  const save = useAct(async () => {
    if (!wanted) return;
    try {
      const after = await editNote(note.id, { thesis: wanted }, note.revision);
      setJudging({});
      announce("Saved.");
      saved(after);
    } catch (error) {
      // Somebody was faster: what is typed here stays, and the next try is about the note as it is then.
      if (Problem.from(error).status === 409) reload();
      throw error;
    }
  });
  return (
    <form
      className="judgement"
      aria-label="Judge the thesis"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted && touched) save.run();
      }}
    >
      <label htmlFor={`${id}-status`}>Status</label>
      <select
        id={`${id}-status`}
        value={judging.status ?? thesis.status}
        disabled={save.busy}
        onChange={(event) => setJudging({ ...judging, status: event.target.value as Thesis["status"] })}
      >
        {Object.entries(words).map(([status, said]) => (
          <option key={status} value={status}>
            {said}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-confidence`}>Confidence, 0 to 100</label>
      <input
        id={`${id}-confidence`}
        inputMode="numeric"
        placeholder="not judged"
        readOnly={save.busy}
        aria-invalid={wanted === null || undefined}
        aria-describedby={wanted === null ? `${id}-wrong` : undefined}
        value={judging.confidence ?? (thesis.confidence === null ? "" : String(thesis.confidence))}
        onChange={(event) => setJudging({ ...judging, confidence: event.target.value })}
      />
      {wanted === null && (
        <p id={`${id}-wrong`} className="soft">
          Type a whole number from 0 to 100, or leave it empty where you have not judged.
        </p>
      )}
      {touched && (
        <p className="deeds">
          <button type="submit" className="main" disabled={wanted === null || save.busy}>
            {save.busy ? "Saving" : "Save"}
          </button>
          <button type="button" disabled={save.busy} onClick={() => setJudging({})}>
            Cancel
          </button>
        </p>
      )}
      {save.problem && (
        <ProblemNote problem={save.problem} saved="Your judgement is kept here." again={save.run} />
      )}
    </form>
  );
}
