import { describe, expect, it } from "vitest";
import { Task } from "../api/task";
import { moved } from "./lists";

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
});
