import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useMedia, WIDE } from "../state/useMedia";
import { fitting } from "./fitting";

interface Props {
  tags: string[];
  /** Tags that enrichment guessed: shown a little more quietly. */
  guessed?: string[];
}

/** Tags; each one filters the feed. */
export function Tags({ tags, guessed = [] }: Props) {
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <TagLink tag={tag} guessed={guessed.includes(tag)} />
        </li>
      ))}
    </ul>
  );
}

/** As many tags as a row of the feed has room for, and how many more there are. */
export function FewTags({ tags, beside }: { tags: string[]; beside: number }) {
  if (tags.length === 0) return null;
  const shown = fitting(tags, beside);
  const more = tags.slice(shown);
  return (
    <>
      {shown > 0 && (
        <ul className="tags" aria-label="Tags">
          {tags.slice(0, shown).map((tag) => (
            <li key={tag}>
              <TagLink tag={tag} guessed={false} />
            </li>
          ))}
        </ul>
      )}
      {more.length > 0 && (
        <span className="more-tags" title={more.map((tag) => `#${tag}`).join(" ")}>
          +{more.length}
          <span className="unseen"> more tags</span>
        </span>
      )}
    </>
  );
}

function TagLink({ tag, guessed }: { tag: string; guessed: boolean }) {
  const from = useHere();
  const wide = useMedia(WIDE);
  // On a narrow screen the feed is another page: go there.
  const room = wide ? from.room : HOME.room;
  return (
    <Go
      address={{ ...from, room, cite: null, q: `#${tag}`, bin: false }}
      className="tag"
      dir="auto"
      data-guessed={guessed || undefined}
      title={guessed ? "Added by enrichment" : undefined}
    >
      #{tag}
    </Go>
  );
}
