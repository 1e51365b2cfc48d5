/** Lets a list item know the words beside its box. A remark plugin. */
import { textOf, type Node } from "./tree";

export function boxed() {
  return (tree: Node): void => mark(tree);
}

function mark(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === "listItem" && typeof child.checked === "boolean") {
      const [first] = child.children ?? [];
      const words = first?.type === "paragraph" ? textOf(first) : "";
      child.data = { ...child.data, hProperties: { ...child.data?.hProperties, dataWords: words } };
    }
    mark(child);
  }
}
