import { memo, useState } from "react";
import { researching, type Note, type Piece } from "../api/note";
import { KindMark } from "../parts/KindMark";
import { FewTags } from "../parts/Tags";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { Age } from "../words/Age";
import { fromBin } from "./bin";
import { useEnding, type Ending } from "./endings";
import { reshape, shape } from "./shape";

interface Props {
  note: Note;
  open: boolean;
  isNew: boolean;
}

/** One note in the feed. What enrichment brings changes the row and moves no neighbour. */
export const Row = memo(function Row({ note, open, isNew }: Props) {
  const [seen, setSeen] = useState({ note, shown: shape(note) });
  const shown = seen.note === note ? seen.shown : reshape(seen.shown, seen.note, note);
  if (seen.note !== note) setSeen({ note, shown });
  // What Memex wrote itself says so first: a report often has the title of its question.
  const made = note.kind !== "capture" && note.kind !== "link";
  const asked = isQuestion(note);
  // The tag that asked for the report says no more than what stands beside it.
  const tags = asked ? note.tags.filter((tag) => tag !== RESEARCH) : note.tags;
  const state = stateOf(note, useEnding(note));
  return (
    <li
      className="row"
      data-found={shown.found !== null || undefined}
      data-bare={shown.text === "" || undefined}
      data-roomy={shown.roomy || undefined}
      data-open={open || undefined}
      data-new={isNew || undefined}
    >
      <Go
        room={{ at: "note", id: note.id }}
        className="row-link"
        data-row={note.id}
        aria-current={open ? "true" : undefined}
      >
        <span className="row-title" dir="auto">
          {isNew && <span className="unseen">Unread </span>}
          {made && (
            <>
              <KindMark kind={note.kind} />{" "}
            </>
          )}
          {shown.found ? <Pieces of={shown.found.head} /> : shown.head}
        </span>
        <span className="row-text" dir="auto">
          {shown.found ? <Pieces of={shown.found.text} /> : shown.text}
        </span>
      </Go>
      <div className="row-foot">
        {asked ? <span className="kind question">{QUESTION}</span> : !made && <KindMark kind={note.kind} />}
        <Age at={note.created_at} />
        {state && <span className={`state ${state.tone}`}>{state.words}</span>}
        {note.deleted_at === null ? (
          <FewTags tags={tags} beside={(made ? 0 : mark(note)) + (state?.words.length ?? 0)} />
        ) : (
          <Restore note={note} />
        )}
      </div>
    </li>
  );
});

/** Plain text, the words that were searched for marked. */
function Pieces({ of }: { of: Piece[] }) {
  return of.map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : text));
}

interface State {
  words: string;
  tone: "" | "busy" | "ended" | "ended bad";
}

/** What goes on with a note, or how it ended where it brought nothing; and of a question, that a report answers it. */
function stateOf(note: Note, ending: Ending | undefined): State | null {
  if (note.deleted_at !== null) return null;
  if (researching(note)) return { words: "researching", tone: "busy" };
  if (note.enrichment.status === "pending") return { words: "being read", tone: "" };
  const { status } = note.research;
  if (status === "completed") return { words: "answered", tone: "ended" };
  if (status === "cancelled") return { words: "research cancelled", tone: "ended" };
  if (status !== "failed") return null;
  if (ending === undefined) return { words: "no report", tone: "ended" };
  return ending === "nothing"
    ? { words: "no answer found", tone: "ended" }
    : { words: "research failed", tone: "ended bad" };
}

const QUESTION = "Question";
const RESEARCH = "research";

/** A note that was researched: its report often has the same title. */
function isQuestion({ kind, research }: Note): boolean {
  return kind === "capture" && (research.status !== null || research.requested);
}

/** Letters that the mark of the kind takes in the foot. */
const mark = (note: Note) => (isQuestion(note) ? QUESTION.length + 2 : note.kind === "link" ? 6 : 0);

function Restore({ note }: { note: Note }) {
  const { busy, problem, run } = useAct(() => fromBin(note), `restore ${note.id}`);
  return (
    <button type="button" className="small" disabled={busy} onClick={run}>
      {problem ? "Restore: try again" : "Restore"}
    </button>
  );
}
