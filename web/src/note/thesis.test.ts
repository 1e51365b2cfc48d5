import { expect, it } from "vitest";
import { Note, Thesis } from "../api/note";
import { judged, sourcesOf } from "./thesis";

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

it("a judgement sends what differs, and nothing that is no number from 0 to 100", () => {
  const thesis = Thesis.parse({ status: "active", confidence: 70 });
  expect(judged(thesis, {})).toEqual({});
  expect(judged(thesis, { status: "active", confidence: "70" })).toEqual({});
  expect(judged(thesis, { status: "validated", confidence: " 100 " })).toEqual({
    status: "validated",
    confidence: 100,
  });
  expect(judged(thesis, { confidence: "0" })).toEqual({ confidence: 0 });
  expect(judged(thesis, { confidence: "" })).toEqual({ confidence: null });
  for (const wrong of ["101", "-1", "7.5", "high", "1e1"])
    expect(judged(thesis, { confidence: wrong })).toBeNull();
});
