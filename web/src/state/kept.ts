/** JSON in localStorage: what a person typed or read survives a reload. Never fails, only forgets. */
import type { ZodType } from "zod";

export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** localStorage, or nothing at all where the browser forbids it. */
export function shelf(): Shelf {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  }
}

export function take<T>(on: Shelf, name: string, shape: ZodType<T>): T | null {
  try {
    const text = on.getItem(name);
    if (text === null) return null;
    const found = shape.safeParse(JSON.parse(text));
    return found.success ? found.data : null;
  } catch {
    return null;
  }
}

export function keep(on: Shelf, name: string, value: unknown): void {
  try {
    if (value === null) on.removeItem(name);
    else on.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the value still lives in this tab.
  }
}
