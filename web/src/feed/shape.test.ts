import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { reshape, shape } from "./shape";

const note = (fields: object, status = "enriched") =>
  Note.parse({
    id: "1",
    created_at: "2026-01-02T00:00:00Z",
    updated_at: "",
    kind: "capture",
    body: "Does sleep help memory?",
    enrichment: { status },
    ...fields,
  });
const long = "word ".repeat(40);

describe("the shape of a row", () => {
  it("is no higher than what it shows", () => {
    expect(shape(note({}))).toEqual({
      head: "Does sleep help memory?",
      text: "",
      roomy: false,
      found: null,
    });
    expect(shape(note({ body: "One\n\nTwo" }))).toMatchObject({ text: "Two", roomy: false });
  });

  it("keeps room for what enrichment will bring", () => {
    expect(shape(note({}, "pending")).roomy).toBe(false);
    expect(shape(note({ body: "One\n\nTwo" }, "pending")).roomy).toBe(true);
    expect(shape(note({ body: long }, "pending")).roomy).toBe(true);
    expect(shape(note({ kind: "link", body: "", url: "https://x.example/" }, "pending")).roomy).toBe(true);
  });

  it("does not change by enrichment", () => {
    const before = note({}, "pending");
    const after = note({ title: "Sleep", summary: "About sleep." });
    expect(reshape(shape(before), before, after)).toEqual(shape(before));
    const full = note({ body: long }, "pending");
    expect(reshape(shape(full), full, note({ body: long, title: "Words" }))).toMatchObject({
      head: "Words",
      roomy: true,
    });
  });

  it("does not change by research, and does by a person's edit", () => {
    const before = note({ body: "One\n\nTwo" }, "pending");
    const room = shape(before);
    const settled = note({ body: "One\n\nTwo" });
    const kept = reshape(room, before, settled);
    expect(reshape(kept, settled, note({ body: "One\n\nTwo", research: { status: "failed" } }))).toBe(kept);
    expect(reshape(kept, settled, note({ body: "New\n\nlines" }))).toMatchObject({
      head: "New",
      roomy: false,
    });
    expect(reshape(kept, settled, note({ body: "One\n\nTwo", title: "Named" })).head).toBe("Named");
  });

  describe("that was searched for", () => {
    const hit = (title: [string, boolean][], passage: [string, boolean][]) => ({
      note_id: "1",
      title: title.map(([text, hit]) => ({ text, hit })),
      passage: passage.map(([text, hit]) => ({ text, hit })),
    });
    const found = (fields: object, of: ReturnType<typeof hit>) => shape({ ...note(fields), hit: of });

    it("shows the words in their place, without the marks of Markdown", () => {
      const shown = found(
        { title: "On sleep", body: "Long ago." },
        hit(
          [
            ["On ", false],
            ["sleep", true],
          ],
          [
            ["…and **", false],
            ["Sleeping", true],
            ["** helps, see [the ", false],
            ["sleepers", true],
            ["](https://x.example/a). <b>2 < 3</b>", false],
          ],
        ),
      );
      expect(shown.found?.head).toEqual([
        { text: "On ", hit: false },
        { text: "sleep", hit: true },
      ]);
      expect(shown.found?.text).toEqual([
        { text: "…and ", hit: false },
        { text: "Sleeping", hit: true },
        { text: " helps, see the ", hit: false },
        { text: "sleepers", hit: true },
        { text: ". <b>2 < 3</b>", hit: false },
      ]);
      expect(shown.text).toBe("…and Sleeping helps, see the sleepers. <b>2 < 3</b>");
    });

    it("shows the beginning where only the title holds the words", () => {
      const shown = found({ title: "Sleep", body: "First lines." }, hit([["Sleep", true]], []));
      expect(shown.found).toEqual({
        head: [{ text: "Sleep", hit: true }],
        text: [{ text: "First lines.", hit: false }],
      });
    });

    it("calls a link without a title by its address", () => {
      const link = { kind: "link", body: "sleep", url: "https://x.example/a", summary: "About it." };
      expect(found(link, hit([["sleep", true]], [])).found?.head).toEqual([
        { text: "x.example/a", hit: false },
      ]);
    });

    it("changes with the question", () => {
      const before = { ...note({}), hit: hit([], [["Does", true]]) };
      const after = { ...note({}), hit: hit([], [["memory", true]]) };
      expect(reshape(shape(before), before, after)).not.toEqual(shape(before));
    });
  });
});
