import type { Citation } from "../api/note";
import { noteIn, host, safeLink } from "../markdown/links";
import { Go } from "../route/Go";
import { useHere } from "../route/here";

/** The small number in the text: opens its source beside the report. */
export function CiteLink({ citation }: { citation: Citation }) {
  const from = useHere();
  const open = from.cite === citation.number;
  return (
    <Go
      address={{ ...from, cite: open ? null : citation.number }}
      replace={from.cite !== null}
      onClick={({ currentTarget }) => keepInSight(currentTarget)}
      className="cite"
      data-cite={citation.number}
      aria-label={`Source ${citation.number}: ${citation.title || "a note"}`}
      aria-expanded={open}
      role="button"
      title={citation.title}
    >
      {citation.number}
    </Go>
  );
}

/** Below the widest layout the source is a sheet from below: what it is about must not lie under it. */
function keepInSight(link: HTMLElement): void {
  if (window.matchMedia("(min-width: 72rem)").matches) return;
  requestAnimationFrame(() => link.scrollIntoView({ block: "start" }));
}

/** Whose page it is: "from your notes", or the host. */
export function provenance(citation: Citation): string {
  return noteOf(citation) !== null ? "your note" : host(citation.url);
}

export function noteOf(citation: Citation): string | null {
  return citation.source_kind === "note" ? (citation.note_id ?? noteIn(citation.url)) : null;
}

/** All sources, numbered as in the text. */
export function Sources({ citations }: { citations: Citation[] }) {
  const from = useHere();
  if (citations.length === 0) return null;
  return (
    <section className="sources">
      <h2>Sources</h2>
      <ol>
        {citations.map((citation) => (
          <li key={citation.number} value={citation.number}>
            <Go
              address={{ ...from, cite: citation.number }}
              replace={from.cite !== null}
              data-cite={citation.number}
              dir="auto"
            >
              {citation.title ||
                (noteOf(citation) === null ? safeLink(citation.url) : "A note") ||
                "Untitled"}
            </Go>{" "}
            <span className="soft">{provenance(citation)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
