/**
 * Changes of one thing, one after another: two on their way at once may arrive in either order. And whether some change
 * is on its way: what is read meanwhile may tell of the time before it.
 */
const newest = new Map<string, Promise<void>>();
let flying = 0;
let landed = 0;
let waiting: (() => void)[] = [];

/** Does `act` once the changes of this thing that were asked for before have their answer; at once where it is null. */
export async function inTurn<T>(thing: string | null, act: () => Promise<T>): Promise<T> {
  flying += 1;
  const before = thing === null ? undefined : newest.get(thing);
  const answer = before ? before.then(act) : act();
  const through = answer.then(
    () => undefined,
    () => undefined,
  );
  if (thing !== null) newest.set(thing, through);
  try {
    return await answer;
  } finally {
    flying -= 1;
    landed += 1;
    if (thing !== null && newest.get(thing) === through) newest.delete(thing);
    if (flying === 0) {
      for (const go of waiting) go();
      waiting = [];
    }
  }
}

/** Begins to read: the answer says later whether a change was on its way meanwhile, so that what was read is old. */
export function reading(): () => boolean {
  const before = landed;
  return () => flying > 0 || landed !== before;
}

/** Comes once no change is on its way; null where none is. */
export const quiet = (): Promise<void> | null =>
  flying === 0 ? null : new Promise((go) => waiting.push(go));
