import { describe, expect, it } from "vitest";
import { ChatEvent } from "../api/chat";
import { turnsOf } from "../chat/turns";
import { graphOf, graphOfTurn, statesOf, type Chosen } from "./graph";

const single: Chosen = { agent_mode: "single", accuracy_mode: "standard", human_gate: false };
const multi: Chosen = { ...single, agent_mode: "multi" };

const at = "2026-01-01T00:00:00Z";
const plan = { type: "plan", steps: ["look"] };
const evidence = { type: "evidence", text: "1 passage found.", passages: [] };
const call = { type: "tool_call", tool: "search_notes", arguments: {}, call_id: "c" };
const result = { type: "tool_result", tool: "search_notes", ok: true, result: {}, call_id: "c" };
const revise = { type: "critique", verdict: "revise", text: "thin" };
const fine = { type: "critique", verdict: "ok", text: "" };
const passed = { type: "verification", verdict: "pass", reasons: [] };
const text = { type: "text", text: "So." };

function turn(steps: object[], status = "running") {
  const events = [{ type: "user", text: "why" }, ...steps].map((draft, index) =>
    ChatEvent.parse({ seq: index + 1, at, turn: "t", ...draft }),
  );
  const session = {
    id: "s", created_at: at, updated_at: at, revision: 1, title: null, incognito: false,
    turn: { id: "t", status, first_seq: 1, stopping: false },
  }; // prettier-ignore
  const [found] = turnsOf(events, session as Parameters<typeof turnsOf>[1]);
  if (!found) throw new Error("a turn has events");
  return found;
}

function stands(steps: object[], chosen: Chosen, status?: string) {
  const one = turn(steps, status);
  return Object.fromEntries(statesOf(one, graphOfTurn(one, chosen)));
}

describe("the graph of the chosen mode", () => {
  it.each([
    [single, "question agent finalize"],
    [multi, "question planner gather merge researcher critic finalize"],
    [
      { ...multi, accuracy_mode: "accurate" as const },
      "question planner gather merge researcher critic verifier finalize",
    ],
    [{ ...multi, human_gate: true }, "question planner gather merge researcher critic human_gate finalize"],
  ])("%j", (chosen, names) => {
    const graph = graphOf(chosen);
    expect(graph.column.join(" ")).toBe(names);
    const known = [...graph.column, graph.beside?.name];
    for (const { from, to } of graph.edges) expect(known).toEqual(expect.arrayContaining([from, to]));
    for (const name of graph.column.slice(1)) expect(graph.edges.some(({ to }) => to === name)).toBe(true);
  });
});

describe("a turn on its way through it", () => {
  it("goes from node to node", () => {
    expect(stands([], multi)).toMatchObject({ question: "done", planner: "active", gather: "idle" });
    expect(stands([plan], multi)).toMatchObject({ planner: "done", gather: "active" });
    expect(stands([plan, evidence], multi)).toMatchObject({ merge: "done", researcher: "active" });
    expect(stands([plan, evidence, call, result], multi)).toMatchObject({
      researcher: "active",
      critic: "idle",
    });
    expect(stands([plan, evidence, fine], multi)).toMatchObject({ critic: "done", finalize: "active" });
  });

  it("goes back once, and then on", () => {
    expect(stands([plan, evidence, revise], multi)).toMatchObject({ researcher: "active", critic: "done" });
    const replan = { ...revise, verdict: "replan" };
    expect(stands([plan, evidence, replan], multi)).toMatchObject({ planner: "active", researcher: "idle" });
    const again = [plan, evidence, revise, { ...revise, attempt: 2 }];
    expect(stands(again, multi)).toMatchObject({ researcher: "done", finalize: "active" });
  });

  it("waits where a person's word is wanted", () => {
    const egress = {
      type: "approval_request", run_id: "t", reason: "egress_approval", tool: "http_fetch", call_id: "d",
      blocked_host: "a.org", expires_at: at,
    }; // prettier-ignore
    expect(stands([plan, evidence, egress], multi, "waiting")).toMatchObject({ egress_gate: "waiting" });
    const answer = { type: "approval_request", run_id: "t", reason: "approve_answer", expires_at: at };
    expect(stands([plan, evidence, fine, answer], multi, "waiting")).toMatchObject({
      human_gate: "waiting",
      finalize: "idle",
    });
  });

  it("shows the graph that it ran through, whatever the settings are now", () => {
    expect(stands([plan, evidence, fine, passed, text], single, "done")).toMatchObject({
      verifier: "done",
      finalize: "done",
    });
    expect(stands([call, result, text], multi, "done")).toMatchObject({ agent: "done", tools: "done" });
    expect(
      stands([plan, { type: "error", code: "upstream", message: "gone" }], multi, "failed"),
    ).toMatchObject({
      gather: "failed",
    });
  });
});
