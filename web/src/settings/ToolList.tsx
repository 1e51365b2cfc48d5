import { listTools, type Tool } from "../api/settings";
import { ProblemNote } from "../parts/ProblemNote";
import { usePolled } from "../state/usePolled";

const TOUCHES: Record<Tool["class"], string> = {
  read: "only reads",
  write: "changes notes or tasks, can be undone",
  external: "costs money or leaves the house",
  destructive: "takes something away",
};

/** What the chat can do, and what of it asks first. Folded: one looks at it once. */
export function ToolList({ asks }: { asks: boolean }) {
  const { data, problem, reload } = usePolled(`tools ${asks}`, listTools, () => null);
  if (problem && !data) return <ProblemNote problem={problem} again={reload} />;
  return (
    <details className="trace">
      <summary>What the tools do, and which of them ask</summary>
      <ul className="tool-list">
        {(data ?? []).map((tool) => (
          <li key={tool.name}>
            <p>
              <code>{tool.name}</code>{" "}
              <span className="soft">
                {TOUCHES[tool.class]}
                {tool.asks ? " · asks each time" : ""}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
