import { useEffect, useRef, useState } from "react";
import { approvals } from "../approvals/waiting";
import { HOME, type Room } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useSignal } from "../state/signal";

const ROOMS: { room: Room; name: string }[] = [
  { room: { at: "routines" }, name: "Routines" },
  { room: { at: "memory" }, name: "Memory" },
  { room: { at: "agents" }, name: "Agents" },
  { room: { at: "activity", id: null }, name: "Activity" },
];

/** The number of proposals that wait, for a link or a button. */
export function Proposals() {
  const waiting = useSignal(approvals).length;
  return waiting === 0 ? null : (
    <span className="badge">
      {waiting}
      <span className="unseen"> waiting</span>
    </span>
  );
}

/** The rooms that one enters seldom; on a narrow screen, approvals too, for which the bar has no place. */
export function More({ wide }: { wide: boolean }) {
  const { room, bin } = useHere();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);
  const at = (name: Room["at"]) => (room.at === name ? "page" : undefined);
  const within =
    bin ||
    room.at === "settings" ||
    (!wide && room.at === "approvals") ||
    ROOMS.some(({ room: one }) => one.at === room.at);
  return (
    <div
      className="more-rooms"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.preventDefault();
        close();
        button.current?.focus();
      }}
    >
      <button
        type="button"
        className="plain"
        ref={button}
        data-current={within || undefined}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        More{!wide && <Proposals />}
      </button>
      {open && (
        <ul>
          {!wide && (
            <li>
              <Go room={{ at: "approvals", id: null }} aria-current={at("approvals")} onClick={close}>
                Approvals
                <Proposals />
              </Go>
            </li>
          )}
          {ROOMS.map(({ room: target, name }) => (
            <li key={name}>
              <Go room={target} aria-current={at(target.at)} onClick={close}>
                {name}
              </Go>
            </li>
          ))}
          <li>
            <Go address={{ ...HOME, bin: !bin }} aria-current={bin ? "page" : undefined} onClick={close}>
              Bin
            </Go>
          </li>
          <li>
            <Go room={{ at: "settings" }} aria-current={at("settings")} onClick={close}>
              Settings
            </Go>
          </li>
        </ul>
      )}
    </div>
  );
}
