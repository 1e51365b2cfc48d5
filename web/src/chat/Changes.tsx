import { undoStep } from "../api/chat";
import { feed } from "../feed/feed";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { tasks } from "../tasks/tasks";
import { changed, takenBack, type Change } from "./turns";
import { markUndone, nameOf, undone } from "./undone";

/** What a turn changed, each with its way back. */
export function Changes({ session, changes }: { session: string; changes: Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="changes" aria-label="Changes">
      {changes.map((change) => (
        <ChangeLine key={change.seq} session={session} change={change} />
      ))}
    </ul>
  );
}

function ChangeLine({ session, change }: { session: string; change: Change }) {
  const back = useSignal(undone).includes(nameOf(session, change.seq));
  const act = useAct(async () => {
    await undoStep(session, change.seq);
    markUndone(session, change.seq);
    announce(takenBack(change));
    feed.look();
    tasks.look();
  });
  return (
    <li>
      <p>
        {back ? takenBack(change) : changed(change)}
        {"note_id" in change.undo && (
          <>
            {" "}
            <Go room={{ at: "note", id: change.undo.note_id }}>See it</Go>
          </>
        )}
      </p>
      {!back && (
        <button
          type="button"
          className="small"
          disabled={act.busy}
          aria-label={`Undo: ${changed(change)}`}
          onClick={act.run}
        >
          {act.busy ? "Undoing" : "Undo"}
        </button>
      )}
      {act.problem && <ProblemNote problem={act.problem} saved="Nothing was undone." dismiss={act.dismiss} />}
    </li>
  );
}
