import { useEffect } from "react";
import type { Wanted } from "../api/server";
import { KIND_MEANING } from "../parts/KindMark";
import { ProblemNote } from "../parts/ProblemNote";
import { UndoLine } from "../parts/UndoLine";
import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useSignal } from "../state/signal";
import { FirstTime } from "./FirstTime";
import { feed } from "./feed";
import { readNotes, unread } from "./read";
import { Row } from "./Row";
import { Search } from "./Search";
import { everything, wantedFrom } from "./wanted";

/** Everything that was captured, newest first. */
export function FeedPane() {
  const { q, kind, bin, room } = useHere();
  const { notes, ready, problem, cursor, more, wanted } = useSignal(feed);
  const read = useSignal(readNotes);

  useEffect(() => feed.want(wantedFrom({ q, kind, bin })), [q, kind, bin]);

  const openId = room.at === "note" ? room.id : null;
  const all = everything(wanted);
  return (
    <>
      <h1 className="unseen">{bin ? "Bin" : "Notes"}</h1>
      <Search key={bin ? "bin" : "notes"} />
      {bin && (
        <p className="bin-head">
          <strong>Bin.</strong> Kept for 30 days. <Go address={{ ...HOME, room }}>Back to the notes</Go>
        </p>
      )}
      {room.at !== "tasks" && <UndoLine />}
      {problem && problem.status !== 0 && problem.status !== 401 && (
        <ProblemNote
          problem={problem}
          saved={ready ? "What you see is from before." : "Your notes are safe."}
          again={() => feed.look()}
        />
      )}
      {ready && notes.length === 0 && (all ? <FirstTime /> : <p className="nothing">{nothing(wanted)}</p>)}
      {!ready && !problem && <p className="nothing">Fetching your notes…</p>}
      <ul className="rows" aria-label={bin ? "Bin" : "Notes"}>
        {notes.map((note) => (
          <Row key={note.id} note={note} open={note.id === openId} isNew={unread(note, read)} />
        ))}
      </ul>
      {ready && cursor !== null && (
        <p className="more">
          <button type="button" disabled={more} onClick={() => void feed.more()}>
            {more ? "Fetching older notes…" : "Older notes"}
          </button>
        </p>
      )}
    </>
  );
}

function nothing({ text, tags, kind, bin }: Wanted): string {
  if (text !== "" || tags.length > 0) {
    return bin
      ? "Nothing found in the bin. It is searched by title and first lines."
      : "Nothing found. Try fewer words, or another kind.";
  }
  if (kind !== null) return bin ? "Nothing of this kind is in the bin." : KIND_MEANING[kind];
  return "The bin is empty.";
}
