/** The time, for words like "3 min ago": one timer for all of them. */
import { useSyncExternalStore } from "react";

function clock(step: number) {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  const tick = () => {
    now = Date.now();
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => now,
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(tick, step);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}

const slow = clock(15_000);
const seconds = clock(1_000);

/** Changes every 15 seconds; with `every` "second", each second. */
export function useNow(every?: "second"): number {
  const source = every === "second" ? seconds : slow;
  return useSyncExternalStore(source.subscribe, source.get);
}
