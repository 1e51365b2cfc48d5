import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { Capture } from "../capture/Capture";
import { ChatColumn } from "../chat/ChatColumn";
import { ChatPane } from "../chat/ChatPane";
import { change, ROOMY, sidebar } from "../chat/sidebar";
import { feed } from "../feed/feed";
import { FeedPane } from "../feed/FeedPane";
import { NotePage } from "../note/NotePage";
import { approvals } from "../approvals/waiting";
import { work } from "../operation/work";
import { Announcer } from "../parts/Announcer";
import { Heading } from "../parts/Heading";
import { WaysOn } from "../parts/WaysOn";
import { to, type Room } from "../route/address";
import { go, here, useHere } from "../route/here";
import { useSignal } from "../state/signal";
import { useMedia, WIDE } from "../state/useMedia";
import { setTitle, useTitle } from "../state/useTitle";
import { Banner } from "./Banner";
import { Help } from "./Help";
import { Home } from "./Home";
import { ThumbBar, TopBar } from "./Nav";
import {
  ActivityPage,
  AgentsPage,
  ApprovalPage,
  ApprovalsPage,
  MemoryPage,
  OperationPage,
  OperationsPage,
  RoutinesPage,
  SettingsPage,
  TasksPage,
} from "./rooms";
import { useFocus } from "./useFocus";
import { useKeys } from "./useKeys";

/** The columns: the feed, and what is open. On a narrow screen, one of them. */
export function Shell() {
  const { room } = useHere();
  const wide = useMedia(WIDE);
  const roomy = useMedia(ROOMY);
  const { open, session } = useSignal(sidebar);
  const middle = useRef<HTMLElement>(null);
  const column = useRef<HTMLElement>(null);
  const chat = room.at === "chat" ? room.id : session;
  const beside = roomy && (open || room.at === "chat");
  useKeys();
  // From one conversation to another is no other room.
  const place = useMemo<Room>(() => (room.at === "chat" ? { at: "chat", id: null } : room), [room]);
  useFocus(place, room.at === "chat" && beside ? column : middle);
  useEffect(() => {
    if (room.at === "chat") change({ session: room.id, ...(roomy ? { open: true } : {}) });
  }, [room, roomy]);
  // A page that names itself does so after this.
  const key = roomKey(room);
  useLayoutEffect(() => setTitle(titleOf(here.get().room)), [key]);
  useEffect(() => feed.start(), []);
  useEffect(() => work.start(), []);
  useEffect(() => approvals.start(), []);

  return (
    <div className="shell" data-room={room.at} data-chat={beside ? "beside" : undefined}>
      <a
        className="skip"
        href="#middle"
        onClick={(event) => {
          event.preventDefault();
          middle.current?.focus();
        }}
      >
        Skip to what is open
      </a>
      <TopBar wide={wide} />
      <Banner />
      <main>
        <section className="feed" aria-label="Notes">
          {wide && <Capture focus={room.at === "capture"} />}
          <FeedPane />
        </section>
        <section className="middle" id="middle" aria-label="Open" tabIndex={-1} ref={middle}>
          {room.at === "capture" && !wide ? <CapturePage /> : <Open key={key} room={room} page={!roomy} />}
        </section>
        {beside && <ChatColumn id={chat} column={column} />}
      </main>
      {!wide && <ThumbBar />}
      <Announcer />
      <Help />
    </div>
  );
}

/** Another note is another page: nothing of the last one lingers. */
function roomKey(room: Room): string {
  if (room.at === "note" || room.at === "operation" || room.at === "approvals" || room.at === "activity")
    return `${room.at} ${room.id}`;
  return room.at;
}

/** What the tab is called until a room says a name of its own, if it has one. */
function titleOf({ at }: Room): string {
  if (at === "operations") return "Running work";
  if (at === "notes" || at === "capture" || at === "nowhere") return "";
  return at.charAt(0).toUpperCase() + at.slice(1);
}

/** `page`: there is no room beside it, so that the chat is a page like others. */
function Open({ room, page }: { room: Room; page: boolean }) {
  switch (room.at) {
    case "note":
      return <NotePage id={room.id} />;
    case "tasks":
      return <TasksPage />;
    case "operations":
      return <OperationsPage />;
    case "operation":
      return <OperationPage id={room.id} />;
    case "settings":
      return <SettingsPage />;
    case "approvals":
      return room.id === null ? <ApprovalsPage /> : <ApprovalPage id={room.id} />;
    case "routines":
      return <RoutinesPage />;
    case "activity":
      return <ActivityPage id={room.id} />;
    case "agents":
      return <AgentsPage />;
    case "memory":
      return <MemoryPage />;
    case "chat":
      return page ? <ChatPane id={room.id} page /> : <Home />;
    case "notes":
    case "capture":
      return <Home />;
    case "nowhere":
      return <Nowhere />;
  }
}

/** On a narrow screen capture has a page of its own, and gives the way back to the feed. */
function CapturePage() {
  useTitle("Capture");
  return (
    <div className="page capture-page">
      <Heading>Capture</Heading>
      <Capture focus done={() => go(to({ at: "notes" }, here.get()))} />
    </div>
  );
}

function Nowhere() {
  useTitle("Nothing here");
  return (
    <div className="page">
      <Heading>Nothing is at this address</Heading>
      <p>The address may be mistyped, or from another Memex.</p>
      <WaysOn />
    </div>
  );
}
