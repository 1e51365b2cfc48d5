/** Drops a first heading that only repeats the note's title, which stands above it already. */
import { textOf, type Node } from "./tree";

export function withoutTitle(title: string) {
  return (tree: Node): void => {
    const first = tree.children?.[0];
    if (first?.type === "heading" && textOf(first).trim() === title.trim()) tree.children?.shift();
  };
}
