import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useSignal } from "../state/signal";
import { work } from "../operation/work";
import { help } from "./useKeys";

function Running() {
  const active = useSignal(work).length;
  return (
    <>
      Running
      {active > 0 && (
        <span className="badge">
          {active}
          <span className="unseen"> active</span>
        </span>
      )}
    </>
  );
}

/** The bar on top: name, rooms, keys. */
export function TopBar({ wide }: { wide: boolean }) {
  const { room, bin } = useHere();
  return (
    <header className="bar">
      <Go address={HOME} className="brand">
        Memex
      </Go>
      <nav aria-label="Rooms">
        {wide && (
          <Go room={{ at: "operations" }} aria-current={room.at === "operations" ? "page" : undefined}>
            <Running />
          </Go>
        )}
        <Go address={{ ...HOME, bin: !bin }} aria-current={bin ? "page" : undefined}>
          Bin
        </Go>
        <button
          type="button"
          className="plain"
          aria-label="Keys and this device"
          title="?"
          onClick={() => help.set(true)}
        >
          ?
        </button>
      </nav>
    </header>
  );
}

/** The bar at the thumb, on narrow screens. */
export function ThumbBar() {
  const { room } = useHere();
  const notes = room.at === "notes" || room.at === "note";
  return (
    <nav className="thumb" aria-label="Main">
      <Go room={{ at: "notes" }} aria-current={notes ? "page" : undefined}>
        Notes
      </Go>
      <Go room={{ at: "capture" }} className="main" aria-current={room.at === "capture" ? "page" : undefined}>
        Capture
      </Go>
      <Go
        room={{ at: "operations" }}
        aria-current={room.at === "operations" || room.at === "operation" ? "page" : undefined}
      >
        <Running />
      </Go>
    </nav>
  );
}
