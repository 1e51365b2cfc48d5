/** The agents of the graph, as functions/api/agents.py writes them, and every call about them. */
import * as z from "zod";
import { maybe } from "./maybe";
import { request } from "./request";

export const Agent = z.object({
  name: z.string(),
  does: z.string(),
  default_prompt: z.string(),
  /** Null where it is told the default. */
  prompt: maybe(z.string()),
  has_tools: z.boolean(),
  disabled_tools: z.array(z.string()),
});
export type Agent = z.infer<typeof Agent>;

export const AgentsAnswer = z.object({ agents: z.array(Agent) });

export interface AgentChoice {
  name: string;
  /** Empty goes back to the default. */
  prompt?: string;
  disabled_tools?: string[];
}

const CONFIG = "/api/v1/agents/config";

export async function getAgents(): Promise<Agent[]> {
  return (await request(CONFIG, AgentsAnswer)).agents;
}

/** Changes one agent; the others stay as they are. */
export async function putAgent(choice: AgentChoice): Promise<Agent[]> {
  return (await request(CONFIG, AgentsAnswer, { method: "PUT", body: { agents: [choice] } })).agents;
}
