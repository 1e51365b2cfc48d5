import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { begin, changed, changes } from "./edit";

const note = Note.parse({
  id: "1",
  created_at: "",
  updated_at: "",
  kind: "capture",
  body: "text",
  title: "Title",
  tags: ["a", "b"],
  revision: 4,
});

describe("an edit", () => {
  it("begins as the note, and changes nothing", () => {
    expect(begin(note)).toEqual({ revision: 4, title: "Title", body: "text", tags: "a b" });
    expect(changed(begin(note), note)).toBe(false);
  });

  it("sends only what differs", () => {
    expect(changes({ ...begin(note), body: "more" }, note)).toEqual({ body: "more" });
    expect(changes({ ...begin(note), title: " " }, note)).toEqual({ title: null });
    expect(changes({ ...begin(note), tags: "#b, a" }, note)).toEqual({ tags: ["b", "a"] });
  });
});
