import { describe, expect, it } from "vitest";
import { Frames } from "./frames";

const text =
  ": hello\n\nid: 1\nevent: task.started\ndata: {}\n\nid: 2\r\nevent: task.thinking\r\ndata: a\r\ndata: b\r\n\r\n" +
  ": keep-alive\n\ndata:no event\n\nevent: empty\n\nevent: done\ndata: {}\n\n";

describe("server-sent events", () => {
  const whole = new Frames().push(text);

  it("come with event, id and joined data", () => {
    expect(whole).toEqual([
      { event: "task.started", data: "{}", id: "1" },
      { event: "task.thinking", data: "a\nb", id: "2" },
      { event: "message", data: "no event", id: null },
      { event: "done", data: "{}", id: null },
    ]);
  });

  it("are the same in whatever pieces they arrive", () => {
    for (let size = 1; size < text.length; size += 1) {
      const frames = new Frames();
      const found = [];
      for (let at = 0; at < text.length; at += size) found.push(...frames.push(text.slice(at, at + size)));
      expect(found).toEqual(whole);
    }
  });

  it("ignore a byte order mark and an unfinished end", () => {
    expect(new Frames().push("\uFEFFdata: x\n\ndata: y\n")).toEqual([
      { event: "message", data: "x", id: null },
    ]);
  });
});
