import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { hitOf, matches } from "./matching";
import { shape } from "./shape";

const note = Note.parse({
  id: "1",
  created_at: "",
  updated_at: "",
  kind: "capture",
  title: "Grüner Tee",
  body: "Steep for\ntwo minutes.",
  tags: ["kitchen"],
});

describe("a search in the bin", () => {
  it.each(["tee", "GRUNER minutes", "two steep", "kitch", ""])("finds %j", (text) =>
    expect(matches(note, text)).toBe(true),
  );
  it.each(["coffee", "tee coffee"])("does not find %j", (text) => expect(matches(note, text)).toBe(false));
});

describe("what was found in the bin", () => {
  const marked = (fields: object, text: string) => {
    const one = Note.parse({ ...note, ...fields });
    const { found } = shape({ ...one, hit: hitOf(one, text) });
    const shown = (pieces: { text: string; hit: boolean }[] = []) =>
      pieces.map((piece) => (piece.hit ? `[${piece.text}]` : piece.text)).join("");
    return [shown(found?.head), shown(found?.text)];
  };

  it("stands in its place, whatever its accents, also inside of a word", () => {
    expect(marked({}, "GRUNER minute")).toEqual(["[Grüner] Tee", "two [minute]s."]);
    expect(marked({ title: "Gru\u0308ner" }, "gruner")[0]).toBe("[Gru\u0308ner]");
    expect(marked({ body: "ab abab" }, "ab aba")[1]).toBe("[ab] [abab]");
  });

  it("is read as Markdown, and an address is no word", () => {
    const body = "See **the [kettle](https://tea.example)** for tea.";
    expect(marked({ body }, "tea kettle")[1]).toBe("See the [kettle] for [tea].");
  });

  it("is shown from a little before, up to a little after", () => {
    const [, text = ""] = marked({ body: `${"far away ".repeat(30)}water ${"and on ".repeat(80)}` }, "water");
    expect(text).toMatch(/^…(?:\w+ ){1,9}\[water\] and on/);
    expect(text.endsWith("…")).toBe(true);
    expect(text.length).toBeLessThan(320);
  });

  it("leaves out a first line that is the name", () => {
    expect(marked({ title: null, body: "# Green tea\n\nMore tea." }, "tea")).toEqual([
      "Green [tea]",
      "More [tea].",
    ]);
    expect(marked({ title: null, body: "Green tea\n\nSteep." }, "tea")).toEqual(["Green [tea]", "Steep."]);
  });

  it("of a tag alone is the note as it is", () => {
    expect(marked({}, "kitchen")).toEqual(["Grüner Tee", "Steep for two minutes."]);
  });
});
