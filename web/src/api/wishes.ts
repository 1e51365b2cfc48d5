/** The Idempotency-Key of each wish: the same until it is known what came of it, so that asking again acts once. */
import { newKey } from "../words/key";
import { Problem } from "./problem";

/** Milliseconds after which the same words are another wish: by then one has seen what came of the first. */
const LONGEST = 600_000;
const open = new Map<string, { key: string; at: number }>();

/** Asks with the key of the wish `what`; a new one where the last asking had its answer, or nobody asked yet. */
export async function wish<T>(what: string, ask: (key: string) => Promise<T>): Promise<T> {
  const before = open.get(what);
  const mine = before && Date.now() - before.at < LONGEST ? before : { key: newKey(), at: Date.now() };
  open.set(what, mine);
  const known = () => {
    if (open.get(what) === mine) open.delete(what);
  };
  try {
    const answer = await ask(mine.key);
    known();
    return answer;
  } catch (error) {
    // Whoever broke down may have done it before.
    const { status } = Problem.from(error);
    if (status > 0 && status < 500) known();
    throw error;
  }
}
