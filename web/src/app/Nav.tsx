import { ROOMY, sidebar, toggle } from "../chat/sidebar";
import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useSignal } from "../state/signal";
import { useMedia } from "../state/useMedia";
import { work } from "../operation/work";
import { More, Proposals } from "./More";
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

/** Beside the page where there is room for it, a page of its own elsewhere. */
function ChatSwitch() {
  const { room } = useHere();
  const roomy = useMedia(ROOMY);
  const open = useSignal(sidebar).open;
  if (!roomy) {
    return (
      <Go room={{ at: "chat", id: null }} aria-current={room.at === "chat" ? "page" : undefined}>
        Chat
      </Go>
    );
  }
  return (
    <button
      type="button"
      className="plain"
      aria-expanded={open || room.at === "chat"}
      title="s"
      onClick={toggle}
    >
      Chat
    </button>
  );
}

/** The bar on top: name, the rooms of every day, all others, keys. */
export function TopBar({ wide }: { wide: boolean }) {
  const { room, bin } = useHere();
  const notes = (room.at === "notes" || room.at === "note") && !bin;
  return (
    <header className="bar">
      <Go address={HOME} className="brand">
        Memex
      </Go>
      <nav aria-label="Rooms">
        {wide && (
          <Go address={HOME} aria-current={notes ? "page" : undefined}>
            Notes
          </Go>
        )}
        <Go room={{ at: "tasks" }} aria-current={room.at === "tasks" ? "page" : undefined}>
          Tasks
        </Go>
        {wide && <ChatSwitch />}
        {wide && (
          <Go
            room={{ at: "operations" }}
            aria-current={room.at === "operations" || room.at === "operation" ? "page" : undefined}
          >
            <Running />
          </Go>
        )}
        {wide && (
          <Go
            room={{ at: "approvals", id: null }}
            aria-current={room.at === "approvals" ? "page" : undefined}
          >
            Approvals
            <Proposals />
          </Go>
        )}
        <More wide={wide} />
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
      <Go room={{ at: "chat", id: null }} aria-current={room.at === "chat" ? "page" : undefined}>
        Chat
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
