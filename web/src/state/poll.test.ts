import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTurn } from "../api/turns";
import { reached } from "../session/reach";
import { session } from "../session/session";
import { poll, type Poll } from "./poll";

const CALM = 20_000;
const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const frame = new EventTarget();
let running: Poll | null = null;
let looks = 0;
let up = true;

const look = () => {
  looks += 1;
  reached.set(up);
  return Promise.resolve();
};
/** How many looks came in that time. */
async function within(milliseconds: number): Promise<number> {
  const before = looks;
  await vi.advanceTimersByTimeAsync(milliseconds);
  return looks - before;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", frame);
  session.set({ ...session.get(), key: "k", refused: false });
  [looks, up] = [0, true];
  reached.set(true);
});

afterEach(() => {
  running?.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("looks at its pace while it reaches the server", async () => {
  running = poll(look, () => CALM);
  expect(await within(CALM - 1)).toBe(0);
  expect(await within(1)).toBe(1);
});

it("looks soon and then later where it reaches nothing, and at its pace again afterwards", async () => {
  up = false;
  running = poll(look, () => CALM);
  await within(0);
  const waits = [];
  for (const wait of [1_000, 2_000, 4_000, 4_000, 4_000]) waits.push(await within(wait));
  expect(waits).toEqual([1, 1, 1, 1, 1]);
  up = true;
  await within(4_000);
  expect(await within(CALM - 1)).toBe(0);
});

it("looks at once when the window gets the focus, or something else reached the server", async () => {
  up = false;
  running = poll(look, () => null);
  await within(7_000);
  const before = looks;
  frame.dispatchEvent(new Event("focus"));
  expect(looks).toBe(before + 1);
  await within(0);
  up = true;
  reached.set(true);
  expect(looks).toBe(before + 2);
  await within(0);
  // Nothing is amiss any more.
  frame.dispatchEvent(new Event("focus"));
  await within(60_000);
  expect(looks).toBe(before + 2);
});

it("waits for a change that is on its way, and looks again where one came between", async () => {
  const shown: string[] = [];
  let server = "open";
  const see = async (old: () => boolean) => {
    looks += 1;
    const found = server;
    await new Promise((come) => setTimeout(come, 100));
    if (!old()) shown.push(found);
  };
  const change = (to: string, takes: number) =>
    inTurn("a task", async () => {
      await new Promise((come) => setTimeout(come, takes));
      server = to;
    });
  running = poll(see, () => CALM);
  await within(50);
  expect(looks).toBe(1);
  void change("done", 30);
  await within(500);
  expect([looks, shown]).toEqual([2, ["done"]]);
  void change("open", 30);
  void change("done", 300);
  running.now();
  await within(320);
  expect(looks).toBe(2);
  await within(500);
  expect([looks, shown]).toEqual([3, ["done", "done"]]);
});

it("shows what is there while a change is on its way, where nothing is shown yet", async () => {
  let shown = 0;
  const see = (old: () => boolean) => {
    looks += 1;
    if (!old()) shown += 1;
    return Promise.resolve();
  };
  void inTurn(null, () => new Promise((come) => setTimeout(come, 300)));
  running = poll(
    see,
    () => null,
    () => shown === 0,
  );
  await within(100);
  expect([looks, shown]).toEqual([1, 1]);
  // What was shown may be old: once the change is through, it is looked at again.
  await within(300);
  expect([looks, shown]).toEqual([2, 2]);
});

it("looks soon, and once more when it is back, after a change that got no answer", async () => {
  running = poll(look, () => null);
  await within(0);
  expect(looks).toBe(1);
  up = false;
  reached.set(false);
  expect(await within(999)).toBe(0);
  expect(await within(1)).toBe(1);
  up = true;
  reached.set(true);
  expect(await within(60_000)).toBe(0);
  expect(looks).toBe(3);
});
