import { expect, it } from "vitest";
import { Note } from "../api/note";
import { sourcesOf } from "./thesis";

it("evidence becomes numbered sources, each address once, after those that the text cites", () => {
  const piece = (source: string) => ({ text: "t", source, added_at: "" });
  const note = Note.parse({
    id: "1",
    created_at: "",
    updated_at: "",
    kind: "thesis",
    body: "",
    citations: [{ number: 3, title: "Cited", url: "https://a.org/" }],
    thesis: {
      supporting: [piece("#/notes/01a"), piece("https://a.org/")],
      opposing: [piece("#/notes/01a"), piece("https://www.b.org/page"), piece("#/notes/01c")],
    },
  });
  const titles = (id: string) => (id === "01a" ? "Known" : null);
  expect(sourcesOf(note, titles).map(({ number, title, note_id }) => [number, title, note_id])).toEqual([
    [3, "Cited", null],
    [4, "Known", "01a"],
    [5, "b.org", null],
    [6, "", "01c"],
  ]);
});
