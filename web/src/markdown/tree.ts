/** The little of a Markdown tree that our own passes need. */
export interface Node {
  type: string;
  value?: string;
  depth?: number;
  /** Of a list item with a box. */
  checked?: boolean | null;
  children?: Node[];
  data?: { hName?: string; hProperties?: Record<string, string> };
}

/** Replaces text nodes by what `change` makes of them; null leaves one alone. What is `closed` is not entered. */
export function changeText(
  node: Node,
  change: (text: Node) => Node[] | null,
  closed: readonly string[] = [],
): void {
  if (!node.children) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === "text") return change(child) ?? [child];
    if (!closed.includes(child.type)) changeText(child, change, closed);
    return [child];
  });
}

export function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}
