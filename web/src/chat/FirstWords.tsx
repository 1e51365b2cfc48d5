import { add } from "./draft";

const EXAMPLES = [
  { text: "What did I note about ", what: "Find", shown: "What did I note about …" },
  { text: "Add a task to ", what: "Remember", shown: "Add a task to …" },
  { text: "Tag my last note ", what: "Sort", shown: "Tag my last note …" },
  { text: "Research ", what: "Find out", shown: "Research …" },
];

/** What one can say here; each fills the box, to be finished. */
export function FirstWords({ draft }: { draft: string }) {
  return (
    <div className="first">
      <p>
        Ask about what you noted, or have it changed. Every step is shown, every change can be undone, and
        what takes something away asks first.
      </p>
      <ul>
        {EXAMPLES.map(({ text, what, shown }) => (
          <li key={what}>
            <button type="button" className="example" onClick={() => add(draft, text)}>
              <span className="soft">{what}</span>
              <span>{shown}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
