import { useEffect, useId, useRef, useState } from "react";
import type { Note } from "../api/note";
import { Problem } from "../api/problem";
import { editNote, getNote } from "../api/server";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { shelf } from "../state/kept";
import { Conflict } from "./Conflict";
import { begin, changed, changes, collides, keepEdit, loadEdit, onto, type Edit } from "./edit";

const MOST_TRIES = 3;

interface Props {
  note: Note;
  /** The saved note, or null when the edit was given up. */
  done: (saved: Note | null) => void;
}

/** Title, text and tags in place. Nothing is overwritten: a newer version is shown as a choice. */
export function NoteEditor({ note, done }: Props) {
  const [edit, setEdit] = useState<Edit>(() => loadEdit(shelf(), note.id) ?? begin(note));
  const [theirs, setTheirs] = useState<Note | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const body = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  useEffect(() => body.current?.focus({ preventScroll: true }), []);

  // The note may change meanwhile, by enrichment or elsewhere: what was not touched here follows.
  useEffect(() => {
    setEdit((now) => (note.revision > now.revision && !collides(now, note) ? onto(now, note) : now));
  }, [note]);

  const write = (next: Edit) => {
    setEdit(next);
    keepEdit(shelf(), note.id, changed(next) ? next : null);
  };

  const finish = (saved: Note | null) => {
    keepEdit(shelf(), note.id, null);
    done(saved);
  };

  /** Saves; where the note is newer than the edit, on top of it if they don't collide. */
  const attempt = async (wanted: Edit): Promise<Note | "collision" | null> => {
    for (let tries = 0; ; tries += 1) {
      if (!changed(wanted)) return null;
      try {
        return await editNote(note.id, changes(wanted), wanted.revision);
      } catch (error) {
        const found = Problem.from(error);
        if ((found.status !== 409 && found.status !== 412) || tries === MOST_TRIES) throw error;
        const { note: newer } = await getNote(note.id);
        if (newer.revision === wanted.revision) throw error;
        if (collides(wanted, newer)) {
          setTheirs(newer);
          return "collision";
        }
        wanted = onto(wanted, newer);
      }
    }
  };

  const save = async (wanted: Edit) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      const saved = await attempt(wanted);
      if (saved === "collision") announce("The note was changed elsewhere. Choose a version.");
      else {
        announce("Saved.");
        finish(saved);
      }
    } catch (error) {
      setProblem(Problem.from(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  if (theirs) {
    return (
      <Conflict
        mine={edit}
        theirs={theirs}
        busy={busy}
        problem={problem}
        keepMine={() => void save(onto(edit, theirs))}
        takeTheirs={() => finish(theirs)}
        goOn={() => {
          write(onto(edit, theirs));
          setTheirs(null);
        }}
      />
    );
  }

  return (
    <form
      className="editor"
      aria-label="Edit note"
      onSubmit={(event) => {
        event.preventDefault();
        void save(edit);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void save(edit);
        }
        if (event.key === "Escape" && !changed(edit)) {
          event.preventDefault();
          event.stopPropagation();
          finish(null);
        }
      }}
    >
      <h1 className="unseen">Edit note</h1>
      <label className="unseen" htmlFor={`${id}-title`}>
        Title
      </label>
      <input
        id={`${id}-title`}
        className="editor-title"
        dir="auto"
        placeholder="Title"
        value={edit.title}
        readOnly={busy}
        onChange={(event) => write({ ...edit, title: event.target.value })}
      />
      <label className="unseen" htmlFor={`${id}-body`}>
        Text, in Markdown
      </label>
      <textarea
        ref={body}
        id={`${id}-body`}
        className="editor-body"
        dir="auto"
        value={edit.body}
        readOnly={busy}
        onChange={(event) => write({ ...edit, body: event.target.value })}
      />
      <label className="unseen" htmlFor={`${id}-tags`}>
        Tags
      </label>
      <input
        id={`${id}-tags`}
        placeholder="Tags"
        autoCapitalize="none"
        value={edit.tags}
        readOnly={busy}
        onChange={(event) => write({ ...edit, tags: event.target.value })}
      />
      {problem && <ProblemNote problem={problem} saved="Your edit is kept here." />}
      <p className="deeds">
        <button type="submit" className="main" disabled={busy} title="Ctrl+Enter">
          {busy ? "Saving" : "Save"}
        </button>
        <button type="button" disabled={busy} onClick={() => finish(null)}>
          {changed(edit) ? "Discard the edit" : "Cancel"}
        </button>
      </p>
    </form>
  );
}
