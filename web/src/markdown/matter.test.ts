import { describe, expect, it } from "vitest";
import { body, parted } from "./matter";

describe("front matter", () => {
  it("is parted from the text", () => {
    const text = "---\ntitle: A note\ntags:\n  - pears\n- walls\n# comment\n\n---\n\n# Heading\n";
    expect(parted(text)).toEqual({
      properties: "title: A note\ntags:\n  - pears\n- walls\n# comment",
      body: "# Heading\n",
    });
    expect(parted("---\r\na: 1\r\n---\r\ntext")).toEqual({ properties: "a: 1", body: "text" });
    expect(parted("---\na: 1\n...")).toEqual({ properties: "a: 1", body: "" });
    expect(parted("---\n---\ntext")).toEqual({ properties: "", body: "text" });
  });

  it.each([
    "text\n---\na: 1\n---",
    "---\nJust a sentence between two rules.\n---\ntext",
    "---\na: 1\nand no end",
    "----\na: 1\n----",
    " ---\na: 1\n---",
  ])("is not in %j", (text) => expect(parted(text)).toEqual({ properties: null, body: text }));

  it("is left out of a preview, even where that ends before it does", () => {
    expect(body("---\na: 1\n---\ntext")).toBe("text");
    expect(body("---\ntitle: A note\ntags: [a, b]\nali")).toBe("");
    expect(body("---\nA rule, then text")).toBe("---\nA rule, then text");
  });
});
