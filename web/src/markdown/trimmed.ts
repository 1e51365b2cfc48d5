/** Leaves out what the page around the text says already: its title, and its sources. */
import { textOf, type Node } from "./tree";

/** Drops a first heading that only repeats the note's title. */
export function withoutTitle(title: string) {
  return (tree: Node): void => {
    const first = tree.children?.[0];
    if (first?.type === "heading" && textOf(first).trim() === title.trim()) tree.children?.shift();
  };
}

/** Drops a last list that only repeats the sources, which the page lists itself. */
export function withoutSources() {
  return (tree: Node): void => {
    const [title, list] = tree.children?.slice(-2) ?? [];
    if (list?.type !== "list" || !title || !["paragraph", "heading"].includes(title.type)) return;
    if (/^(sources|references|quellen):?$/i.test(textOf(title).trim())) tree.children?.splice(-2);
  };
}
