/** Addresses that may be drawn as links, as `meant` puts them; null where a person's own text may link anywhere safe. */
import { createContext } from "react";

export const LinkContext = createContext<ReadonlySet<string> | null>(null);
