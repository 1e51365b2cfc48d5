import { describe, expect, it } from "vitest";
import { keyIn } from "./session";

describe("a pasted key", () => {
  it.each([
    ["abc123", "abc123"],
    ["  abc123\n", "abc123"],
    ["http://127.0.0.1:8765/#key=abc%2B1", "abc+1"],
    ["ready http://127.0.0.1:8765/#key=abc more", "abc"],
    ["", null],
    ["two words", null],
    ["http://127.0.0.1:8765/#/notes", null],
  ])("%j gives %j", (text, key) => expect(keyIn(text)).toBe(key));
});
