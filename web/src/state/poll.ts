/** Looks again and again, but only while someone can see the result. */
import { quiet, reading } from "../api/turns";
import { whenBack } from "../session/back";
import { reached } from "../session/reach";
import { session } from "../session/session";

/** Milliseconds until the first try after nothing could be reached; each next one waits twice as long. */
const SOON = 1_000;
const LATEST = 4_000;

export interface Poll {
  /** Look at once. */
  now: () => void;
  stop: () => void;
}

/**
 * `pace` says how many milliseconds to wait after a look; null means until somebody asks. While Memex can't be reached
 * it is tried again soon, and at once when something else reached it, or the window gets the focus.
 *
 * `look` is told how to ask whether what it found is old, because a change was on its way meanwhile: it shows nothing
 * of it then, and is called again. While nothing is shown yet (`blank`), old news are better than none.
 */
export function poll(
  look: (old: () => boolean) => Promise<void>,
  pace: () => number | null,
  blank: () => boolean = () => false,
): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let again = false;
  let stopped = false;
  /** Looks in a row that reached nothing. */
  let misses = 0;

  const able = () => {
    const { key, refused } = session.get();
    return !stopped && document.visibilityState === "visible" && key !== null && !refused;
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    if (looking) {
      again = true;
      return;
    }
    if (!able()) return;
    looking = true;
    try {
      const calm = blank() ? null : quiet();
      if (calm !== null) await calm;
      if (!able()) return;
      again = false;
      const old = reading();
      await look(() => !blank() && old());
      if (old() && !blank()) again = true;
    } finally {
      looking = false;
    }
    misses = reached.get() ? 0 : misses + 1;
    schedule();
  };
  const now = () => void run();
  const missed = () => {
    if (misses > 0 && !looking) now();
  };

  const schedule = () => {
    clearTimeout(timer);
    const usual = again ? 0 : pace();
    const soon = Math.min(LATEST, SOON * 2 ** (misses - 1));
    const wait = misses === 0 ? usual : Math.min(soon, usual ?? soon);
    again = false;
    if (wait !== null && able()) timer = setTimeout(now, wait);
  };

  document.addEventListener("visibilitychange", now);
  window.addEventListener("online", now);
  window.addEventListener("focus", missed);
  // A change that got no answer may have been made: everything on screen is looked at again, soon and once one is back.
  const unheeded = whenBack(() => {
    if (!looking) now();
  });
  const unlost = reached.subscribe(() => {
    if (reached.get() || looking) return;
    misses = Math.max(misses, 1);
    schedule();
  });
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
      window.removeEventListener("focus", missed);
      unheeded();
      unlost();
      unsubscribe();
    },
  };
}
