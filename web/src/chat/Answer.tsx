import { useMemo, type ReactNode } from "react";
import type { Citation } from "../api/note";
import { CiteContext } from "../markdown/CiteContext";
import { safeLink } from "../markdown/links";
import { Text } from "../markdown/Text";
import { nameOf, noteOf, provenance } from "../note/source";
import { Go } from "../route/Go";

interface Props {
  text: string;
  /** What the text may link to; nothing while nobody has checked it. */
  links: readonly string[];
  citations: Citation[];
}

/** An answer, and below it what it leans on; a source that is a note opens in the middle. */
export function Answer({ text, links, citations }: Props) {
  const draw = useMemo(() => {
    const known = new Map(citations.map((citation) => [citation.number, citation]));
    return function Number(number: number) {
      const citation = known.get(number);
      return citation ? (
        <SourceLink citation={citation} className="cite">
          <span className="unseen">Source </span>
          {number}
        </SourceLink>
      ) : (
        <span title="No such source">{number}</span>
      );
    };
  }, [citations]);
  return (
    <div className="answer">
      <CiteContext value={draw}>
        <Text text={text} links={links} cited={citations.length > 0} />
      </CiteContext>
      {citations.length > 0 && (
        <ol className="answer-sources" aria-label="Sources">
          {citations.map((citation) => (
            <li key={citation.number} value={citation.number}>
              <SourceLink citation={citation}>{nameOf(citation)}</SourceLink>{" "}
              <span className="soft">{provenance(citation)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

interface LinkProps {
  citation: Citation;
  className?: string;
  children: ReactNode;
}

function SourceLink({ citation, className, children }: LinkProps) {
  const note = noteOf(citation);
  const url = safeLink(citation.url);
  const rest = { ...(className ? { className } : {}), title: citation.quote ?? citation.title };
  if (note !== null) {
    return (
      <Go {...rest} room={{ at: "note", id: note }} dir="auto">
        {children}
      </Go>
    );
  }
  if (url === null) return <span {...rest}>{children}</span>;
  return (
    <a {...rest} href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
      {children}
    </a>
  );
}
