import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { append, mergeFirst, put, without, type Rows } from "./merge";

const note = (id: string, revision = 1) =>
  Note.parse({ id, revision, created_at: "", updated_at: "", kind: "capture", body: id });
const rows = (ids: string, cursor: string | null = "c"): Rows => ({
  notes: Array.from(ids, (id) => note(id)),
  cursor,
});
const page = (ids: string, next_cursor: string | null = "p") => ({
  notes: Array.from(ids, (id) => note(id)),
  next_cursor,
});
const ids = (result: Rows) => result.notes.map(({ id }) => id).join("");

describe("a fresh first page", () => {
  it("leaves unchanged rows as the same objects", () => {
    const before = rows("edcba");
    const after = mergeFirst(before, page("edc"));
    expect(after.notes.every((one, at) => one === before.notes[at])).toBe(true);
    expect(after.cursor).toBe("c");
  });

  it("puts new notes on top and keeps what was loaded below", () => {
    const after = mergeFirst(rows("edcba"), page("gfedc"));
    expect(ids(after)).toBe("gfedcba");
    expect(after.cursor).toBe("c");
  });

  it("drops what is gone from its stretch", () => {
    expect(ids(mergeFirst(rows("edcba"), page("ec")))).toBe("ecba");
  });

  it("changes a row in its place", () => {
    const after = mergeFirst(rows("cba"), { notes: [note("c"), note("b", 2), note("a")], next_cursor: null });
    expect(ids(after)).toBe("cba");
    expect(after.notes[1]?.revision).toBe(2);
  });

  it("never sets back a row that was edited here meanwhile", () => {
    const before: Rows = { notes: [note("b", 3), note("a")], cursor: null };
    expect(mergeFirst(before, page("ba", null)).notes[0]?.revision).toBe(3);
  });

  it("starts over when it shares no row with what is shown", () => {
    expect(mergeFirst(rows("cba"), page("zyx"))).toMatchObject({ cursor: "p" });
    expect(ids(mergeFirst(rows("cba"), page("zyx")))).toBe("zyx");
  });

  it("is everything when nothing follows it", () => {
    expect(mergeFirst(rows("edcba"), page("ed", null))).toMatchObject({ cursor: null });
    expect(ids(mergeFirst(rows("edcba"), page("", null)))).toBe("");
  });

  it("moves no row twice when one wanders to the top of a search", () => {
    expect(ids(mergeFirst(rows("edcba"), page("aed")))).toBe("aedcb");
  });
});

describe("other changes", () => {
  it("append older notes once", () => {
    expect(ids(append(rows("cb"), page("ba", null)))).toBe("cba");
  });

  it("put a new note on top and a known one in place", () => {
    expect(ids(put(rows("ba"), note("c"), true))).toBe("cba");
    expect(ids(put(rows("ba"), note("c"), false))).toBe("ba");
    expect(put(rows("ba"), note("a", 2), true).notes[1]?.revision).toBe(2);
    const newer: Rows = { notes: [note("a", 5)], cursor: null };
    expect(put(newer, note("a", 4), true)).toBe(newer);
  });

  it("take one out", () => {
    expect(ids(without(rows("cba"), "b"))).toBe("ca");
  });
});
