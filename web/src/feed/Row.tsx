import { memo, useState } from "react";
import { researching, type Note } from "../api/note";
import { KindMark } from "../parts/KindMark";
import { Tags } from "../parts/Tags";
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
          {shown.head}
        </span>
        <span className="row-text" dir="auto">
          {shown.text}
        </span>
      </Go>
      <div className="row-foot">
        {!made && <KindMark kind={note.kind} />}
        <Age at={note.created_at} />
        <State note={note} />
        {note.deleted_at === null ? <Tags tags={note.tags} /> : <Restore note={note} />}
      </div>
    </li>
  );
});

function State({ note }: { note: Note }) {
  if (note.deleted_at !== null) return null;
  if (researching(note)) return <span className="state busy">researching</span>;
  if (note.enrichment.status === "pending") return <span className="state">being read</span>;
  const { status } = note.research;
  if (status === "failed") return <span className="state ended bad">research failed</span>;
  if (status === "cancelled") return <span className="state ended">research cancelled</span>;
  return null;
}

function Restore({ note }: { note: Note }) {
  const { busy, problem, run } = useAct(() => fromBin(note));
  return (
    <button type="button" className="small" disabled={busy} onClick={run}>
      {problem ? "Restore: try again" : "Restore"}
    </button>
  );
}
