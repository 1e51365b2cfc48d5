/** Calls and answers of a log that names no calls: an answer belongs to the oldest open call of its tool. Pure. */

export interface Pair<T> {
  event: T;
  /** What came of a call; null where it is open, or the event is no call. */
  answer: T | null;
}

/** The events in order, each answer at its call; an answer without a call stands alone. */
export function paired<T>(
  events: readonly T[],
  called: (event: T) => string | null,
  answered: (event: T) => string | null,
): Pair<T>[] {
  const all: Pair<T>[] = [];
  const open = new Map<string, Pair<T>[]>();
  for (const event of events) {
    const tool = answered(event);
    const call = tool === null ? undefined : open.get(tool)?.shift();
    if (call) {
      call.answer = event;
      continue;
    }
    const pair: Pair<T> = { event, answer: null };
    all.push(pair);
    const name = called(event);
    if (name !== null) open.set(name, [...(open.get(name) ?? []), pair]);
  }
  return all;
}
