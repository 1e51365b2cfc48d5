import { memo } from "react";
import { researching, type Note } from "../api/note";
import { KindMark } from "../parts/KindMark";
import { Tags } from "../parts/Tags";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { Age } from "../words/Age";
import { fromBin } from "./bin";
import { beginning, headline } from "./preview";

interface Props {
  note: Note;
  open: boolean;
  isNew: boolean;
}

/** One note in the feed. Every row is the same height, so news never moves its neighbours. */
export const Row = memo(function Row({ note, open, isNew }: Props) {
  const text = beginning(note);
  return (
    <li
      className="row"
      data-bare={text === "" || undefined}
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
          {isNew && <span className="unseen">Unread report: </span>}
          {headline(note)}
        </span>
        <span className="row-text" dir="auto">
          {text}
        </span>
      </Go>
      <div className="row-foot">
        <KindMark kind={note.kind} />
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
  if (note.research.status === "failed") return <span className="state bad">research failed</span>;
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
