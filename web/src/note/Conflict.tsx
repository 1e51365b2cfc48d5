import { useEffect, useRef } from "react";
import type { Note } from "../api/note";
import type { Problem } from "../api/problem";
import { ProblemNote } from "../parts/ProblemNote";
import { Age } from "../words/Age";
import type { Edit } from "./edit";

interface Props {
  mine: Edit;
  theirs: Note;
  busy: boolean;
  problem: Problem | null;
  keepMine: () => void;
  takeTheirs: () => void;
  goOn: () => void;
}

/** Two versions of one note, side by side. The safe choice, editing on, has the focus. */
export function Conflict({ mine, theirs, busy, problem, keepMine, takeTheirs, goOn }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!busy) safe.current?.focus();
  }, [busy]);
  return (
    <section className="conflict" aria-label="Two versions">
      <h1>This note was changed elsewhere while you edited</h1>
      <p className="soft">Nothing is overwritten until you choose.</p>
      <div className="versions">
        <Version head={<>Yours</>} title={mine.title} body={mine.body} tags={mine.tags} />
        <Version
          head={
            <>
              Saved <Age at={theirs.updated_at} />
            </>
          }
          title={theirs.title ?? ""}
          body={theirs.body}
          tags={theirs.tags.join(" ")}
        />
      </div>
      {problem && <ProblemNote problem={problem} saved="Your edit is kept here." />}
      <p className="deeds">
        <button ref={safe} type="button" disabled={busy} onClick={goOn}>
          Go on editing mine
        </button>
        <button type="button" disabled={busy} onClick={keepMine}>
          Save mine over it
        </button>
        <button type="button" disabled={busy} onClick={takeTheirs}>
          Take the other
        </button>
      </p>
    </section>
  );
}

function Version({
  head,
  title,
  body,
  tags,
}: {
  head: React.ReactNode;
  title: string;
  body: string;
  tags: string;
}) {
  return (
    <div className="version">
      <h2>{head}</h2>
      <p dir="auto">
        <strong>{title || "No title"}</strong>
      </p>
      <pre className="raw" dir="auto" tabIndex={0}>
        {body}
      </pre>
      {tags && <p className="soft">{tags}</p>}
    </div>
  );
}
