import { describe, expect, it } from "vitest";
import { Task } from "../api/task";
import { boxes, taskOf, unboxed } from "./boxes";

const task = (id: string, title: string) => Task.parse({ id, title, created_at: "", updated_at: "" });
const TEXT = [
  "# Trip",
  "- [ ] Book the **train** [tickets](https://x.example/)",
  "> - [x] Ask [[Ann|for leave]].",
  "1. [ ] Pay 📅 2026-03-01",
  "```",
  "- [ ] only code",
  "```",
  "Buy sunscreen before Friday.",
].join("\n");

describe("boxes in a text", () => {
  it("are found wherever they stand, without their marks, and not in code", () => {
    expect(boxes(TEXT)).toEqual(["book the train tickets", "ask for leave", "pay"]);
  });

  it("are the tasks of the same words", () => {
    const tasks = [task("1", "Book the train tickets"), task("2", "Ask for leave")];
    expect(taskOf(tasks, "Book the train tickets")?.id).toBe("1");
    expect(taskOf(tasks, "ASK for leave!")?.id).toBe("2");
    expect(taskOf(tasks, "Ask")).toBeUndefined();
    expect(taskOf(tasks, "")).toBeUndefined();
  });

  it("leave below only the tasks that have none, first one first", () => {
    const tasks = [task("3", "Wash"), task("2", "Buy sunscreen"), task("1", "Book the train tickets")];
    expect(unboxed(tasks, TEXT).map(({ id }) => id)).toEqual(["2", "3"]);
  });

  it("know a long task by its beginning", () => {
    expect(unboxed([task("1", "Book the train…")], TEXT)).toEqual([]);
  });
});
