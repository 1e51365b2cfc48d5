/** One thing from the server, kept fresh while it is on screen. Old data stays when a look fails. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem";
import { poll, type Poll } from "./poll";

export interface Polled<T> {
  data: T | null;
  problem: Problem | null;
  reload: () => void;
  /** Shows what an edit made of it: of the newest value, for other edits may have come between. */
  put: (change: (now: T) => T) => void;
}

/** `name` says which thing it is: another name starts over. */
export function usePolled<T>(
  name: string,
  load: () => Promise<T>,
  pace: (value: T | null) => number | null,
): Polled<T> {
  const [state, setState] = useState<{ name: string; data: T | null; problem: Problem | null }>({
    name,
    data: null,
    problem: null,
  });
  const latest = useRef({ load, pace, data: null as T | null });
  const running = useRef<Poll | null>(null);

  useEffect(() => {
    latest.current.load = load;
    latest.current.pace = pace;
  });

  useEffect(() => {
    let gone = false;
    const memory = latest.current;
    memory.data = null;
    const look = async (old: () => boolean) => {
      const before = memory.data;
      try {
        const data = await memory.load();
        // An edit that landed while we were looking is newer than what we saw.
        if (gone || old() || memory.data !== before) return;
        memory.data = data;
        setState({ name, data, problem: null });
      } catch (error) {
        if (!gone) setState({ name, data: memory.data, problem: Problem.from(error) });
      }
    };
    const started = poll(
      look,
      () => memory.pace(memory.data),
      () => memory.data === null,
    );
    running.current = started;
    return () => {
      gone = true;
      started.stop();
    };
  }, [name]);

  const reload = useCallback(() => running.current?.now(), []);
  const put = useCallback(
    (change: (now: T) => T) => {
      const now = latest.current.data;
      if (now !== null) {
        const data = change(now);
        latest.current.data = data;
        setState({ name, data, problem: null });
      }
      running.current?.now();
    },
    [name],
  );
  const current = state.name === name;
  return { data: current ? state.data : null, problem: current ? state.problem : null, reload, put };
}
