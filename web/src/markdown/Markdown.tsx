/** Note text on screen: Markdown without HTML, without images from elsewhere, with safe links only. */
import { memo, useContext, useEffect, useMemo, useRef, type ReactNode } from "react";
import Renderer, { type Components, type Options } from "react-markdown";
import gfm from "remark-gfm";
import { Go } from "../route/Go";
import { BoxContext, BoxWords } from "./BoxContext";
import { boxed } from "./boxed";
import { CiteContext } from "./CiteContext";
import { citations } from "./citations";
import { parted } from "./matter";
import { withoutSources, withoutTitle } from "./trimmed";
import { highlight } from "./highlight";
import { LinkContext } from "./LinkContext";
import { meant, noteIn, safeLink } from "./links";
import { SearchLink } from "./SearchLink";
import { wikiLinks } from "./wiki";

const MOST = 400_000;

function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const may = useContext(LinkContext);
  const url = safeLink(href ?? "");
  if (url === null || (may && !may.has(meant(url)))) return <>{children}</>;
  const note = noteIn(url);
  if (note !== null) return <Go room={{ at: "note", id: note }}>{children}</Go>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A search is no source, but it looks like one: where links are checked, it is only its words. */
function Wiki({ title, children }: { title: unknown; children?: ReactNode }) {
  const checked = useContext(LinkContext) !== null;
  if (checked || typeof title !== "string") return <>{children}</>;
  return <SearchLink title={title}>{children}</SearchLink>;
}

function Cite({ numbers }: { numbers: number[] }) {
  const draw = useContext(CiteContext);
  return (
    <sup className="cites">
      {numbers.map((number) => (
        <span key={number}>{draw ? draw(number) : number}</span>
      ))}
    </sup>
  );
}

/** A box that is a task can be ticked; any other is as the text has it. */
function Box({ checked }: { checked: boolean }) {
  const words = useContext(BoxWords);
  const find = useContext(BoxContext);
  if (find) {
    const box = find(words);
    return (
      <label className="box-live">
        <input
          type="checkbox"
          aria-label={words || "A box"}
          checked={box?.done ?? checked}
          disabled={box === null}
          onChange={box?.tick}
        />
      </label>
    );
  }
  return (
    <span className="box" role="img" aria-label={checked ? "Done:" : "To do:"}>
      {checked ? "☑" : "☐"}
    </span>
  );
}

type Heading = "h2" | "h3" | "h4" | "h5" | "h6";

/** The note's title is the page's h1, so its own headings begin one step below. */
const heading = (Level: Heading) =>
  function Shifted({ children }: { children?: ReactNode }) {
    return <Level>{children}</Level>;
  };

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => (
    <span className="image">
      <Link
        href={typeof src === "string" ? src : undefined}
      >{`Image: ${alt || "without a description"}`}</Link>
    </span>
  ),
  h1: heading("h2"),
  h2: heading("h3"),
  h3: heading("h4"),
  h4: heading("h5"),
  h5: heading("h6"),
  h6: heading("h6"),
  cite: ({ node }) => {
    const numbers = String(node?.properties["dataNumbers"] ?? "");
    return <Cite numbers={numbers.split(",").map(Number)} />;
  },
  dfn: ({ node, children }) => <Wiki title={node?.properties["dataTitle"]}>{children}</Wiki>,
  samp: ({ children }) => <span className="soft">{children} (not kept here)</span>,
  table: ({ children }) => (
    <div className="scrolls" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  th: ({ children, style }) => <th data-align={style?.textAlign}>{children}</th>,
  td: ({ children, style }) => <td data-align={style?.textAlign}>{children}</td>,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  li: ({ node, className, children }) => {
    const words = node?.properties["dataWords"];
    return (
      <li className={className}>
        {typeof words === "string" ? <BoxWords value={words}>{children}</BoxWords> : children}
      </li>
    );
  },
  input: ({ checked }) => <Box checked={checked === true} />,
};

interface Props {
  text: string;
  /** The title shown above; a first heading with the same words is left out. */
  title?: string;
  quote?: string | null;
  /** The sources are listed beside the text; a last list of them is left out. */
  cited?: boolean;
  /** All that a model's text may link to, whatever form its links have; without it, any safe address. */
  links?: readonly string[];
  /** Called once the text stands; `there` says whether the quote was found in it. */
  drawn?: (there: boolean) => void;
}

export const Markdown = memo(function Markdown({ text, title, quote, cited = false, links, drawn }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    drawn?.(box.current?.querySelector("mark, .quoted") != null);
  }, [drawn, text, quote]);
  const may = useMemo(() => (links ? new Set(links.map(meant)) : null), [links]);
  if (text.length > MOST) return <pre className="raw">{text}</pre>;
  const plugins: NonNullable<Options["remarkPlugins"]> = [gfm, citations, wikiLinks, boxed];
  if (title !== undefined) plugins.push([withoutTitle, title]);
  if (cited) plugins.push(withoutSources);
  if (quote) plugins.push([highlight, { quote }]);
  const { properties, body } = parted(text);
  return (
    <div className="prose" ref={box}>
      {properties && (
        <details className="properties">
          <summary>Properties</summary>
          <pre tabIndex={0} dir="auto">
            {properties}
          </pre>
        </details>
      )}
      <LinkContext value={may}>
        <Renderer
          remarkPlugins={plugins}
          components={components}
          urlTransform={(url) => safeLink(url)}
          disallowedElements={["script", "style", "iframe", "object", "embed", "form", "link", "meta"]}
        >
          {body}
        </Renderer>
      </LinkContext>
    </div>
  );
});
