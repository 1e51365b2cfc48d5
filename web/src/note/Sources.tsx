import type { Citation } from "../api/note";
import { plain } from "../feed/preview";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { said, wordsBefore } from "./said";
import { nameOf, opens, provenance } from "./source";

/** The small number in the text: opens its source beside the report. */
export function CiteLink({ citation }: { citation: Citation }) {
  const from = useHere();
  const open = from.cite === citation.number;
  const { number } = citation;
  if (!opens(citation)) {
    return (
      <span className="cite" title={`${nameOf(citation)}, ${provenance(citation)}`}>
        <span className="unseen">Source </span>
        {number}
      </span>
    );
  }
  return (
    <Go
      address={{ ...from, cite: open ? null : number }}
      replace={from.cite !== null}
      onClick={(event) => {
        keepInSight(event.currentTarget);
        const link = event.currentTarget;
        const last = said.get();
        // The same source behind another sentence: it stays open, at that one's place.
        if (open && last?.number === number && last.link !== link) event.preventDefault();
        said.set({ number, link, words: wordsBefore(link) });
      }}
      className="cite"
      data-cite={number}
      aria-label={`Source ${number}: ${nameOf(citation)}`}
      aria-expanded={open}
      role="button"
      title={citation.title}
    >
      {number}
    </Go>
  );
}

/** Below the widest layout the source is a sheet from below: what it is about must not lie under it. */
function keepInSight(link: HTMLElement): void {
  if (window.matchMedia("(min-width: 72rem)").matches) return;
  requestAnimationFrame(() => link.scrollIntoView({ block: "start" }));
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
            {opens(citation) ? (
              <Go
                address={{ ...from, cite: citation.number }}
                replace={from.cite !== null}
                data-cite={citation.number}
                dir="auto"
              >
                {nameOf(citation)}
              </Go>
            ) : (
              <span dir="auto">{nameOf(citation)}</span>
            )}{" "}
            <span className="soft">{provenance(citation)}</span>
            {citation.quote && (
              <blockquote dir="auto" title={citation.quote}>
                {plain(citation.quote)}
              </blockquote>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
