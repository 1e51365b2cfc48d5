import type { Note } from "../api/note";
import { researching } from "../api/note";
import { host, safeLink } from "../markdown/links";
import { Go } from "../route/Go";

/** Where the note came from and what came of it: page, source note, report, running research. */
export function Provenance({ note }: { note: Note }) {
  const url = note.url ? safeLink(note.url) : null;
  const { status, operation_id, error } = note.research;
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
        <p className="state busy">
          {operation_id ? (
            <>
              Research is under way. <Go room={{ at: "operation", id: operation_id }}>See what it does</Go>
            </>
          ) : (
            "Research is about to start."
          )}
        </p>
      )}
      {status === "completed" && operation_id && (
        <p>
          Came back as <Go room={{ at: "note", id: operation_id }}>a report</Go>
        </p>
      )}
      {status === "failed" && (
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
