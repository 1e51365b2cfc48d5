import { describe, expect, it } from "vitest";
import { wiki, withoutBrackets } from "./wiki";

describe("a wiki link", () => {
  it.each([
    ["Page", "Page", "Page"],
    ["Page|some words", "some words", "Page"],
    ["Page#Heading", "Page › Heading", "Page"],
    ["Page#One#Two", "Page › One › Two", "Page"],
    ["Page#^block", "Page", "Page"],
    ["folder/Page.md", "folder/Page", "Page"],
    ["Page 2.0", "Page 2.0", "Page 2.0"],
    ["#Heading", "Heading", null],
  ])("%s reads %s and looks for %s", (inside, words, title) =>
    expect(wiki(inside)).toEqual({ words, title, file: false }),
  );

  it.each(["photo.png", "photo.png|300", "files/photo.PNG", "paper.pdf#page=2"])("%s is a file", (inside) =>
    expect(wiki(inside)).toMatchObject({ title: null, file: true }),
  );

  it("of nothing is none", () => expect([wiki(" "), wiki("#"), wiki("|")]).toEqual([null, null, null]));

  it("is plain words in a preview", () => {
    expect(withoutBrackets("See [[Page|this]], [[A]] and ![[b.png]], not [[]].")).toBe(
      "See this, A and b.png, not [[]].",
    );
  });
});
