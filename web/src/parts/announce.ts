/** Words for the live region: what a screen reader should hear without losing its place. */
import { signal } from "../state/signal";

export const spoken = signal("");

export function announce(text: string): void {
  // The same sentence twice is still news: a trailing space makes it different.
  spoken.set(spoken.get() === text ? `${text} ` : text);
}
