import { useEffect, useId, useRef, useState } from "react";
import type { Note } from "../api/note";
import { Problem } from "../api/problem";
import { editNote, getNote } from "../api/server";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { shelf } from "../state/kept";
import { Conflict } from "./Conflict";
import { begin, changed, changes, keepEdit, loadEdit, type Edit } from "./edit";

interface Props {
  note: Note;
  /** The saved note, or null when the edit was given up. */
  done: (saved: Note | null) => void;
}

/** Title, text and tags in place. Nothing is overwritten: a newer version is shown as a choice. */
export function NoteEditor({ note, done }: Props) {
  // The note may change by itself meanwhile; the edit is against the version it began with.
  const [base, setBase] = useState(note);
  const [edit, setEdit] = useState<Edit>(() => loadEdit(shelf(), note.id) ?? begin(note));
  const [theirs, setTheirs] = useState<Note | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const body = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  useEffect(() => body.current?.focus({ preventScroll: true }), []);

  const write = (next: Edit) => {
    setEdit(next);
    keepEdit(shelf(), note.id, changed(next, base) ? next : null);
  };

  const finish = (saved: Note | null) => {
    keepEdit(shelf(), note.id, null);
    done(saved);
  };

  const save = async (revision: number, against: Note) => {
    if (running.current) return;
    const difference = changes(edit, against);
    if (Object.keys(difference).length === 0) {
      finish(null);
      return;
    }
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      finish(await editNote(note.id, difference, revision));
      announce("Saved.");
    } catch (error) {
      const found = Problem.from(error);
      if (found.status === 409 || found.status === 412) await disagree(found);
      else setProblem(found);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  const disagree = async (cause: Problem) => {
    try {
      const { note: newer } = await getNote(note.id);
      if (newer.revision === edit.revision) setProblem(cause);
      else if (!changed(edit, newer)) finish(newer);
      else {
        setTheirs(newer);
        announce("The note was changed elsewhere. Choose a version.");
      }
    } catch {
      setProblem(cause);
    }
  };

  if (theirs) {
    return (
      <Conflict
        mine={edit}
        theirs={theirs}
        busy={busy}
        problem={problem}
        keepMine={() => void save(theirs.revision, theirs)}
        takeTheirs={() => finish(theirs)}
        goOn={() => {
          setBase(theirs);
          write({ ...edit, revision: theirs.revision });
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
        void save(edit.revision, base);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void save(edit.revision, base);
        }
        if (event.key === "Escape" && !changed(edit, base)) {
          event.preventDefault();
          event.stopPropagation();
          finish(null);
        }
      }}
    >
      <label className="unseen" htmlFor={`${id}-title`}>
        Title
      </label>
      <input
        id={`${id}-title`}
        className="editor-title"
        dir="auto"
        placeholder="Title"
        value={edit.title}
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
        onChange={(event) => write({ ...edit, tags: event.target.value })}
      />
      {problem && <ProblemNote problem={problem} saved="Your edit is kept here." />}
      <p className="deeds">
        <button type="submit" className="main" disabled={busy} title="Ctrl+Enter">
          {busy ? "Saving" : "Save"}
        </button>
        <button type="button" disabled={busy} onClick={() => finish(null)}>
          {changed(edit, base) ? "Discard the edit" : "Cancel"}
        </button>
      </p>
    </form>
  );
}
