/** One action behind a button: runs once at a time, keeps its problem, and its key until it succeeded. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem";
import { newKey } from "../words/key";

export interface Act {
  busy: boolean;
  problem: Problem | null;
  run: () => void;
  dismiss: () => void;
}

/** `act` gets an Idempotency-Key that stays the same until an answer came: a retry can't act twice. */
export function useAct(act: (key: string) => Promise<void>): Act {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef(false);
  const key = useRef<string | null>(null);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });

  const run = useCallback(() => {
    if (running.current) return;
    running.current = true;
    key.current ??= newKey();
    setBusy(true);
    setProblem(null);
    latest
      .current(key.current)
      .then(() => {
        key.current = null;
      })
      .catch((error: unknown) => {
        const found = Problem.from(error);
        if (found.status !== 0) key.current = null;
        setProblem(found);
      })
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  return { busy, problem, run, dismiss: useCallback(() => setProblem(null), []) };
}
