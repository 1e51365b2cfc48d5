import { useEffect, useId, useRef } from "react";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { headline } from "../feed/preview";
import { draft, onlyUrl, toCapture, write } from "./draft";
import { sendDraft, sending } from "./sending";
import { usePrice } from "./usePrice";

interface Props {
  /** Called once the note is saved. */
  done?: () => void;
  focus?: boolean;
}

/** The box where every thought begins. Its text lives in `draft`, so it can come and go. */
export function Capture({ done, focus = false }: Props) {
  const words = useSignal(draft);
  const { busy, problem, saved } = useSignal(sending);
  const cost = usePrice();
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const filled = toCapture(words) !== null;

  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus]);

  const send = () => {
    void sendDraft().then((sent) => {
      if (!sent) return;
      if (done) done();
      else box.current?.focus();
    });
  };

  return (
    <form
      className={filled || words.tags !== "" || words.research ? "capture begun" : "capture"}
      aria-label="Capture"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="unseen" htmlFor={`${id}-text`}>
        A thought, a link, or a question
      </label>
      <textarea
        ref={box}
        id={`${id}-text`}
        data-capture
        dir="auto"
        rows={2}
        placeholder="A thought, a link, or a question"
        value={words.text}
        readOnly={busy}
        onChange={(event) => write({ ...words, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div className="capture-more">
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            checked={words.research}
            disabled={busy}
            onChange={(event) => write({ ...words, research: event.target.checked })}
          />
          <span>
            Research <span className="soft">{cost ?? ""}</span>
          </span>
        </label>
        <div className="capture-send">
          <label className="unseen" htmlFor={`${id}-tags`}>
            Tags
          </label>
          <input
            id={`${id}-tags`}
            className="tags-field"
            placeholder="tags"
            value={words.tags}
            readOnly={busy}
            autoCapitalize="none"
            onChange={(event) => write({ ...words, tags: event.target.value })}
          />
          <button type="submit" className="main" disabled={!filled || busy} title="Ctrl+Enter">
            {busy ? "Saving" : onlyUrl(words.text) ? "Save link" : "Save"}
          </button>
        </div>
      </div>
      {problem && <ProblemNote problem={problem} saved="Your text is kept here." again={send} />}
      {saved && !filled && (
        <p className="soft saved">
          Saved: <Go room={{ at: "note", id: saved.id }}>{headline(saved)}</Go>
        </p>
      )}
    </form>
  );
}
