import { describe, expect, it } from "vitest";
import { ChatSession, heard, SessionAnswer, type Heard } from "../api/chat";
import { BLANK, gap, hear, merged, newest, older, read, running } from "./talk";
import { turnsOf } from "./turns";
import { doing, until } from "./words";

const at = "2026-06-15T12:00:00Z";
const session = (status?: string, revision = 1) =>
  ChatSession.parse({
    id: "s1",
    created_at: at,
    updated_at: at,
    revision,
    turn: status && { id: "t1", status, first_seq: 1 },
  });
const said = (seq: number, draft: object): Heard => {
  const found = heard("trace", JSON.stringify({ seq, at, turn: "t1", ...draft }));
  if (!found) throw new Error("not an event");
  return found;
};
const answer = (seqs: number[], next: string | null, whole = session("done")) =>
  SessionAnswer.parse({
    session: whole,
    trace: seqs.map((seq) => ({ seq, at, turn: "t1", type: "text", text: String(seq) })),
    next_cursor: next,
  });
const piece = (of: "text" | "thinking", text: string): Heard => ({ kind: "delta", of, text });
const begun = hear({ ...BLANK, session: session() }, [said(1, { type: "user", text: "a  long\nline" })]);
const numbers = (talk: typeof begun) => talk.events.map(({ seq }) => seq);

describe("what a stream says", () => {
  it("is read, and what isn't known is skipped", () => {
    expect(heard("delta", '{"kind":"text","text":"x"}')).toEqual(piece("text", "x"));
    for (const [event, data] of [
      ["trace", '{"seq":1,"at":"x","type":"plan","text":"later"}'],
      ["delta", '{"kind":"smell","text":"x"}'],
      ["error", '{"code":"x","message":"y"}'],
      ["trace", "not json"],
    ] as const) {
      expect(heard(event, data)).toBeNull();
    }
  });
});

describe("a conversation", () => {
  it("runs from the message on, under its first words", () => {
    expect(running(begun)).toBe(true);
    expect(begun.session?.title).toBe("a long line");
  });

  it("shows streamed text until the stored one takes its place", () => {
    const live = hear(begun, [piece("thinking", "h"), piece("thinking", "m"), piece("text", "Yes")]);
    expect(live.streaming).toEqual({ text: "Yes", thinking: "hm" });
    const thought = hear(live, [said(2, { type: "thinking", text: "hm" })]);
    expect(thought.streaming).toEqual({ text: "Yes", thinking: "" });
    expect(hear(thought, [said(3, { type: "text", text: "Yes." })]).streaming.text).toBe("");
  });

  it("waits at a gate and is over with done", () => {
    const gate = { type: "approval_request", run_id: "t1", reason: "approve_tool", tool: "x", call_id: "c" };
    const more = { arguments: {}, why: "", expires_at: at };
    expect(hear(begun, [said(2, { ...gate, ...more })]).session?.turn?.status).toBe("waiting");
    expect(running(hear(begun, [{ kind: "done", session: session("done") }]))).toBe(false);
  });

  it("takes an event once, whatever the order", () => {
    const twice = hear(begun, [
      said(3, { type: "text", text: "c" }),
      said(2, { type: "text", text: "b" }),
      said(3, { type: "text", text: "c" }),
    ]);
    expect(numbers(twice)).toEqual([1, 2, 3]);
    expect(merged(twice.events, twice.events)).toBe(twice.events);
    expect(gap(begun, said(3, { type: "text", text: "c" }))).toBe(true);
    expect(gap(begun, said(2, { type: "text", text: "b" }))).toBe(false);
  });

  it("reads on, pages backward, and starts over where a page is missing", () => {
    const first = read(BLANK, answer([5, 6], "5"));
    expect([numbers(first), first.earlier]).toEqual([[5, 6], "5"]);
    const back = older(first, answer([3, 4], "3"));
    expect([numbers(back), back.earlier, newest(back)]).toEqual([[3, 4, 5, 6], "3", 6]);
    const on = read(back, answer([6, 7], "6"));
    expect([numbers(on), on.earlier]).toEqual([[3, 4, 5, 6, 7], "3"]);
    const far = read(on, answer([20, 21], "20"));
    expect([numbers(far), far.earlier]).toEqual([[20, 21], "20"]);
  });

  it("keeps a newer session than the one that was read", () => {
    const live = hear(BLANK, [{ kind: "done", session: session("done", 7) }]);
    expect(read(live, answer([1], null, session("running", 6))).session?.turn?.status).toBe("done");
  });
});

describe("what it is at", () => {
  const words = (talk: typeof begun) => doing(talk, turnsOf(talk.events, talk.session).at(-1));
  const call = { type: "tool_call", tool: "search_notes", arguments: {}, call_id: "c1" };

  it("is said in words, from the first moment to the last", () => {
    expect(words({ ...begun, link: "sending" })).toBe("Sending…");
    expect(words(begun)).toBe("Reading your message…");
    expect(words(hear(begun, [piece("thinking", "h")]))).toBe("Thinking…");
    const looking = hear(begun, [said(2, call)]);
    expect(words(looking)).toBe("Searching your notes…");
    const found = { type: "tool_result", tool: "search_notes", ok: true, result: {}, call_id: "c1" };
    expect(words(hear(looking, [said(3, found)]))).toBe("Going through what was found…");
    expect(words(hear(begun, [said(2, { ...call, tool: "mcp_x" })]))).toBe("Using mcp_x…");
    expect(words(hear(begun, [piece("text", "Y")]))).toBe("Writing the answer…");
    expect(words({ ...begun, link: "away" })).toMatch(/connection is gone/);
    expect(words({ ...begun, session: session("done") })).toBeNull();
  });

  it("tells how long a question stays open", () => {
    const now = Date.parse(at);
    expect(until("2026-06-15T15:00:00Z", now)).toBe("Open for another 3 h; then it counts as no.");
    expect(until("2026-06-20T12:00:00Z", now)).toBe("Open for another 5 days; then it counts as no.");
    expect(until("2026-06-22T11:00:00Z", now)).toContain("another 7 days;");
    expect(until("2026-06-15T11:00:00Z", now)).toBe("The time to answer is over.");
  });
});
