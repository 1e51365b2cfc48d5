import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { matches } from "./matching";

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
