/** What a box in a list stands for, where it can be ticked; without it, a box is only drawn. */
import { createContext } from "react";

export interface Box {
  done: boolean;
  tick: () => void;
}

/** The box with these words; null where none of the page's things is it. */
export const BoxContext = createContext<((words: string) => Box | null) | null>(null);

/** The words beside the box that is being drawn. */
export const BoxWords = createContext("");
