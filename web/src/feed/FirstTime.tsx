import { draft, write } from "../capture/draft";
import { go, here } from "../route/here";
import { to } from "../route/address";

const EXAMPLES = [
  { text: "Ask for the survey results before Friday.", research: false, what: "a thought" },
  { text: "https://www.rfc-editor.org/rfc/rfc9562", research: false, what: "a link" },
  { text: "What speaks for sorting ids by time, and what against?", research: true, what: "a question" },
];

/** For someone who has just arrived: what to type, not an empty list. */
export function FirstTime() {
  return (
    <div className="first">
      <h2>Start with anything</h2>
      <p>
        Write it down and save it. Memex gives it a title, a summary and tags. Switch on <em>Research</em> and
        it comes back as a report with sources.
      </p>
      <ul>
        {EXAMPLES.map(({ text, research, what }) => (
          <li key={what}>
            <button
              type="button"
              className="example"
              onClick={() => {
                const before = draft.get();
                const begun = before.text.trim() !== "";
                write({ ...before, text: begun ? `${before.text}\n${text}` : text, research });
                go(to({ at: "capture" }, here.get()));
              }}
            >
              <span className="soft">Try {what}</span>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
