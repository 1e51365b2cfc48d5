import { Age } from "../words/Age";

export type Tone = "quiet" | "user" | "planner" | "thinking" | "tool" | "good" | "bad" | "critic" | "verify";

interface Props {
  at: string;
  tone: Tone;
  label: string;
  text?: string;
  /** What the label or the text says in words, as data: folded. */
  data?: Record<string, unknown>;
  /** Folds a long text too. */
  fold?: boolean;
  /** Unfolded, until somebody folds it. */
  open?: boolean;
  /** A word after the label, in a colour of its own. */
  mark?: { word: string; good: boolean };
}

const SHORT = 140;

/** One compact row of a log or a trace, in its colour; details are folded. */
export function Step({ at, tone, label, text = "", data, fold = false, open = false, mark }: Props) {
  const hidden = data && Object.keys(data).length > 0 ? JSON.stringify(data, null, 2) : "";
  const long = fold || text.length > SHORT || text.includes("\n");
  const short = text.replace(/\s+/g, " ");
  return (
    <li className="step" data-tone={tone}>
      {hidden || long ? (
        <details open={open}>
          <summary data-whole={hidden !== "" || undefined}>
            {label !== "" && <strong>{label}</strong>} {mark && <Mark {...mark} />}
            <span dir="auto">{hidden ? short : short.slice(0, SHORT)}</span>
          </summary>
          <pre tabIndex={0}>{hidden || text}</pre>
        </details>
      ) : (
        <p>
          <strong>{label}</strong> {mark && <Mark {...mark} />}
          <span dir="auto">{text}</span>
        </p>
      )}
      <span className="soft">
        <Age at={at} />
      </span>
    </li>
  );
}

function Mark({ word, good }: { word: string; good: boolean }) {
  return (
    <>
      <b className="state" data-status={good ? "completed" : "failed"}>
        {word}
      </b>{" "}
    </>
  );
}
