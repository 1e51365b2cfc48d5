/** Finds a quoted passage in a rendered note and marks it, whatever Markdown stands between its words. */
import type { Node } from "./tree";
import { withoutBrackets } from "./wiki";

const WORD = /[\p{L}\p{N}]/u;

/** Letters and digits only, lower case: what two spellings of one passage have in common. */
export function bones(text: string): string {
  return Array.from(text.normalize("NFKD").toLowerCase())
    .filter((char) => WORD.test(char))
    .join("");
}

/** A quote without the targets of its links, which the rendered text doesn't show. */
function shown(quote: string): string {
  return withoutBrackets(quote)
    .replace(/\[cite:[^\]]*\]/g, "")
    .replace(/\]\([^)]*\)/g, "]");
}

function letters(root: Node): { text: string; at: { node: Node; offset: number; length: number }[] } {
  let text = "";
  const at: { node: Node; offset: number; length: number }[] = [];
  const walk = (node: Node) => {
    if (node.value !== undefined && ["text", "inlineCode", "code"].includes(node.type)) {
      let offset = 0;
      for (const char of node.value) {
        for (const bone of bones(char)) {
          text += bone;
          // One entry for each UTF-16 unit, so that indexOf speaks the same language.
          for (let unit = 0; unit < bone.length; unit += 1) at.push({ node, offset, length: char.length });
        }
        offset += char.length;
      }
    }
    node.children?.forEach(walk);
  };
  walk(root);
  return { text, at };
}

/** A remark plugin: marks `quote`, if it is there. */
export function highlight({ quote }: { quote: string }) {
  return (tree: Node): void => {
    const wanted = bones(shown(quote));
    const { text, at } = letters(tree);
    const start = wanted === "" ? -1 : text.indexOf(wanted);
    if (start < 0) return;
    const ranges = new Map<Node, { from: number; to: number }>();
    for (const { node, offset, length } of at.slice(start, start + wanted.length)) {
      const range = ranges.get(node);
      if (range) range.to = offset + length;
      else ranges.set(node, { from: ranges.size === 0 ? offset : 0, to: offset + length });
    }
    // All but the last piece are marked to their end, so that no comma is left out.
    const pieces = [...ranges];
    for (const [node, range] of pieces.slice(0, -1)) range.to = node.value?.length ?? range.to;
    wrap(tree, ranges);
  };
}

function marked(children: Node[]): Node {
  return { type: "mark", children, data: { hName: "mark" } };
}

function wrap(node: Node, ranges: Map<Node, { from: number; to: number }>): void {
  if (!node.children) return;
  node.children = node.children.flatMap((child) => {
    const range = ranges.get(child);
    if (!range) {
      wrap(child, ranges);
      return [child];
    }
    if (child.type === "inlineCode") return [marked([child])];
    if (child.type === "code") {
      child.data = { ...child.data, hProperties: { ...child.data?.hProperties, className: "quoted" } };
      return [child];
    }
    const value = child.value ?? "";
    // The full stop belongs to the sentence it ends.
    const to = /^[.!?…»”"')\]]+/.exec(value.slice(range.to))?.[0].length ?? 0;
    return [
      { type: "text", value: value.slice(0, range.from) },
      marked([{ type: "text", value: value.slice(range.from, range.to + to) }]),
      { type: "text", value: value.slice(range.to + to) },
    ].filter((part) => part.type !== "text" || part.value !== "");
  });
}
