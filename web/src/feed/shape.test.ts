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
    expect(shape(note({}))).toEqual({ head: "Does sleep help memory?", text: "", roomy: false });
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
});
