import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useMedia, WIDE } from "../state/useMedia";

interface Props {
  tags: string[];
  /** Tags that enrichment guessed: shown a little more quietly. */
  guessed?: string[];
}

/** Tags; each one filters the feed. */
export function Tags({ tags, guessed = [] }: Props) {
  const from = useHere();
  const wide = useMedia(WIDE);
  // On a narrow screen the feed is another page: go there.
  const room = wide ? from.room : HOME.room;
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Go
            address={{ ...from, room, cite: null, q: `#${tag}`, bin: false }}
            className="tag"
            dir="auto"
            data-guessed={guessed.includes(tag) || undefined}
            title={guessed.includes(tag) ? "Added by enrichment" : undefined}
          >
            #{tag}
          </Go>
        </li>
      ))}
    </ul>
  );
}
