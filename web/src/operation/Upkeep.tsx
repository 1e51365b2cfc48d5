import { over } from "../api/operation";
import { listUpkeep } from "../api/server";
import { usePolled } from "../state/usePolled";
import { OperationRow } from "./OperationRow";
import { upkeep } from "./words";

/** What goes on by itself beside the conversations, in one line: nobody asked for it, and it may be looked into. */
export function Upkeep() {
  const { data, reload } = usePolled(
    "upkeep",
    () => listUpkeep(),
    (page) => (page?.operations.some(({ status }) => !over(status)) ? 4_000 : 20_000),
  );
  if (!data || data.operations.length === 0) return null;
  return (
    <details className="done upkeep">
      <summary>{upkeep(data.operations, data.next_cursor !== null)}</summary>
      <ul className="work" aria-label="Remembering">
        {data.operations.map((operation) => (
          <OperationRow key={operation.id} operation={operation} changed={reload} />
        ))}
      </ul>
    </details>
  );
}
