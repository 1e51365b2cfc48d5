import { createContext, useContext } from "react";
import type { Citation } from "../api/note";
import { CiteLink } from "../note/Sources";

/** The result's sources by number. */
export const Known = createContext<ReadonlyMap<number, Citation>>(new Map());

/** The small numbers behind a sentence; each opens its source beside the result. */
export function Cites({ numbers }: { numbers: number[] }) {
  const known = useContext(Known);
  const found = numbers.flatMap((number) => known.get(number) ?? []);
  if (found.length === 0) return null;
  return (
    <sup className="cites">
      {found.map((citation) => (
        <span key={citation.number}>
          <CiteLink citation={citation} />
        </span>
      ))}
    </sup>
  );
}
