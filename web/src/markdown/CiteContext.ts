/** Draws the small numbers of one `[cite: ...]`; without it they are plain text. */
import { createContext, type ReactNode } from "react";

export const CiteContext = createContext<((number: number) => ReactNode) | null>(null);
