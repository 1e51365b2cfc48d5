/** `[cite: 1, 2]` in a report becomes <cite data-numbers="1,2">; code is left alone. A remark plugin. */
import { changeText, type Node } from "./tree";

const MARKER = /\s*\[cite:\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)\s*\]/g;

export function citations() {
  return (tree: Node): void =>
    changeText(tree, (node) => {
      const text = node.value ?? "";
      const parts: Node[] = [];
      let start = 0;
      for (const found of text.matchAll(MARKER)) {
        if (found.index > start) parts.push({ type: "text", value: text.slice(start, found.index) });
        const numbers = (found[1] ?? "").split(/\s*,\s*/).map(Number);
        parts.push({
          type: "citation",
          children: [],
          data: { hName: "cite", hProperties: { dataNumbers: [...new Set(numbers)].join(",") } },
        });
        start = found.index + found[0].length;
      }
      if (parts.length === 0) return null;
      if (start < text.length) parts.push({ type: "text", value: text.slice(start) });
      return parts;
    });
}
