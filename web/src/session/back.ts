/** What waits for Memex to be within reach again. */
import { useEffect, useRef } from "react";
import { reached } from "./reach";

/** Calls `act` each time that an answer comes after one did not. */
export function whenBack(act: () => void): () => void {
  let before = reached.get();
  return reached.subscribe(() => {
    const now = reached.get();
    const back = now && !before;
    before = now;
    if (back) act();
  });
}

/** The same while `waits` holds, and only with the words of when it began: whoever writes on decides when to send. */
export function useWhenBack(waits: boolean, words: string, act: () => void): void {
  const latest = useRef({ words, act });
  useEffect(() => {
    latest.current = { words, act };
  });
  useEffect(() => {
    if (!waits) return;
    const begun = latest.current.words;
    return whenBack(() => {
      if (latest.current.words === begun) latest.current.act();
    });
  }, [waits]);
}
