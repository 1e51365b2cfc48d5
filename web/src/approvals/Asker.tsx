import type { Approval } from "../api/approval";
import { useNameOf } from "../chat/names";
import { Go } from "../route/Go";
import { Age } from "../words/Age";

/** Who asks: an agent in a conversation or in a run, and for whom it works. */
export function Asker({ approval }: { approval: Approval }) {
  const { session_id, run_id, subject, created_at } = approval;
  const name = useNameOf(session_id);
  return (
    <>
      Asked{" "}
      {session_id !== null ? (
        <>
          in{" "}
          {name === null ? (
            "a conversation that is private"
          ) : (
            <Go room={{ at: "chat", id: session_id }} dir="auto">
              {name === undefined ? "a conversation" : `“${name}”`}
            </Go>
          )}
        </>
      ) : run_id !== null ? (
        <>
          by <Go room={{ at: "operation", id: run_id }}>a run</Go>
        </>
      ) : (
        "by an agent"
      )}
      {subject !== "" && <> for {subject}</>}, <Age at={created_at} />.
    </>
  );
}
