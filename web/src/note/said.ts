/** Which sentence a small number stands behind: where its source says the same words, these are shown. */
import { bones } from "../markdown/highlight";
import { signal } from "../state/signal";

interface Said {
  number: number;
  link: Element;
  words: string;
}

/** Of the number that was opened last. */
export const said = signal<Said | null>(null);

/** Letters that say enough to be looked for. */
const LEAST = 20;

/** The words from the last number before this one, or from the beginning of the block, up to it. */
export function wordsBefore(link: Element): string {
  const marks = link.closest(".cites");
  const block = marks?.parentElement?.closest("p, li, td, blockquote");
  if (!marks || !block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  for (const one of block.querySelectorAll(".cites")) {
    if (one === marks) break;
    range.setStartAfter(one);
  }
  range.setEndBefore(marks);
  const words = range.toString().trim();
  return bones(words).length < LEAST ? "" : words;
}
