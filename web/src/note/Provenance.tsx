import type { Note } from "../api/note";
import { researching } from "../api/note";
import { host, safeLink } from "../markdown/links";
import { useEnding } from "../feed/endings";
import { CancelRun } from "../operation/CancelRun";
import { Go } from "../route/Go";

/** Where the note came from and what came of it: page, source note, report, running research. */
export function Provenance({ note, reload }: { note: Note; reload: () => void }) {
  const url = note.url ? safeLink(note.url) : null;
  const { status, operation_id, error, requested } = note.research;
  const ending = useEnding(note);
  // While a new run is only asked for, the id is that of the run before.
  const running = requested ? null : operation_id;
  return (
    <div className="provenance">
      {url && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow">
            {host(url)} ↗
          </a>
        </p>
      )}
      {note.source_note_id && (
        <p>
          Answers <Go room={{ at: "note", id: note.source_note_id }}>the note it began with</Go>
        </p>
      )}
      {researching(note) && (
        <div className="under-way">
          <p className="state busy">
            {running ? (
              <>
                Research is under way. <Go room={{ at: "operation", id: running }}>See what it does</Go>
              </>
            ) : (
              "Research is about to start."
            )}
          </p>
          {running && <CancelRun small id={running} what="research on this note" changed={reload} />}
        </div>
      )}
      {status === "completed" && operation_id && (
        <p>
          Came back as <Go room={{ at: "note", id: operation_id }}>a report</Go>
        </p>
      )}
      {status === "failed" && ending === "nothing" && (
        <p>
          <span className="state">No answer found.</span> {error}{" "}
          {operation_id && <Go room={{ at: "operation", id: operation_id }}>What happened</Go>}
        </p>
      )}
      {status === "failed" && ending === "failed" && (
        <p className="state bad">
          Research failed{error ? `: ${error}` : "."}{" "}
          {operation_id && <Go room={{ at: "operation", id: operation_id }}>What happened</Go>}
        </p>
      )}
      {status === "cancelled" && operation_id && (
        <p className="soft">
          Research was cancelled. <Go room={{ at: "operation", id: operation_id }}>What it had done</Go>
        </p>
      )}
      {note.enrichment.status === "failed" && (
        <p className="state bad">
          Title, summary and tags could not be made
          {note.enrichment.error ? `: ${note.enrichment.error}` : "."} The note itself is safe.
        </p>
      )}
    </div>
  );
}
