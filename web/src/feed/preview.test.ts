import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { beginning, headline } from "./preview";
import { unread } from "./read";
import { wantedFrom } from "./wanted";

const note = (fields: object) =>
  Note.parse({
    id: "1",
    created_at: "2026-01-02T00:00:00Z",
    updated_at: "",
    kind: "capture",
    body: "",
    ...fields,
  });

describe("a row", () => {
  it("takes the first line of an untitled note, and goes on with the rest", () => {
    const one = note({ body: "# A **bold** claim\n\nand [why](https://x.example) `so` [cite: 1]\n- item" });
    expect(headline(one)).toBe("A bold claim");
    expect(beginning(one)).toBe("and why so item");
  });

  it("does not say the title twice", () => {
    expect(beginning(note({ title: "Title", body: "# Title\n\nText" }))).toBe("Text");
    expect(beginning(note({ title: "Title", body: "Text" }))).toBe("Text");
  });

  it.each([
    ["Call the library about the book", "Call the library about the book. It is overdue.", "It is overdue."],
    ["Call the library", "**Call the library!**\n\nIt is overdue.", "It is overdue."],
    [
      "Most of the studies were small…",
      "Most of the studies were small, as he said. More.",
      "…as he said. More.",
    ],
    ["Most of the studies were small", "Most of the studies were small, as he said.", "…as he said."],
    ["We walked along…", "We walked along the river.", "…the river."],
    ["睡眠は記憶…", "睡眠は記憶を助ける。", "…を助ける。"],
    // Only the same beginning, or the same words elsewhere, is no repetition.
    ["Pears", "Pears grow on walls.", "Pears grow on walls."],
    ["Pear", "Pear’s garden.", "Pear’s garden."],
    ["On walls", "Pears grow on walls.", "Pears grow on walls."],
    ["???", "???\nNobody knows.", "Nobody knows."],
  ])("called %j goes on where its title ends", (title, body, rest) =>
    expect(beginning(note({ title, body }))).toBe(rest),
  );

  it.each([
    ["#garden #research Who planted them?\n\nAnd when? #Pears", "Who planted them?", "And when?"],
    // What is no tag of the note is a word of its text; and so is a tag inside of a sentence.
    ["Who planted #pears here? #unknown", "Who planted #pears here? #unknown", ""],
    ["#garden", "#garden", ""],
  ])("leaves out hashtags that stand below it as tags: %j", (body, head, text) => {
    const one = note({ body, tags: ["garden", "pears"] });
    expect([headline(one), beginning(one)]).toEqual([head, text]);
  });

  it("shows a summary without what its title says already", () => {
    expect(beginning(note({ title: "Pears", summary: "Pears" }))).toBe("");
    expect(beginning(note({ title: "Pears like walls", summary: "Pears like walls. Walls are warm." }))).toBe(
      "Walls are warm.",
    );
    const link = { kind: "link", url: "https://example.org/a", title: "About A" };
    expect(beginning(note({ ...link, summary: "About A: all of it." }))).toBe("…all of it.");
    expect(beginning(note({ ...link, summary: "About A" }))).toBe("example.org/a");
  });

  it("ends where a report's list of sources begins", () => {
    expect(beginning(note({ title: "T", body: "Text.\n\n**Sources:**\n1. [A](#/notes/1)" }))).toBe("Text.");
  });

  it("shows a link by what is known of it", () => {
    const link = { kind: "link", url: "https://www.example.org/a/" };
    expect(headline(note(link))).toBe("example.org/a");
    expect(beginning(note({ ...link, title: "A", summary: "About A" }))).toBe("About A");
    expect(beginning(note({ ...link, title: "A" }))).toBe("example.org/a");
  });

  it("has words even for an empty note", () => expect(headline(note({}))).toBe("Empty note"));

  it("shows nothing of what only a vault reads", () => {
    const one = note({
      body: "---\ntitle: x\ntags: [a]\n---\n\n# [[Pears|Old pears]]\n\n\\#garden \\*not bold\\* ![[a.png]]",
    });
    expect(headline(one)).toBe("Old pears");
    expect(beginning(one)).toBe("#garden *not bold* a.png");
    expect(headline(note({ body: "---\ntitle: cut\ntags: [" }))).toBe("Empty note");
    expect(headline(note({ title: "[[Pears]] \\#1", body: "x" }))).toBe("Pears #1");
    expect(beginning(note({ title: "T", summary: "Of [[Walls]]." }))).toBe("Of Walls.");
  });

  it("shows boxes as they are ticked", () => {
    const one = note({ title: "T", body: "- [ ] buy figs\n- [x] call\n1. [X] pay\n- [link](x) and [ ]" });
    expect(beginning(one)).toBe("☐ buy figs ☑ call ☑ pay link and [ ]");
  });

  it("leaves HTML and stars that mean nothing alone", () => {
    expect(headline(note({ body: "2 * 3 < 7 <b>x</b>" }))).toBe("2 * 3 < 7 <b>x</b>");
  });
});

describe("an unread report", () => {
  const since = { since: "2026-01-01T00:00:00Z", ids: [] as string[] };
  it("is a report, younger than the first visit, and not opened yet", () => {
    expect(unread(note({ kind: "research" }), since)).toBe(true);
    expect(unread(note({ kind: "capture" }), since)).toBe(false);
    expect(unread(note({ kind: "research" }), { ...since, ids: ["1"] })).toBe(false);
    expect(unread(note({ kind: "research" }), { ...since, since: "2026-02-01T00:00:00Z" })).toBe(false);
  });
});

describe("the search box", () => {
  const wanted = (q: string) => wantedFrom({ q, kind: null, bin: false });
  it("tells tags from text", () => {
    expect(wanted("#ids sorted  by #a/b time")).toMatchObject({
      text: "sorted by time",
      tags: ["ids", "a/b"],
    });
    expect(wanted("C# issue#4")).toMatchObject({ text: "C# issue#4", tags: [] });
    expect(wanted("  ")).toMatchObject({ text: "", tags: [] });
  });
});
