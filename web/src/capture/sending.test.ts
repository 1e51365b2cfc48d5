import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reached } from "../session/reach";
import { draft, EMPTY } from "./draft";
import { sendDraft, sending } from "./sending";

const NOTE = { id: "1", created_at: "", updated_at: "", kind: "capture", body: "precious" };
let keys: (string | null)[] = [];
let online = true;

beforeEach(() => {
  keys = [];
  online = true;
  vi.stubGlobal("document", { visibilityState: "hidden" });
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    if (url.endsWith("/config.json")) return Promise.resolve(Response.json({}));
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    return online ? Promise.resolve(Response.json({ note: NOTE })) : Promise.reject(new TypeError("offline"));
  });
  draft.set({ ...EMPTY, text: "precious" });
});
afterEach(() => vi.unstubAllGlobals());

it("is sent by itself, once and under its key, when an answer comes again", async () => {
  online = false;
  expect(await sendDraft()).toBe(false);
  expect(sending.get().problem?.status).toBe(0);
  online = true;
  reached.set(true);
  await vi.waitFor(() => expect(sending.get().saved?.id).toBe("1"));
  expect(sending.get().byItself).toBe(true);
  expect(draft.get().text).toBe("");
  expect(keys).toEqual([keys[0], keys[0]]);
});

it("is left to whoever has written on meanwhile", async () => {
  online = false;
  await sendDraft();
  draft.set({ ...draft.get(), text: "precious, and more" });
  online = true;
  reached.set(true);
  await Promise.resolve();
  expect(keys).toHaveLength(1);
  expect(draft.get().text).toBe("precious, and more");
});
