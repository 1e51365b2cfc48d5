import { useEffect, useRef, useState } from "react";
import type { Kind } from "../api/note";
import { KINDS_WORDS } from "../parts/KindMark";
import { go, here, useHere } from "../route/here";
import { feed } from "./feed";
import { useKinds } from "./kinds";
import { same, wantedFrom } from "./wanted";

const PATIENCE = 250;

/** From the box to the first row, once what was asked for is there and nobody went elsewhere meanwhile. */
function toFirst(box: HTMLElement): void {
  const wanted = () => same(feed.get().wanted, wantedFrom(here.get()));
  const go = () => {
    if (!wanted() || !feed.get().ready) return false;
    // After the rows are drawn.
    requestAnimationFrame(() => {
      if (document.activeElement === box) document.querySelector<HTMLElement>("[data-row]")?.focus();
    });
    return true;
  };
  if (go()) return;
  const stop = feed.subscribe(() => {
    if (go() || document.activeElement !== box) stop();
  });
}

/** Search and filter. What it asks for is in the address. */
export function Search() {
  const { q, kind, bin } = useHere();
  const kinds = useKinds(kind);
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address changed from outside (a tag, the back button): follow it.
  if (seen !== q) {
    setSeen(q);
    if (text.trim() !== q) setText(q);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (value: string) => {
    clearTimeout(timer.current);
    const from = here.get();
    if (from.q !== value.trim()) go({ ...from, q: value.trim() }, "replace");
  };

  return (
    <search className="search">
      <input
        type="search"
        data-search
        aria-label={bin ? "Search the bin" : "Search notes"}
        placeholder={bin ? "Search the bin" : "Search, or #tag"}
        autoCapitalize="none"
        value={text}
        onChange={(event) => {
          const { value } = event.target;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => ask(value), PATIENCE);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter" || event.key === "ArrowDown") {
            event.preventDefault();
            ask(text);
            toFirst(event.currentTarget);
          }
          // What was searched for stays, with what was found: the next Esc leaves that, too.
          if (event.key === "Escape") {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
      />
      <select
        aria-label="Kind"
        value={kind ?? ""}
        onChange={(event) => {
          const chosen = (event.target.value || null) as Kind | null;
          go({ ...here.get(), kind: chosen }, "replace");
        }}
      >
        <option value="">All kinds</option>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {KINDS_WORDS[one]}
          </option>
        ))}
      </select>
    </search>
  );
}
