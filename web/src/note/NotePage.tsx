import { useCallback, useEffect, useMemo, useState } from "react";
import { pending, type Note } from "../api/note";
import { getNote } from "../api/server";
import { fromBin } from "../feed/bin";
import { feed } from "../feed/feed";
import { headline } from "../feed/preview";
import { markRead } from "../feed/read";
import { CiteContext } from "../markdown/CiteContext";
import { Text } from "../markdown/Text";
import { Heading } from "../parts/Heading";
import { KindMark } from "../parts/KindMark";
import { ProblemNote } from "../parts/ProblemNote";
import { WaysOn } from "../parts/WaysOn";
import { Tags } from "../parts/Tags";
import { back, here, useHere } from "../route/here";
import { shelf } from "../state/kept";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { tasks } from "../tasks/tasks";
import { Age } from "../words/Age";
import { changed, loadEdit } from "./edit";
import { NoteDeeds } from "./NoteDeeds";
import { NoteEditor } from "./NoteEditor";
import { Provenance } from "./Provenance";
import { SourcePanel } from "./SourcePanel";
import { CiteLink, Sources } from "./Sources";
import { Tasks } from "./Tasks";
import { sourcesOf } from "./thesis";
import { ThesisView } from "./ThesisView";
import { Trace } from "./Trace";

/** One note: its text, where it came from, what can be done with it. */
export function NotePage({ id }: { id: string }) {
  const { cite } = useHere();
  const { data, problem, reload, put } = usePolled(
    `note ${id}`,
    () => getNote(id),
    (value) => (value && pending(value.note) ? 2_000 : 20_000),
  );
  const [editing, setEditing] = useState(false);
  const note = data?.note;
  useTitle(note ? headline(note) : "Note");

  useEffect(() => {
    if (note) markRead(note);
  }, [note]);

  // The feed may know first that something changed.
  const row = useSignal(feed).notes.find((one) => one.id === id);
  const stale = note !== undefined && row !== undefined && row.revision > note.revision;
  useEffect(() => {
    if (stale) reload();
  }, [stale, row?.revision, reload]);

  // An edit that a reload or a lost connection interrupted goes on where it was.
  useEffect(() => {
    if (!note) return;
    const kept = loadEdit(shelf(), note.id);
    if (kept && changed(kept)) setEditing(true);
    // Only when another note is shown: later versions of it don't open the editor.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [note?.id]);

  const close = useCallback(() => {
    const number = here.get().cite;
    back({ ...here.get(), cite: null });
    document.querySelector<HTMLElement>(`:is(.prose, .thesis) [data-cite="${number ?? 0}"]`)?.focus();
  }, []);

  if (!note) {
    return (
      <div className="page">
        <Heading>
          {problem ? (problem.status === 404 ? "No such note" : "Can’t be shown") : "Fetching…"}
        </Heading>
        {problem && <ProblemNote problem={problem} again={reload} />}
        {problem && <WaysOn />}
      </div>
    );
  }

  const sources = sourcesOf(note, titleOf);
  const open = editing ? undefined : sources.find(({ number }) => number === cite);
  const edited = (saved: Note | null) => {
    setEditing(false);
    if (saved) {
      put((now) => ({ ...now, note: saved }));
      feed.put(saved);
      // A box that was written or turned is a task.
      tasks.look();
    }
  };

  return (
    <div className="beside" data-open={open ? true : undefined}>
      <article className="page note" aria-busy={editing}>
        {note.deleted_at !== null && <InBin note={note} reload={reload} />}
        {problem && <ProblemNote problem={problem} saved="What you see is from before." again={reload} />}
        {editing ? (
          <NoteEditor key={note.id} note={note} done={edited} />
        ) : (
          <>
            <header>
              <div className="note-head">
                <p className="kicker">
                  <KindMark kind={note.kind} />
                  <Age at={note.created_at} />
                  {note.enrichment.status === "pending" && <span className="state">being read</span>}
                </p>
                {note.deleted_at === null && (
                  <NoteDeeds note={note} edit={() => setEditing(true)} reload={reload} />
                )}
              </div>
              <Heading>{headline(note)}</Heading>
              <Provenance note={note} reload={reload} />
            </header>
            {note.thesis && (
              <ThesisView
                key={note.id}
                note={note}
                thesis={note.thesis}
                sources={sources}
                saved={edited}
                reload={reload}
              />
            )}
            <Tasks note={note} reload={reload}>
              <Body note={note} />
              <Tags tags={note.tags} guessed={note.enrichment.tags} />
            </Tasks>
            <Sources citations={sources} />
            <Trace trace={data.trace} />
          </>
        )}
      </article>
      {open && <SourcePanel citation={open} close={close} />}
    </div>
  );
}

/** What a note of the feed is called; null for one that is not in it. */
function titleOf(id: string): string | null {
  const found = feed.get().notes.find((note) => note.id === id);
  return found ? headline(found) : null;
}

function Body({ note }: { note: Note }) {
  const draw = useMemo(() => {
    const known = new Map(note.citations.map((citation) => [citation.number, citation]));
    return function Number(number: number) {
      const citation = known.get(number);
      return citation ? <CiteLink citation={citation} /> : <span title="No such source">{number}</span>;
    };
  }, [note.citations]);
  return (
    <>
      {note.summary && note.kind !== "research" && (
        <p className="summary" dir="auto">
          {note.summary}
        </p>
      )}
      <CiteContext value={draw}>
        <Text text={note.body} title={headline(note)} cited={note.citations.length > 0} />
      </CiteContext>
    </>
  );
}

function InBin({ note, reload }: { note: Note; reload: () => void }) {
  const restore = useAct(async () => {
    await fromBin(note);
    reload();
  }, `restore ${note.id}`);
  return (
    <div className="in-bin">
      <p>This note is in the bin. After 30 days it is deleted for good.</p>
      <button type="button" disabled={restore.busy} onClick={restore.run}>
        Restore
      </button>
      {restore.problem && <ProblemNote problem={restore.problem} again={restore.run} />}
    </div>
  );
}
