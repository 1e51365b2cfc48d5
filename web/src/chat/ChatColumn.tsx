import { useEffect, useRef, type Ref } from "react";
import { useSignal } from "../state/signal";
import { ChatPane } from "./ChatPane";
import { NARROWEST, sidebar, WIDEST, widen } from "./sidebar";

const STEP = 24;

/** The third column: the chat beside what is open, as wide as one likes it. */
export function ChatColumn({ id, column }: { id: string | null; column: Ref<HTMLElement> }) {
  return (
    <>
      <Edge />
      <aside className="chat" aria-label="Chat" tabIndex={-1} ref={column}>
        <ChatPane id={id} page={false} />
      </aside>
    </>
  );
}

/** Its left edge can be dragged, or moved with the arrow keys. */
function Edge() {
  const { width } = useSignal(sidebar);
  const edge = useRef<HTMLDivElement>(null);
  useEffect(() => {
    edge.current?.parentElement?.style.setProperty("--chat", `${width}px`);
  }, [width]);
  return (
    <div
      ref={edge}
      className="chat-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the chat"
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={width}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        widen(width + step);
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) widen(window.innerWidth - event.clientX);
      }}
    />
  );
}
