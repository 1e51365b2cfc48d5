import { describe, expect, it } from "vitest";
import { format, HOME, parse, to } from "./address";

describe("addresses", () => {
  it.each([
    "#/",
    "#/capture",
    "#/operations",
    "#/tasks",
    "#/operations/01abc",
    "#/approvals",
    "#/approvals/01abc",
    "#/activity/01abc",
    "#/routines",
    "#/agents",
    "#/memory",
    "#/notes/01abc",
    "#/notes/01abc?cite=2",
    "#/?q=%23tag+word&kind=research",
    "#/notes/01abc?q=x&bin=1",
  ])("%s comes back as it was", (hash) => expect(format(parse(hash))).toBe(hash));

  it("start at the notes", () => {
    for (const hash of ["", "#", "#/", "#/notes"]) expect(parse(hash).room).toEqual({ at: "notes" });
  });

  it.each([
    "#/nothing",
    "#/notes/a/b",
    "#middle",
    "#/%E0%A4%A",
    "#/capture/x",
    "#/tasks/x",
    "#/routines/x",
    "#/approvals/a/b",
  ])("%s is nowhere", (hash) => expect(parse(hash).room).toEqual({ at: "nowhere" }));

  it("drop what makes no sense", () => {
    expect(parse("#/?kind=secret&cite=-1")).toEqual(HOME);
    expect(parse("#/?cite=1.5&cite=2").cite).toBeNull();
  });

  it("keep the feed's filter when a note opens, and close its source", () => {
    const from = parse("#/notes/a?q=x&kind=link&cite=3");
    expect(format(to({ at: "note", id: "b" }, from))).toBe("#/notes/b?q=x&kind=link");
  });
});
