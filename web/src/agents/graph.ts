/** How the agents work together, as shared/agent/graph.py wires them, and where a turn stands in it. Pure. */
import type { Settings } from "../api/settings";
import type { TurnView } from "../chat/turns";

export type NodeName =
  | "question"
  | "agent"
  | "tools"
  | "planner"
  | "gather"
  | "merge"
  | "researcher"
  | "egress_gate"
  | "critic"
  | "verifier"
  | "human_gate"
  | "finalize";

export type NodeState = "idle" | "active" | "waiting" | "done" | "failed";

export const NODE_WORDS: Record<NodeName, { name: string; does: string }> = {
  question: { name: "Your message", does: "what you ask" },
  agent: { name: "Agent", does: "thinks, uses tools, answers" },
  tools: { name: "Tools", does: "your notes and what you allow" },
  planner: { name: "Planner", does: "sets out one to three steps" },
  gather: { name: "Gather", does: "asks all sources at once" },
  merge: { name: "Merge", does: "puts what was found in order" },
  researcher: { name: "Researcher", does: "works with tools, writes the draft" },
  egress_gate: { name: "Your word", does: "on a host or a tool that asks" },
  critic: { name: "Critic", does: "reviews the draft" },
  verifier: { name: "Verifier", does: "gives a verdict" },
  human_gate: { name: "Your word", does: "on the answer" },
  finalize: { name: "Answer", does: "the one that counts" },
};

export interface Edge {
  from: NodeName;
  to: NodeName;
  /** When it is taken; empty for always. */
  when: string;
}

export interface Graph {
  /** From top to bottom. */
  column: NodeName[];
  /** Beside the node of the column with which it speaks. */
  beside: { name: NodeName; of: NodeName } | null;
  edges: Edge[];
}

export type Chosen = Pick<Settings, "agent_mode" | "accuracy_mode" | "human_gate">;

export function graphOf({ agent_mode, accuracy_mode, human_gate }: Chosen): Graph {
  const edge = (from: NodeName, to: NodeName, when = ""): Edge => ({ from, to, when });
  if (agent_mode === "single") {
    return {
      column: ["question", "agent", "finalize"],
      beside: { name: "tools", of: "agent" },
      edges: [
        edge("question", "agent"),
        edge("agent", "tools", "calls"),
        edge("tools", "agent", "results"),
        edge("agent", "finalize"),
      ],
    };
  }
  const accurate = accuracy_mode === "accurate";
  const last: NodeName = human_gate ? "human_gate" : "finalize";
  const column: NodeName[] = [
    "question",
    "planner",
    "gather",
    "merge",
    "researcher",
    "critic",
    ...(accurate ? (["verifier"] as const) : []),
    ...(human_gate ? (["human_gate"] as const) : []),
    "finalize",
  ];
  return {
    column,
    beside: { name: "egress_gate", of: "researcher" },
    edges: [
      edge("question", "planner"),
      edge("planner", "gather"),
      edge("gather", "merge"),
      edge("merge", "researcher"),
      edge("researcher", "critic"),
      edge("researcher", "egress_gate", "blocked"),
      edge("egress_gate", "researcher"),
      edge("critic", "researcher", "revise"),
      edge("critic", "planner", "replan"),
      ...(accurate
        ? [
            edge("critic", "verifier", "ok"),
            edge("verifier", "researcher", "again"),
            edge("verifier", last, "pass"),
          ]
        : [edge("critic", last, "ok")]),
      ...(human_gate ? [edge("human_gate", "finalize", "approve")] : []),
    ],
  };
}

/** Which graph a turn really ran through: its own steps say so, whatever the settings are now. */
export function graphOfTurn(turn: TurnView, chosen: Chosen): Graph {
  const has = (type: string) => turn.steps.some((step) => step.type === type);
  if (!has("plan")) {
    return graphOf(has("tool_call") || turn.answer ? { ...chosen, agent_mode: "single" } : chosen);
  }
  return graphOf({
    agent_mode: "multi",
    accuracy_mode: has("verification") ? "accurate" : chosen.accuracy_mode,
    human_gate: turn.approval?.reason === "approve_answer" || chosen.human_gate,
  });
}

/** Where the turn stands: the state of each node of its graph. */
export function statesOf(turn: TurnView, graph: Graph): Map<NodeName, NodeState> {
  const states = new Map<NodeName, NodeState>([
    ...graph.column.map((name) => [name, "idle"] as [NodeName, NodeState]),
    ...(graph.beside ? [[graph.beside.name, "idle"] as [NodeName, NodeState]] : []),
  ]);
  const put = (name: NodeName, state: NodeState) => {
    if (states.has(name)) states.set(name, state);
  };
  const single = states.has("agent");
  const worker: NodeName = single ? "agent" : "researcher";
  put("question", "done");
  put(single ? "agent" : "planner", "active");
  for (const step of turn.steps) {
    switch (step.type) {
      case "plan":
        put("planner", "done");
        put("gather", "active");
        break;
      case "evidence":
        put("gather", "done");
        put("merge", "done");
        put("researcher", "active");
        break;
      case "tool_call":
        if (step.agent === "" || step.agent === "researcher") {
          for (const name of ["gather", "merge"] as const) put(name, "done");
          put(worker, "active");
          put("tools", "active");
        }
        break;
      case "tool_result":
        put("tools", "done");
        put("egress_gate", "idle");
        break;
      case "critique":
        for (const name of ["gather", "merge", "researcher"] as const) put(name, "done");
        put("critic", "done");
        sendOn(put, graph, step.verdict === "ok" || step.attempt > 1 ? "on" : step.verdict, "critic");
        break;
      case "verification":
        put("verifier", "done");
        sendOn(put, graph, step.verdict === "pass" || step.attempt > 1 ? "on" : "again", "verifier");
        break;
      case "recall":
      case "thinking":
      case "text":
      case "error":
        break;
    }
  }
  return settled(turn, graph, states, put);
}

type Put = (name: NodeName, state: NodeState) => void;

function sendOn(put: Put, graph: Graph, how: "on" | "revise" | "replan" | "again", from: NodeName): void {
  if (how === "on") {
    const next = graph.column[graph.column.indexOf(from) + 1];
    if (next) put(next, "active");
    return;
  }
  for (const name of ["critic", "verifier"] as const) if (name !== from) put(name, "idle");
  if (how === "replan") {
    for (const name of ["gather", "merge", "researcher"] as const) put(name, "idle");
    put("planner", "active");
  } else put("researcher", "active");
}

/** What the turn's own status says last. */
function settled(turn: TurnView, graph: Graph, states: Map<NodeName, NodeState>, put: Put): typeof states {
  const end = (state: NodeState) => {
    for (const [name, was] of states) if (was === "active") put(name, state);
  };
  switch (turn.status) {
    case "running":
      break;
    case "waiting":
      end("done");
      put(
        turn.approval?.reason === "approve_answer" ? "human_gate" : (graph.beside?.name ?? "tools"),
        "waiting",
      );
      break;
    case "done":
      end("done");
      put("finalize", "done");
      break;
    case "failed":
    case "cancelled":
    case "interrupted":
      end("failed");
      break;
  }
  return states;
}

export const STATE_WORDS: Record<NodeState, string> = {
  idle: "not reached",
  active: "at work",
  waiting: "waits for you",
  done: "done",
  failed: "ended here",
};
