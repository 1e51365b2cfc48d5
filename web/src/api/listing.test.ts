import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listNotes, type Wanted } from "./server";

const NOTE = { id: "1", created_at: "", updated_at: "", kind: "capture", body: "A thought", tags: ["ideas"] };
const TAGGED: Wanted = { text: "", tags: ["ideas"], kind: null, bin: false };
let asked: string[] = [];

/** A server with one note, tagged `ideas`. */
beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (url: string) => {
    if (url.endsWith("/config.json")) return Promise.resolve(Response.json({}));
    const query = new URL(url, "http://localhost").searchParams;
    asked.push(query.toString());
    const found = query.get("tag") === "ideas" || (!query.has("tag") && query.get("q") === "idea");
    return Promise.resolve(Response.json({ notes: found ? [NOTE] : [], next_cursor: null }));
  });
});
afterEach(() => vi.unstubAllGlobals());

it("asks for a tag once, where notes have it", async () => {
  expect((await listNotes(TAGGED, null)).notes).toHaveLength(1);
  expect(asked).toEqual(["limit=30&tag=ideas"]);
});

it("finds notes while their tag is typed", async () => {
  expect((await listNotes({ ...TAGGED, tags: ["idea"], kind: "capture" }, null)).notes).toHaveLength(1);
  expect(asked).toEqual(["limit=30&kind=capture&tag=idea", "limit=30&kind=capture&q=idea"]);
});

it("looks for nothing else beside other words, on later pages, and in the bin", async () => {
  const none = { ...TAGGED, tags: ["idea"] };
  expect((await listNotes({ ...none, text: "thought" }, null)).notes).toEqual([]);
  expect((await listNotes(none, "later")).notes).toEqual([]);
  expect((await listNotes({ ...none, bin: true }, null)).notes).toEqual([]);
  expect(asked).toHaveLength(3);
});
