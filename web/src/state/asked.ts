/** What is not in the feed and is asked for by its id: once each, a few at a time. */
import { useEffect } from "react";
import { Problem } from "../api/problem";
import { session } from "../session/session";
import { signal, useSignal } from "./signal";

const AT_ONCE = 4;

/** A hook that has `ask` find what belongs to an id; `gone` where there is no such thing, undefined before it is known. */
export function askedOnce<T>(ask: (id: string) => Promise<T>, gone: T): (id: string | null) => T | undefined {
  const known = signal<ReadonlyMap<string, T>>(new Map());
  const wanted: string[] = [];
  const asked = new Set<string>();
  let running = 0;
  session.subscribe(() => {
    asked.clear();
    known.set(new Map());
  });

  const put = (id: string, found: T) => known.set(new Map(known.get()).set(id, found));

  async function find(id: string): Promise<void> {
    running += 1;
    try {
      put(id, await ask(id));
    } catch (error) {
      if (Problem.from(error).status === 404) put(id, gone);
      // Whoever shows it the next time asks again.
      else asked.delete(id);
    } finally {
      running -= 1;
      next();
    }
  }

  function next(): void {
    while (running < AT_ONCE) {
      const id = wanted.shift();
      if (id === undefined) return;
      void find(id);
    }
  }

  return (id) => {
    const found = useSignal(known);
    useEffect(() => {
      if (id === null || asked.has(id)) return;
      asked.add(id);
      wanted.push(id);
      next();
    }, [id]);
    return id === null ? undefined : found.get(id);
  };
}
