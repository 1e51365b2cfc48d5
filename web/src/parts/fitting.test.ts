import { describe, expect, it } from "vitest";
import { fitting } from "./fitting";

describe("the tags of a row", () => {
  it("are shown while there is room", () => {
    expect(fitting(["sleep", "memory"], 0)).toBe(2);
    expect(fitting([], 0)).toBe(1);
  });

  it("leave room for the number of the others", () => {
    const tags = ["obsidian", "recovery-codes", "authentication", "security"];
    expect(fitting(tags, 0)).toBe(2);
    expect(fitting(["twelve-12345", "twelve-12345", "twelve-12345"], 0)).toBe(2);
  });

  it("make way for what else stands there, and one is shown where there is any", () => {
    expect(fitting(["research", "sleep-and-memory", "memory"], "research failed".length)).toBe(1);
    expect(fitting(["mordor", "swallow"], "Question, no answer found".length)).toBe(0);
    expect(fitting(["a-tag-that-is-longer-than-every-row-of-every-list"], 0)).toBe(1);
  });
});
