/** Where the focus goes when another room opens, so that nobody has to look for it. */
import { useEffect, useRef, type RefObject } from "react";
import { sameRoom, type Room } from "../route/address";

export function useFocus(room: Room, middle: RefObject<HTMLElement | null>): void {
  const before = useRef(room);
  useEffect(() => {
    const left = before.current;
    before.current = room;
    if (sameRoom(left, room)) return;
    if (room.at === "capture") return;
    if (room.at === "notes") {
      const id = left.at === "note" ? left.id : null;
      const row = id === null ? null : document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
      row?.focus();
      return;
    }
    const pane = middle.current;
    if (!pane) return;
    pane.scrollTop = 0;
    pane.focus({ preventScroll: true });
  }, [room, middle]);
}
