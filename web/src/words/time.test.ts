import { describe, expect, it } from "vitest";
import { ago, duration, nextLook } from "./time";

const now = Date.parse("2026-06-15T12:00:00Z");
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe("ages", () => {
  it.each([
    [0, "just now"],
    [44, "just now"],
    [-30, "just now"],
    [45, "1 min ago"],
    [200, "3 min ago"],
    [3_599, "59 min ago"],
    [3_600, "1 h ago"],
    [7_300, "2 h ago"],
    [86_400, "1 day ago"],
    [3 * 86_400, "3 days ago"],
    [10 * 86_400, "5 Jun"],
    [400 * 86_400, "11 May 2025"],
  ])("%d seconds are %s", (seconds, words) => expect(ago(before(seconds), now)).toBe(words));

  it("of no time are nothing", () => expect(ago("?", now)).toBe(""));
});

describe("durations", () => {
  it.each([
    [-5, "0 s"],
    [8_000, "8 s"],
    [200_000, "3 min"],
    [3_600_000, "1 h"],
    [4_800_000, "1 h 20 min"],
    [59_600, "1 min"],
    [230_000, "4 min"],
    [3_599_000, "1 h"],
    [86_399_000, "1 day"],
    [30 * 3_600_000, "1 day 6 h"],
    [48 * 3_600_000 - 60_000, "2 days"],
    [53 * 3_600_000, "2 days 5 h"],
    [6 * 86_400_000 + 23 * 3_600_000, "7 days"],
    [6 * 86_400_000 + 5 * 3_600_000, "6 days"],
  ])("%d ms are %s", (milliseconds, words) => expect(duration(milliseconds)).toBe(words));
});

describe("the next look", () => {
  it("counts down, then happens", () => {
    expect(nextLook(before(-4), now)).toBe("next look in 4 s");
    expect(nextLook(before(3), now)).toBe("looking now");
    expect(nextLook(null, now)).toBeNull();
  });
});
