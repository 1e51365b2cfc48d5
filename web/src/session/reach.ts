/** Whether the last request got an answer at all. */
import { signal } from "../state/signal";

export const reached = signal(true);
