/** MCP servers, as shared/models/mcp.py writes them, and every call about them. Their secrets go in, and never out. */
import * as z from "zod";
import { maybe } from "./maybe";
import { request } from "./request";

export const McpTool = z.object({
  name: z.string(),
  /** The server's own word. */
  description: z.string(),
  schema_text: z.string(),
  approved: z.boolean().default(false),
  /** It was approved, and is not any more what was approved. */
  changed: z.boolean().default(false),
  /** Why it can't be approved. */
  unusable: z.string().default(""),
});
export type McpTool = z.infer<typeof McpTool>;

export const McpServer = z.object({
  id: z.string(),
  revision: z.int().default(1),
  name: z.string(),
  url: z.string(),
  headers: z.array(z.string()),
  status: z.enum(["ready", "unreachable"]),
  error: maybe(z.object({ code: z.string(), message: z.string(), next: z.string() })),
  checked_at: z.string(),
  tools: z.array(McpTool).default([]),
});
export type McpServer = z.infer<typeof McpServer>;

export const McpServerPage = z.object({ servers: z.array(McpServer) });
export const McpServerAnswer = z.object({ server: McpServer });

export interface NewMcpServer {
  name: string;
  url: string;
  headers: Record<string, string>;
}

const ALL = "/api/v1/mcp/servers";
const at = (id: string, deed = "") => `${ALL}/${encodeURIComponent(id)}${deed}`;

export async function listServers(): Promise<McpServer[]> {
  return (await request(ALL, McpServerPage)).servers;
}

export async function addServer(wanted: NewMcpServer): Promise<McpServer> {
  const ask = { method: "POST", body: wanted, once: true } as const;
  return (await request(ALL, McpServerAnswer, ask)).server;
}

export async function refreshServer(id: string): Promise<McpServer> {
  return (await request(at(id, "/refresh"), McpServerAnswer, { method: "POST", changes: at(id) })).server;
}

/** Exactly these tools may be used; fails with 409 when the server's list was looked at anew since `revision`. */
export async function approveTools(id: string, tools: string[], revision: number): Promise<McpServer> {
  const headers = { "If-Match": String(revision) };
  const ask = { method: "POST", body: { tools }, headers, changes: at(id) } as const;
  return (await request(at(id, "/approve"), McpServerAnswer, ask)).server;
}

export async function removeServer(id: string): Promise<void> {
  await request(at(id), McpServerAnswer, { method: "DELETE" });
}
