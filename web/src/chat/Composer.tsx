import { useEffect, useId, useRef } from "react";
import { announce } from "../parts/announce";
import { useSignal } from "../state/signal";
import { useMedia } from "../state/useMedia";
import { draftOf, write } from "./draft";

interface Props {
  /** Whose draft it is. */
  draft: string;
  /** A message is on its way: its text stays as it is. */
  busy?: boolean;
  /** An answer is being written: it can be stopped, and the next message has to wait. */
  stop?: (() => void) | null;
  hint?: string;
  send: (text: string) => void;
}

/** The box for a message. With a keyboard Enter sends and Shift+Enter breaks the line; on a phone Enter breaks it. */
export function Composer({ draft, busy = false, stop = null, hint = "", send }: Props) {
  const text = useSignal(draftOf(draft));
  const keyboard = useMedia("(pointer: fine)");
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const able = text.trim() !== "" && !busy && stop === null;

  // What a button put in is there to be finished.
  const before = useRef(text);
  useEffect(() => {
    const field = box.current;
    if (text !== before.current && field && document.activeElement !== field && text !== "") {
      field.focus();
      field.setSelectionRange(text.length, text.length);
    }
    before.current = text;
  }, [text]);

  const submit = () => {
    if (able) send(text.trim());
    else if (stop) announce("An answer is still being written. Send when it is there, or stop it.");
  };
  return (
    <form
      className="composer"
      aria-label="Send a message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label className="unseen" htmlFor={id}>
        Message
      </label>
      <div className="capture-box">
        <textarea
          ref={box}
          id={id}
          data-message
          dir="auto"
          rows={2}
          placeholder="Ask, or say what to do"
          aria-describedby={`${id}-hint`}
          value={text}
          maxLength={20_000}
          readOnly={busy}
          onChange={(event) => write(draft, event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            const always = event.ctrlKey || event.metaKey;
            if (!always && (!keyboard || event.shiftKey || event.altKey)) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className="composer-more">
          <span className="soft" id={`${id}-hint`}>
            {hint || (keyboard ? "Enter sends, Shift+Enter breaks the line" : "")}
          </span>
          {stop ? (
            <button type="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" className="main" disabled={!able} title="Ctrl+Enter">
              {busy ? "Sending" : "Send"}
            </button>
          )}
        </div>
      </div>
    </form>
  );
}
