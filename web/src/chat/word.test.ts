import { describe, expect, it } from "vitest";
import { beforehand, wordOf } from "./word";

describe("a message of just a word", () => {
  it.each(["yes", "Yes!", " ok. ", "Okay", "YES, PLEASE", "ja", "👍"])("%s is a yes", (text) => {
    expect(wordOf(text, "approve_tool")).toBe("approve");
    expect(wordOf(text, "approve_answer")).toBe("approve");
    expect(wordOf(text, "egress_approval")).toBe("egress_allow_once");
  });

  it.each(["no", "Nope.", "don’t", "Don't!", "nein", "stop"])("%s is a no", (text) => {
    expect(wordOf(text, "approve_tool")).toBe("reject");
    expect(wordOf(text, "egress_approval")).toBe("egress_deny");
  });

  it.each(["", "yes, but not the second one", "no idea", "is it ok?", "ok computer", "yes or no?", "1"])(
    "%s is another message",
    (text) => expect(wordOf(text, "approve_tool")).toBeNull(),
  );

  it("is told before it is sent", () => {
    expect(beforehand(" ", "approve_tool")).toContain("a new message counts as no");
    expect(beforehand("yes", "approve_tool")).toContain("your yes");
    expect(beforehand("no", "egress_approval")).toContain("your no");
    expect(beforehand("and the other one?", "approve_tool")).toContain("closes the question above as no");
  });
});
