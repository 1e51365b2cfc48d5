/** One action behind a button: runs once at a time, and keeps its problem. */
import { useCallback, useEffect, useMemo, useRef } from "react";
import { Problem } from "../api/problem";
import { signal, useSignal, type Signal } from "./signal";

export interface Act {
  busy: boolean;
  problem: Problem | null;
  run: () => void;
  dismiss: () => void;
}

type Going = Pick<Act, "busy" | "problem">;
const IDLE: Going = { busy: false, problem: null };
const named = new Map<string, Signal<Going>>();

function goingOn(name: string | undefined): Signal<Going> {
  const found = (name === undefined ? undefined : named.get(name)) ?? signal(IDLE);
  if (name !== undefined) named.set(name, found);
  return found;
}

/** With a `name` it is the same action for whoever leaves the room and comes back while it is on its way. */
export function useAct(act: () => Promise<void>, name?: string): Act {
  const going = useMemo(() => goingOn(name), [name]);
  const { busy, problem } = useSignal(going);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });

  const run = useCallback(() => {
    if (going.get().busy) return;
    going.set({ busy: true, problem: null });
    latest.current().then(
      () => going.set(IDLE),
      (error: unknown) => going.set({ busy: false, problem: Problem.from(error) }),
    );
  }, [going]);
  const dismiss = useCallback(() => going.set({ ...going.get(), problem: null }), [going]);
  return { busy, problem, run, dismiss };
}
