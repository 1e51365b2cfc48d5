/** Where we are, and how to get elsewhere. The hash is the only state. */
import { takeKeyFromAddress } from "../session/session";
import { signal, useSignal } from "../state/signal";
import { format, parse, type Address } from "./address";

export const here = signal<Address>(parse(""));

/** Reads the address now and whenever it changes. */
export function startRouting(): void {
  const look = () => {
    takeKeyFromAddress();
    here.set(parse(location.hash));
  };
  window.addEventListener("hashchange", look);
  window.addEventListener("popstate", look);
  look();
}

/** Whether going back stays inside this page. */
let depth = 0;

export function go(address: Address, how: "push" | "replace" = "push"): void {
  const hash = format(address);
  if (how === "replace") history.replaceState(history.state, "", hash);
  else if (hash !== location.hash) {
    history.pushState(null, "", hash);
    depth += 1;
  }
  here.set(address);
}

/** Back to where we came from, or to `otherwise` when this page was opened from outside. */
export function back(otherwise: Address): void {
  if (depth > 0) {
    depth -= 1;
    history.back();
  } else go(otherwise, "replace");
}

export function useHere(): Address {
  return useSignal(here);
}
