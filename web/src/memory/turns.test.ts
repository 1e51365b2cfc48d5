import { expect, it, vi } from "vitest";
import { ChatSession } from "../api/chat";
import { sessions } from "../chat/sessions";
import { onTurnEnd } from "./turns";

const talk = (status: string, turn = "t1") =>
  ChatSession.parse({
    id: "s1",
    created_at: "2026-06-15T12:00:00Z",
    updated_at: "2026-06-15T12:00:00Z",
    turn: { id: turn, status, first_seq: 1 },
  });

it("is called once for each turn that ends, and not while one runs", () => {
  const act = vi.fn();
  const stop = onTurnEnd(act);
  sessions.put(talk("running"));
  sessions.put(talk("waiting"));
  expect(act).toHaveBeenCalledTimes(0);
  sessions.put(talk("done"));
  sessions.put(talk("done"));
  expect(act).toHaveBeenCalledTimes(1);
  sessions.put(talk("running", "t2"));
  expect(act).toHaveBeenCalledTimes(1);
  sessions.put(talk("failed", "t2"));
  expect(act).toHaveBeenCalledTimes(2);
  stop();
  sessions.put(talk("done", "t3"));
  expect(act).toHaveBeenCalledTimes(2);
});
