import type { ReactNode } from "react";

/** The h1 of what is open; navigation puts the focus here. */
export function Heading({ children }: { children: ReactNode }) {
  return (
    <h1 tabIndex={-1} data-heading dir="auto">
      {children}
    </h1>
  );
}
