import { describe, expect, it } from "vitest";
import { asks, hashtags, withoutHashtag } from "./hashtags";

const QUESTION = "Why do pears ripen late?";

describe("hashtags around a text", () => {
  it.each([
    [`#research #garden ${QUESTION}`, ["research", "garden"]],
    [`${QUESTION} #research`, ["research"]],
    [`${QUESTION}\n\nThey are hard.\n#garden #research\n`, ["garden", "research"]],
    [`#garden\n#fruit\n${QUESTION}`, ["garden", "fruit"]],
    [`#garden, #fruit: ${QUESTION} #a1, #b1`, ["garden", "fruit", "a1", "b1"]],
    [`#Side_Project #garden/fruit ${QUESTION}`, ["side-project", "garden/fruit"]],
    [`${QUESTION} #2027goals #dad`, ["2027goals", "dad"]],
    [`${QUESTION} #हिन्दी`, ["हिन्दी"]],
    [`${QUESTION} #ＲＥＳＥＡＲＣＨ #-Research_`, ["research"]],
    [`# Pears\n\n${QUESTION}\n\n#research`, ["research"]],
    [`\`\`\`\nx = 1\n\`\`\`\n${QUESTION} #research`, ["research"]],
    ["   #garden three spaces are no code", ["garden"]],
    ["#only", ["only"]],
  ])("of %j are %j", (text, tags) => expect(hashtags(text)).toEqual(tags));

  it.each([
    "",
    "#",
    "# research",
    "## research",
    "Fixed in #123",
    "How does #research work?",
    "What is meant by #research?",
    "It is called #research.",
    "first #research\nlast line",
    "first\n#research begins the last line only",
    `${QUESTION} (#research)`,
    `${QUESTION} \\#research`,
    "see https://example.org/page#research",
    "issue#research",
    "#research#garden",
    `${QUESTION}\n\n    #research`,
    `${QUESTION}\n\n\t#research`,
    `${QUESTION}\n\`\`\`\n#research`,
    `${QUESTION}\n~~~\n\`\`\`\n#research`,
    `> ${QUESTION} #research`,
    "The wall is #a1b2c3",
    "The wall is #fff",
    "#header { color: red }",
    `${QUESTION} #-/_`,
    `${QUESTION} #${"x".repeat(900)}`,
  ])("are none in %j", (text) => expect(hashtags(text)).toEqual([]));

  it("ask for something where there is a word besides", () => {
    expect(asks(`${QUESTION} #research`, "research")).toBe(true);
    expect(asks(`${QUESTION} #researcher`, "research")).toBe(false);
    for (const alone of ["#research", "#research #garden\n", "#garden ... #research"]) {
      expect(asks(alone, "research")).toBe(false);
    }
  });

  it("are found in a moment, however long the text", () => {
    const started = performance.now();
    for (const text of ["#".repeat(900_000), `${" ".repeat(900_000)}#a`, `${"-".repeat(900_000)} #a`]) {
      hashtags(text);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("taking a hashtag out", () => {
  it.each([
    ["#research Why?", "Why?"],
    ["Why? #research", "Why?"],
    ["Why? #garden #research", "Why? #garden"],
    ["Why? #research #garden", "Why? #garden"],
    ["#research, #garden Why?", "#garden Why?"],
    ["#garden #Research Why?", "#garden Why?"],
    ["#research Why? #research", "Why?"],
    ["Why?\n\n#research", "Why?"],
    ["#research", ""],
    ["no #research here", "no #research here"],
  ])("makes %j %j", (text, left) => {
    expect(withoutHashtag(text, "research")).toBe(left);
    expect(hashtags(left)).not.toContain("research");
  });
});
