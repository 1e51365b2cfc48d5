import type { ComponentProps } from "react";
import { format, to, type Address, type Room } from "./address";
import { go, useHere } from "./here";

interface Target {
  /** Another room, with the feed as it is. */
  room?: Room;
  /** Or a whole address. */
  address?: Address;
  /** Takes the place of the present address instead of adding to the history. */
  replace?: boolean;
}

/** A link inside Memex. Opens in a new tab like any link. */
export function Go({
  room,
  address,
  replace = false,
  onClick,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & Target) {
  const from = useHere();
  const target = address ?? to(room ?? { at: "notes" }, from);
  return (
    <a
      {...rest}
      href={format(target)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(target, replace ? "replace" : "push");
      }}
    />
  );
}
