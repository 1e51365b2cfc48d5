/** Links between notes as Obsidian writes them: `[[Page#heading|words]]`, and `![[file]]`. Pure; a remark plugin. */
import { changeText, type Node } from "./tree";

const LINK = /(!?)\[\[([^[\]\n]+)\]\]/g;
const FILE =
  /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|heic|tiff?|pdf|mp3|m4a|wav|ogg|flac|mp4|mov|mkv|webm|zip|docx?|xlsx?|pptx?|csv|canvas|excalidraw)$/i;

export interface Wiki {
  /** What is read. */
  words: string;
  /** The title to search for; null where there is none, as for a heading of the same note. */
  title: string | null;
  /** A picture or another file, which is not kept here. */
  file: boolean;
}

/** Reads what stands between the brackets; null where that is nothing. */
export function wiki(inside: string): Wiki | null {
  const [target = "", ...said] = inside.split("|");
  const [page = "", ...headings] = target.split("#").map((part) => part.trim());
  const name = page.split("/").at(-1) ?? page;
  if (FILE.test(name)) return { words: name, title: null, file: true };
  const title = name.replace(/\.md$/i, "");
  const words =
    said.join("|").trim() ||
    [page.replace(/\.md$/i, ""), ...headings.filter((part) => !part.startsWith("^"))]
      .filter((part) => part !== "")
      .join(" › ");
  return words === "" ? null : { words, title: title === "" ? null : title, file: false };
}

/** The same in plain words, for previews. */
export function withoutBrackets(text: string): string {
  return text.replace(LINK, (raw, _mark: string, inside: string) => wiki(inside)?.words ?? raw);
}

/** `[[...]]` becomes <dfn data-title>, a file <samp>; code and the words of other links are left alone. */
export function wikiLinks() {
  return (tree: Node): void =>
    changeText(
      tree,
      (node) => {
        const text = node.value ?? "";
        const parts: Node[] = [];
        let start = 0;
        for (const found of text.matchAll(LINK)) {
          const link = wiki(found[2] ?? "");
          if (!link) continue;
          if (found.index > start) parts.push({ type: "text", value: text.slice(start, found.index) });
          parts.push({
            type: "wiki",
            children: [{ type: "text", value: link.words }],
            data: link.file
              ? { hName: "samp" }
              : { hName: "dfn", hProperties: link.title === null ? {} : { dataTitle: link.title } },
          });
          start = found.index + found[0].length;
        }
        if (parts.length === 0) return null;
        if (start < text.length) parts.push({ type: "text", value: text.slice(start) });
        return parts;
      },
      ["link", "linkReference"],
    );
}
