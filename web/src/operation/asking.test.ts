import { expect, it } from "vitest";
import { Note } from "../api/note";
import { MOST, withNote, type Pick } from "./asking";

const note = (id: string) =>
  Note.parse({ id, created_at: "", updated_at: "", kind: "capture", body: "", title: `Title of ${id}` });

it("picks a note once, as it is called", () => {
  const one = withNote([], note("a"));
  expect(one).toEqual([{ id: "a", title: "Title of a" }]);
  expect(withNote(one, note("a"))).toBe(one);
  expect(withNote(one, note("b")).map(({ id }) => id)).toEqual(["a", "b"]);
});

it("takes no more than a question may name", () => {
  const full: Pick[] = Array.from({ length: MOST }, (_, at) => ({ id: String(at), title: "" }));
  expect(withNote(full, note("one more"))).toBe(full);
});
