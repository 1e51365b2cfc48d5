import { describe, expect, it } from "vitest";
import { Task } from "../api/task";
import { moved, wished } from "./lists";

const task = (id: string, status = "open") =>
  Task.parse({ id, status, title: id, created_at: "", updated_at: "" });
const ids = (list: Task[]) => list.map(({ id }) => id).join("");
const lists = { open: [task("d"), task("b")], done: [task("c", "done")] };

describe("the lists of tasks", () => {
  it("move a task to where its status says, in its place", () => {
    const ticked = moved(lists, task("b", "done"));
    expect([ids(ticked.open), ids(ticked.done)]).toEqual(["d", "cb"]);
    const back = moved(ticked, task("c"));
    expect([ids(back.open), ids(back.done)]).toEqual(["dc", "b"]);
    expect(ids(moved(lists, task("e")).open)).toBe("edb");
  });

  it("hold a task once, and a dropped one not at all", () => {
    expect(ids(moved(lists, task("d")).open)).toBe("db");
    expect(ids(moved(lists, task("d", "dropped")).open)).toBe("b");
  });

  it("show what is wished and on its way; of a task that is in neither, nothing", () => {
    const both = new Map([
      ["b", { status: "done" as const }],
      ["c", { status: "open" as const }],
      ["x", { status: "done" as const }],
    ]);
    const now = wished(lists, both);
    expect([ids(now.open), ids(now.done)]).toEqual(["dc", "b"]);
    expect(wished(lists, new Map())).toBe(lists);
  });
});
