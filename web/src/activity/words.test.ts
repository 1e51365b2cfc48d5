import { describe, expect, it } from "vitest";
import { ActivityPage, DeadLetter, Deed } from "../api/activity";
import { deedWords, givenUp, grouped, lasted } from "./words";

const deed = (fields: object) =>
  Deed.parse({
    kind: "tool",
    id: "1",
    at: "",
    subject: "me",
    tool: "t",
    decision: "allowed",
    arguments: {},
    ...fields,
  });
const letter = (subscription: string) =>
  DeadLetter.parse({
    kind: "dead_letter",
    id: "9",
    at: "",
    subscription,
    message_id: "m",
    attempts: 5,
    reason: "500",
  });

describe("what was done", () => {
  it.each([
    [{ ok: true }, "Searched your notes for “tea”"],
    [{ ok: false, code: "not_found" }, "Could not search your notes for “tea” (not found)"],
    [{ decision: "asked" }, "Asked for your word: may it search your notes for “tea”?"],
    [{ decision: "approved", ok: true }, "Searched your notes for “tea”, after a yes"],
    [
      { decision: "denied", ok: false, code: "denied" },
      "Did not search your notes for “tea”: it was not allowed",
    ],
    [
      { decision: "refused", ok: false, code: "egress_blocked" },
      "Did not search your notes for “tea”: a rule refused it (egress blocked)",
    ],
  ])("%j", (fields, words) =>
    expect(deedWords(deed({ tool: "search_notes", arguments: { query: "tea" }, ...fields }))).toBe(words),
  );

  it("of a run that would change something is a proposal, until a person has said yes", () => {
    const asked = {
      tool: "create_note",
      class: "write",
      run_id: "r",
      arguments: { title: "Review" },
      ok: true,
    };
    expect(deedWords(deed(asked))).toBe("Asked for your approval to write the note “Review”");
    expect(deedWords(deed({ ...asked, decision: "approved" }))).toBe("Wrote the note “Review”, after a yes");
    expect(deedWords(deed({ ...asked, session_id: "s" }))).toBe("Wrote the note “Review”");
    expect(deedWords(deed({ ...asked, ok: false }))).toBe("Could not write the note “Review”");
  });

  it("says how long it took", () => {
    expect([0, 12, 1_440].map(lasted)).toEqual(["", "12 ms", "1.4 s"]);
  });

  it("is grouped by conversation and run, and what is not known is skipped", () => {
    const page = ActivityPage.parse({
      activity: [
        deed({ id: "5", session_id: "s" }),
        deed({ id: "4", session_id: "s", run_id: "r" }),
        deed({ id: "3", run_id: "r" }),
        letter("enrich"),
        { kind: "later" },
      ],
    });
    expect(grouped(page.activity).map(({ session, run, entries }) => [session, run, entries.length])).toEqual(
      [
        ["s", "", 2],
        ["", "r", 1],
        ["", "", 1],
      ],
    );
  });
});

describe("a message that was given up", () => {
  it.each(["enrich", "memex-research", "dispatch", "elsewhere"])("%s", (name) => {
    const { what, why, next } = givenUp(letter(name));
    expect(why).toBe("It was given up after 5 attempts: 500.");
    expect(what).not.toBe("");
    expect(next).not.toBe("");
  });
});
