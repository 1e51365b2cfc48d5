import { useEffect, useId, useRef } from "react";
import { Problem } from "../api/problem";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useThere } from "../state/useThere";
import { headline } from "../feed/preview";
import { askedBy, draft, onlyUrl, switched, toCapture, write } from "./draft";
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
  const { busy, problem, saved, byItself } = useSignal(sending);
  const cost = usePrice();
  const box = useRef<HTMLTextAreaElement>(null);
  const there = useThere();
  const id = useId();
  const filled = toCapture(words) !== null;
  const asked = askedBy(words);
  const begun = filled || words.tags !== "" || asked !== null;

  // A hashtag may switch on what costs money: said aloud, too.
  const price = cost?.words ?? "";
  useEffect(() => {
    if (asked === "tag") announce(`#research switches research on: ${price}.`);
  }, [asked, price]);

  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus]);

  const send = () => {
    void sendDraft().then((sent) => {
      if (!sent || !there()) return;
      const at = document.activeElement;
      if (done) done();
      // Whoever writes elsewhere by now goes on there.
      else if (at === document.body || box.current?.form?.contains(at)) box.current?.focus();
    });
  };

  return (
    <form
      className="capture"
      aria-label="Capture"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="unseen" htmlFor={`${id}-text`}>
        A thought, a link, or a question
      </label>
      <div className="capture-box">
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
          {begun && (
            <input
              className="tags-field"
              aria-label="Tags"
              placeholder="Tags, if you like"
              value={words.tags}
              readOnly={busy}
              autoCapitalize="none"
              onChange={(event) => write({ ...words, tags: event.target.value })}
            />
          )}
          <label className="switch">
            <input
              type="checkbox"
              role="switch"
              checked={asked !== null}
              disabled={busy}
              onChange={(event) => write(switched(words, event.target.checked))}
            />
            <span>
              Research{" "}
              <span className="soft">
                {cost?.words}
                {asked === "tag" && <> · because of #research</>}
              </span>
            </span>
          </label>
          <button type="submit" className="main" disabled={!filled || busy} title="Ctrl+Enter">
            {busy ? "Saving" : onlyUrl(words.text) ? "Save link" : "Save"}
          </button>
        </div>
      </div>
      {problem && <ProblemNote problem={short(problem)} saved="Your text is kept here." again={send} />}
      {saved && !filled && (
        <p className="soft saved">
          {byItself ? "Memex is back, and it is saved" : "Saved"}:{" "}
          <Go room={{ at: "note", id: saved.id }}>{headline(saved)}</Go>
        </p>
      )}
    </form>
  );
}

/** Offline and signed out are told by the banner; here it is enough to say what became of the text. */
function short(problem: Problem): Problem {
  if (problem.status !== 0 && problem.status !== 401) return problem;
  const next = problem.status === 0 ? "It is sent by itself once Memex is back." : "";
  return new Problem(problem.status, problem.code, "Not saved yet.", next);
}
