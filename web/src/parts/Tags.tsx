import { Go } from "../route/Go";
import { useHere } from "../route/here";

interface Props {
  tags: string[];
  /** Tags that enrichment guessed: shown a little more quietly. */
  guessed?: string[];
}

/** Tags; each one filters the feed. */
export function Tags({ tags, guessed = [] }: Props) {
  const from = useHere();
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Go
            address={{ ...from, q: `#${tag}`, bin: false }}
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
