import { beforeEach, describe, expect, it } from "vitest";
import { runUndo, undo, undoably, undoLast } from "./undo";

/** A deed whose answer comes when the test says so. */
function deed(name: string, undone: string[]) {
  let done = () => {};
  let fail = () => {};
  const answer = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = () => reject(new Error("refused"));
  });
  const through = undoably(
    () => answer,
    `${name} is done.`,
    () => {
      undone.push(name);
      return Promise.resolve();
    },
  );
  through.catch(() => undefined);
  return { done, fail, through };
}

describe("the undo key", () => {
  beforeEach(() => undo.set(null));

  it("waits for the answer to the last deed and takes that one back", async () => {
    const undone: string[] = [];
    const first = deed("first", undone);
    first.done();
    await first.through;
    const second = deed("second", undone);
    const pressed = undoLast();
    expect(undone).toEqual([]);
    second.done();
    await pressed;
    expect(undone).toEqual(["second"]);
  });

  it("takes nothing back where the last deed failed", async () => {
    const undone: string[] = [];
    const first = deed("first", undone);
    first.done();
    await first.through;
    const second = deed("second", undone);
    const pressed = undoLast();
    second.fail();
    await pressed;
    expect(undone).toEqual([]);
    expect(undo.get()?.what).toBe("first is done.");
  });

  it("means the deed that was begun last, in whatever order the answers come", async () => {
    const undone: string[] = [];
    const first = deed("first", undone);
    const second = deed("second", undone);
    second.done();
    await second.through;
    first.done();
    await first.through;
    await undoLast();
    expect(undone).toEqual(["second"]);
  });

  it("does nothing a second time", async () => {
    const undone: string[] = [];
    const only = deed("only", undone);
    only.done();
    await Promise.all([undoLast(), undoLast()]);
    expect(undone).toEqual(["only"]);
  });
});

describe("the button beside an offer", () => {
  it("takes back what it stands beside, whatever else is on its way", async () => {
    const undone: string[] = [];
    const first = deed("first", undone);
    first.done();
    await first.through;
    const second = deed("second", undone);
    await runUndo();
    expect(undone).toEqual(["first"]);
    second.done();
    await second.through;
  });
});
