import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "./problem";
import { wish } from "./wishes";

const keys: string[] = [];
/** Asks, and is answered with this status; 0 for none at all. */
const ask = (what: string, status: number) =>
  wish(what, (key) => {
    keys.push(key);
    return status === 200 ? Promise.resolve() : Promise.reject(new Problem(status, "x", "x", ""));
  }).catch(() => undefined);

beforeEach(() => {
  keys.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("a wish of which nobody knows what came of it is asked again with its key", async () => {
  for (const status of [0, 503, 504, 200]) await ask("a task: milk", status);
  expect(new Set(keys).size).toBe(1);
});

test("what was answered is over: the same words are a new wish", async () => {
  for (const status of [200, 422, 409, 200]) await ask("a task: bread", status);
  expect(new Set(keys).size).toBe(4);
});

test("other words are another wish, and do not end the first", async () => {
  await ask("a task: tea", 0);
  await ask("a task: green tea", 200);
  await ask("a task: tea", 200);
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

test("one asked twice at once is one wish", async () => {
  await Promise.all([ask("run it", 200), ask("run it", 200)]);
  expect(new Set(keys).size).toBe(1);
});

test("much later it is meant anew", async () => {
  await ask("run it now", 0);
  vi.advanceTimersByTime(600_001);
  await ask("run it now", 200);
  expect(new Set(keys).size).toBe(2);
});
