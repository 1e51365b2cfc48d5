import { describe, expect, it } from "vitest";
import { Note } from "../api/note";
import { offered } from "./kinds";

const row = Note.parse({ id: "1", created_at: "", updated_at: "", kind: "digest", body: "" });

describe("the kinds to filter by", () => {
  it("are those that anybody can make, and those that exist", () => {
    expect(offered([], [], null)).toEqual(["capture", "link", "research"]);
    expect(offered(["thesis"], [row], null)).toEqual(["capture", "link", "research", "digest", "thesis"]);
  });

  it("hold the chosen one in any case", () => {
    expect(offered([], [], "review")).toContain("review");
  });
});
