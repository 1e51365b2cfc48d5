import { memo, useState } from "react";
import { researching, type Note, type Piece } from "../api/note";
import { KindMark } from "../parts/KindMark";
import { FewTags } from "../parts/Tags";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { Age } from "../words/Age";
import { fromBin } from "./bin";
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
        {!made && <KindMark kind={note.kind} />}
        <Age at={note.created_at} />
        <State note={note} />
        {note.deleted_at === null ? (
          <FewTags tags={note.tags} beside={(made ? 0 : mark(note)) + stateOf(note).length} />
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

function State({ note }: { note: Note }) {
  const words = stateOf(note);
  if (words === "") return null;
  if (researching(note)) return <span className="state busy">{words}</span>;
  if (note.enrichment.status === "pending") return <span className="state">{words}</span>;
  return (
    <span className={note.research.status === "failed" ? "state ended bad" : "state ended"}>{words}</span>
  );
}

/** What goes on with a note, or how it ended where it brought nothing. */
function stateOf(note: Note): string {
  if (note.deleted_at !== null) return "";
  if (researching(note)) return "researching";
  if (note.enrichment.status === "pending") return "being read";
  const { status } = note.research;
  return status === "failed" || status === "cancelled" ? `research ${status}` : "";
}

/** Letters that the mark of the kind takes in the foot. */
const mark = ({ kind }: Note) => (kind === "link" ? 6 : 0);

function Restore({ note }: { note: Note }) {
  const { busy, problem, run } = useAct(() => fromBin(note));
  return (
    <button type="button" className="small" disabled={busy} onClick={run}>
      {problem ? "Restore: try again" : "Restore"}
    </button>
  );
}
