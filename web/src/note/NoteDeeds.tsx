import { useState } from "react";
import { researching, type Note } from "../api/note";
import type { Problem } from "../api/problem";
import { enrichNote, researchNote } from "../api/server";
import { usePrice } from "../capture/usePrice";
import { toBin } from "../feed/bin";
import { feed } from "../feed/feed";
import { askAbout } from "../operation/asking";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { useMedia, WIDE } from "../state/useMedia";

interface Props {
  note: Note;
  edit: () => void;
  reload: () => void;
}

/** What can be done with a note. */
export function NoteDeeds({ note, edit, reload }: Props) {
  const cost = usePrice();
  const looked = () => {
    reload();
    feed.look();
  };
  const research = useAct(async () => {
    await researchNote(note.id);
    announce("Research started.");
    work.look();
    looked();
  }, `research ${note.id}`);
  const enrich = useAct(async () => {
    await enrichNote(note.id);
    announce("The note is being read again.");
    looked();
  }, `enrich ${note.id}`);
  const remove = useAct(async () => {
    await toBin(note);
    reload();
  }, `bin ${note.id}`);
  const wide = useMedia(WIDE);
  const [more, setMore] = useState(false);
  const researchable = (note.kind === "capture" || note.kind === "link") && !researching(note);
  // On a narrow screen all of them take two rows above the title.
  const folds = !wide && researchable;
  const [asking, setAsking] = useState(false);
  const start = () => {
    setAsking(false);
    research.run();
  };
  return (
    <div className="note-deeds">
      <p className="deeds">
        <button type="button" className="plain small" data-edit onClick={edit}>
          Edit
        </button>
        {researchable && cost && (
          <button
            type="button"
            className="plain small"
            disabled={research.busy}
            title={cost.words}
            onClick={cost.free ? start : () => setAsking(true)}
          >
            Research this
          </button>
        )}
        <button type="button" className="plain small" onClick={() => askAbout(note)}>
          Ask about this note
        </button>
        {folds && (
          <button type="button" className="plain small" aria-expanded={more} onClick={() => setMore(!more)}>
            More<span className="unseen"> for this note</span>
          </button>
        )}
        {(!folds || more) && (
          <>
            <button
              type="button"
              className="plain small"
              disabled={enrich.busy || note.enrichment.status === "pending"}
              title="Fill in what is missing of title, summary, tags and tasks"
              onClick={enrich.run}
            >
              Enrich again
            </button>
            <button type="button" className="plain small" disabled={remove.busy} onClick={remove.run}>
              Delete
            </button>
          </>
        )}
      </p>
      {asking && cost && (
        <p className="price">
          <span>Price: {cost.words}.</span>
          <button type="button" autoFocus onClick={() => setAsking(false)}>
            Not now
          </button>
          <button type="button" onClick={start}>
            Start research
          </button>
        </p>
      )}
      {research.problem && <Refused problem={research.problem} note={note} dismiss={research.dismiss} />}
      {enrich.problem && <ProblemNote problem={enrich.problem} again={enrich.run} dismiss={enrich.dismiss} />}
      {remove.problem && (
        <ProblemNote problem={remove.problem} still="The note is still here." again={remove.run} />
      )}
    </div>
  );
}

/** Research that did not start, with the way on. */
function Refused({ problem, note, dismiss }: { problem: Problem; note: Note; dismiss: () => void }) {
  const running = problem.code === "already_running" ? note.research.operation_id : null;
  return (
    <>
      <ProblemNote problem={problem} still="Nothing was spent." dismiss={dismiss} />
      {running && (
        <p>
          <Go room={{ at: "operation", id: running }}>See what runs</Go>
        </p>
      )}
    </>
  );
}
