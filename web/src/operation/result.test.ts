import { describe, expect, it } from "vitest";
import { Result } from "../api/result";
import { citationsOf, confidence, numbersOf, pieces, withCitations } from "./result";

const whole = {
  schema: "memex.agent_task/1",
  summary: "It grows flat [S1, S2].",
  claims: [
    { claim: "One [S2]", confidence: 80, evidence: ["word for word"], sources: ["S2"] },
    { claim: "Two", confidence: null, evidence: ["either"], sources: ["S1", "S2"] },
  ],
  sources: [
    { id: "S1", title: "A note", url: "#/notes/01a", note_id: "01a" },
    { id: "S2", title: "A page", url: "https://example.org/", note_id: null },
  ],
};
const result = Result.parse(whole);

describe("a result", () => {
  it("is refused where it is not in its shape", () => {
    const wrong = [
      { schema: "memex.agent_task/2" },
      { confidence: 101 },
      { claims: [{ claim: "" }] },
      { artifacts: [{ kind: "table", title: "t", columns: ["a", "b"], rows: [["1"]] }] },
      {
        artifacts: [
          { kind: "comparison", title: "t", subjects: ["a", "b"], aspects: [{ name: "n", values: [] }] },
        ],
      },
      { artifacts: [{ kind: "html", title: "t" }] },
    ];
    for (const part of wrong) expect(Result.safeParse({ ...whole, ...part }).success).toBe(false);
    const rows = [["1", "2"]];
    const fine = { artifacts: [{ kind: "table", title: "t", columns: ["a", "b"], rows }] };
    expect(Result.safeParse({ ...whole, ...fine }).success).toBe(true);
  });

  it("numbers its sources, with the passage that can only be from there", () => {
    expect(citationsOf(result)).toMatchObject([
      { number: 1, source_kind: "note", note_id: "01a", quote: null },
      { number: 2, source_kind: "web", note_id: null, quote: "word for word" },
    ]);
    expect(numbersOf(result, ["S2", "S9", "#/notes/01a"])).toEqual([2, 1]);
  });

  it("turns marks into citations, and drops those that lead nowhere", () => {
    expect(withCitations(result, "It grows [S1, S2]. So [S9].")).toBe("It grows [cite: 1, 2]. So.");
    expect(pieces(result, "One [S2] more")).toEqual(["One", [2], " more"]);
    expect(pieces(result, "none")).toEqual(["none"]);
  });

  it("says where nobody judged", () => {
    expect(confidence(0)).toBe("0 of 100");
    expect(confidence(null)).toBe("not judged");
  });
});
