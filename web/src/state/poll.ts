/** Looks again and again, but only while someone can see the result. */
import { session } from "../session/session";

export interface Poll {
  /** Look at once. */
  now: () => void;
  stop: () => void;
}

/** `pace` says how many milliseconds to wait after a look; null means until somebody asks. */
export function poll(look: () => Promise<void>, pace: () => number | null): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let again = false;
  let stopped = false;

  const able = () => {
    const { key, refused } = session.get();
    return document.visibilityState === "visible" && key !== null && !refused;
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    if (stopped) return;
    if (looking) {
      again = true;
      return;
    }
    if (!able()) return;
    looking = true;
    try {
      await look();
    } finally {
      looking = false;
    }
    schedule();
  };
  const now = () => void run();

  const schedule = () => {
    clearTimeout(timer);
    if (stopped) return;
    const wait = again ? 0 : pace();
    again = false;
    if (wait !== null && able()) timer = setTimeout(now, wait);
  };

  document.addEventListener("visibilitychange", now);
  window.addEventListener("online", now);
  let { key, refused } = session.get();
  const unsubscribe = session.subscribe(() => {
    const next = session.get();
    if (next.key === key && next.refused === refused) return;
    ({ key, refused } = next);
    now();
  });
  now();
  return {
    now,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", now);
      window.removeEventListener("online", now);
      unsubscribe();
    },
  };
}
