import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { begin, changed, changes, collides, onto } from "./edit";

const note = (more: object = {}) =>
  Note.parse({
    id: "1",
    created_at: "",
    updated_at: "",
    kind: "capture",
    body: "text",
    title: "Title",
    tags: ["a", "b"],
    revision: 4,
    ...more,
  });

describe("an edit", () => {
  it("begins as the note, and changes nothing", () => {
    expect(begin(note())).toMatchObject({ revision: 4, title: "Title", body: "text", tags: "a b" });
    expect(changed(begin(note()))).toBe(false);
  });

  it("sends only what differs", () => {
    expect(changes({ ...begin(note()), body: "more" })).toEqual({ body: "more" });
    expect(changes({ ...begin(note()), title: " " })).toEqual({ title: null });
    expect(changes({ ...begin(note()), tags: "#b, a" })).toEqual({ tags: ["b", "a"] });
  });
});

describe("a note that changed meanwhile", () => {
  const bare = note({ title: null, tags: [] });
  const enriched = note({ title: "Found", tags: ["idea"], revision: 5 });

  it("is no conflict where enrichment only filled what was empty", () => {
    const edit = { ...begin(bare), body: "mine", tags: "own" };
    expect(collides(edit, enriched)).toBe(false);
    expect(changes(onto(edit, enriched))).toEqual({ body: "mine", tags: ["idea", "own"] });
    expect(onto(edit, enriched).revision).toBe(5);
  });

  it("is a conflict where both changed the same words", () => {
    const edit = { ...begin(note()), body: "mine" };
    expect(collides(edit, note({ body: "theirs" }))).toBe(true);
    expect(collides(edit, note({ body: "mine" }))).toBe(false);
    expect(collides(edit, note({ title: "theirs" }))).toBe(false);
  });

  it("loses nothing that the other side did, also when mine is saved over it", () => {
    const edit = { ...begin(note()), body: "mine", tags: "b c" };
    const forced = onto(edit, note({ body: "theirs", title: "New", tags: ["a", "b", "d"], revision: 6 }));
    expect(changes(forced)).toEqual({ body: "mine", tags: ["b", "d", "c"] });
    expect(forced.title).toBe("New");
  });
});
