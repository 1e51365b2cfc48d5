/** What a source is called, and that one without anything to open is not drawn as a link. */
import { prerender } from "react-dom/static";
import { describe, expect, it } from "vitest";
import { Citation } from "../api/note";
import { Answer } from "../chat/Answer";
import { nameOf, opens, provenance } from "./source";
import { CiteLink, Sources } from "./Sources";

const cite = (fields: object) => Citation.parse({ number: 1, title: "T", url: "", ...fields });

const NOTE = cite({ source_kind: "note", url: "#/notes/01a", note_id: "01a" });
const REPORT = cite({ source_kind: "research", url: "#/notes/01b", note_id: "01b" });
const PAGE = cite({ source_kind: "web", url: "https://www.example.org/a" });
const SERVER = cite({ source_kind: "mcp", url: "https://example.org/a" });
const TOOL = cite({ source_kind: "mcp", title: "wiki__search", url: "tool:mcp__wiki__search" });
const MEMORY = cite({ source_kind: "memory", url: "memory:1" });

describe("a source", () => {
  it.each([
    [NOTE, "your note", true],
    [REPORT, "your report", true],
    [PAGE, "example.org", true],
    [SERVER, "example.org, by a connected server", true],
    [TOOL, "a connected server", false],
    // As the server told it before it named these kinds.
    [{ ...TOOL, source_kind: "note" as const }, "a connected server", false],
    [MEMORY, "remembered of you", false],
    [{ ...MEMORY, quote: "I live in Lisbon." }, "remembered of you", true],
    [cite({ source_kind: "research" }), "a report that is gone", false],
    [cite({ url: "javascript:alert(1)" }), "no address", false],
  ])("%#", (citation, words, there) => {
    expect(provenance(citation)).toBe(words);
    expect(opens(citation)).toBe(there);
  });

  it("has a name", () => {
    expect(nameOf(cite({ title: "", note_id: "01a" }))).toBe("A note");
    expect(nameOf(cite({ title: "", url: "https://example.org/a" }))).toBe("https://example.org/a");
    expect(nameOf(cite({ title: "", url: "tool:x" }))).toBe("Untitled");
  });
});

async function drawn(element: React.ReactNode): Promise<string> {
  const { prelude } = await prerender(element);
  return (await new Response(prelude).text()).replaceAll("<!-- -->", "");
}

it("that leads nowhere is its words, wherever it is cited", async () => {
  for (const one of [TOOL, MEMORY]) {
    const pages = [
      await drawn(<Sources citations={[one]} />),
      await drawn(<CiteLink citation={one} />),
      await drawn(<Answer text="So it is [cite: 1]." links={[]} citations={[one]} />),
    ];
    for (const page of pages) expect(page).not.toMatch(/<a |role="button"|href=/);
    expect(pages[0]).toContain(provenance(one));
    expect(pages[2]).toContain(provenance(one));
  }
});

it("that leads somewhere is a link", async () => {
  for (const one of [NOTE, REPORT, PAGE]) {
    expect(await drawn(<Sources citations={[one]} />)).toContain("href=");
    expect(await drawn(<CiteLink citation={one} />)).toContain('role="button"');
  }
});
