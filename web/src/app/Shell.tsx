import { useEffect, useRef } from "react";
import { Capture } from "../capture/Capture";
import { feed } from "../feed/feed";
import { FeedPane } from "../feed/FeedPane";
import { NotePage } from "../note/NotePage";
import { OperationPage } from "../operation/OperationPage";
import { OperationsPage } from "../operation/OperationsPage";
import { work } from "../operation/work";
import { Announcer } from "../parts/Announcer";
import { Heading } from "../parts/Heading";
import { HOME, to, type Room } from "../route/address";
import { Go } from "../route/Go";
import { go, here, useHere } from "../route/here";
import { useMedia, WIDE } from "../state/useMedia";
import { useTitle } from "../state/useTitle";
import { Banner } from "./Banner";
import { Help } from "./Help";
import { Home } from "./Home";
import { ThumbBar, TopBar } from "./Nav";
import { useFocus } from "./useFocus";
import { useKeys } from "./useKeys";

/** The columns: the feed, and what is open. On a narrow screen, one of them. */
export function Shell() {
  const { room } = useHere();
  const wide = useMedia(WIDE);
  const middle = useRef<HTMLElement>(null);
  useKeys();
  useFocus(room, middle);
  useEffect(() => feed.start(), []);
  useEffect(() => work.start(), []);

  return (
    <div className="shell" data-room={room.at}>
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
          {room.at === "capture" && !wide ? <CapturePage /> : <Open key={roomKey(room)} room={room} />}
        </section>
      </main>
      {!wide && <ThumbBar />}
      <Announcer />
      <Help />
    </div>
  );
}

/** Another note is another page: nothing of the last one lingers. */
function roomKey(room: Room): string {
  return "id" in room ? `${room.at} ${room.id}` : room.at;
}

function Open({ room }: { room: Room }) {
  switch (room.at) {
    case "note":
      return <NotePage id={room.id} />;
    case "operations":
      return <OperationsPage />;
    case "operation":
      return <OperationPage id={room.id} />;
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
      <p>
        <Go address={HOME}>To the notes</Go>
      </p>
    </div>
  );
}
