import { useCallback, useEffect, useRef, useState } from "react";
import type { Citation } from "../api/note";
import { getNote } from "../api/server";
import { headline } from "../feed/preview";
import { safeLink } from "../markdown/links";
import { CiteContext } from "../markdown/CiteContext";
import { Text } from "../markdown/Text";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { usePolled } from "../state/usePolled";
import { said } from "./said";
import { nameOf, noteOf, provenance } from "./source";

interface Props {
  citation: Citation;
  close: () => void;
}

/** The open source, beside the report. */
export function SourcePanel({ citation, close }: Props) {
  const noteId = noteOf(citation);
  const url = safeLink(citation.url);
  const heading = useRef<HTMLHeadingElement>(null);
  const asked = useSignal(said);
  const words = asked?.number === citation.number ? asked.words : "";
  // Opening by hand moves the focus here; arriving by address leaves it at the report.
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement && document.activeElement.dataset["cite"]) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [citation.number]);

  return (
    <aside className="source" aria-label={`Source ${citation.number}`}>
      <header>
        <p className="kicker">
          Source {citation.number} · {provenance(citation)}
        </p>
        <button type="button" className="plain" aria-label="Close the source" title="Esc" onClick={close}>
          ×
        </button>
      </header>
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {noteId !== null ? (
          <Go room={{ at: "note", id: noteId }}>{citation.title || "The note"}</Go>
        ) : url ? (
          <a href={url} target="_blank" rel="noopener noreferrer nofollow">
            {citation.title || url}
          </a>
        ) : (
          nameOf(citation)
        )}
      </h2>
      {noteId !== null ? (
        <NoteSource
          key={`${citation.number} ${words}`}
          id={noteId}
          words={words}
          quote={citation.quote}
          title={citation.title}
        />
      ) : (
        <>
          {citation.quote && (
            <blockquote dir="auto">
              <mark>{citation.quote}</mark>
            </blockquote>
          )}
          {url && <p className="soft url">{url}</p>}
        </>
      )}
    </aside>
  );
}

interface OfNote {
  id: string;
  /** The sentence that was clicked; a report of the note's own sentences has them word for word. */
  words: string;
  quote: string | null;
  title: string;
}

function NoteSource({ id, words, quote, title }: OfNote) {
  const { data, problem, reload } = usePolled(
    `source ${id}`,
    () => getNote(id),
    () => null,
  );
  const [missing, setMissing] = useState(false);
  const [verbatim, setVerbatim] = useState(words !== "");
  const place = useRef<HTMLDivElement>(null);
  const drawn = useCallback(
    (there: boolean) => {
      if (!there && verbatim) {
        setVerbatim(false);
        return;
      }
      setMissing(!there);
      place.current?.querySelector("mark, .quoted")?.scrollIntoView({ block: "center" });
    },
    [verbatim],
  );

  if (problem && !data) {
    return (
      <>
        {quote && (
          <blockquote dir="auto">
            <mark>{quote}</mark>
          </blockquote>
        )}
        <ProblemNote
          problem={problem}
          {...(quote ? { saved: "The quoted passage is shown from the report." } : {})}
          again={problem.status === 404 ? undefined : reload}
        />
      </>
    );
  }
  if (!data) return <p className="soft">Fetching the note…</p>;
  return (
    <>
      {quote && missing && (
        <>
          <p className="soft">The note was changed since: the report quotes this passage.</p>
          <blockquote dir="auto">
            <mark>{quote}</mark>
          </blockquote>
        </>
      )}
      {title !== "" && headline(data.note) !== title && (
        <p className="soft">Now called “{headline(data.note)}”.</p>
      )}
      <div ref={place}>
        <CiteContext value={null}>
          <Text
            text={data.note.body}
            title={data.note.title ?? ""}
            quote={verbatim ? words : quote}
            drawn={drawn}
          />
        </CiteContext>
      </div>
    </>
  );
}
