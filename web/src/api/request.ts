/** The one door to the server: key, base address, errors, and the shape of each answer. */
import type { ZodType } from "zod";
import { refuse, accept, session } from "../session/session";
import { reached } from "../session/reach";
import { config, type Service } from "./config";
import { Problem } from "./problem";
import { inTurn } from "./turns";
import { wish } from "./wishes";

export interface Ask {
  service?: Service;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Record<string, string | number | boolean | readonly string[] | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The request outlives the page that sends it. */
  keepalive?: boolean;
  /** What is changed, where that is not what the path names: its changes are sent one after another. */
  changes?: string;
  /** It must not be done twice: asked for again before its answer came, it goes with the same Idempotency-Key. */
  once?: boolean;
}

const PATIENCE = 30_000;

export function address(path: string, query: Ask["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "" || value === false) continue;
    if (Array.isArray(value)) for (const one of value as readonly string[]) search.append(name, one);
    else search.append(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** Sends, and gives the answer as it is: a 2xx or 304. Anything else is a Problem. */
export async function send(path: string, ask: Ask = {}): Promise<Response> {
  const { method = "GET", changes = method === "POST" ? null : path, once = false } = ask;
  if (method === "GET") return sendNow(path, ask);
  const act = (more = {}) => sendNow(path, { ...ask, headers: { ...ask.headers, ...more } });
  if (!once) return inTurn(changes, act);
  const what = JSON.stringify([method, path, ask.body]);
  return inTurn(changes, () => wish(what, (key) => act({ "Idempotency-Key": key })));
}

async function sendNow(path: string, ask: Ask): Promise<Response> {
  const { service = "api", method = "GET", query, body, headers = {}, signal, keepalive = false } = ask;
  const key = session.get().key;
  let answer: Response;
  try {
    const bases = await config();
    answer = await fetch(bases[service] + address(path, query), {
      method,
      cache: "no-store",
      credentials: "omit",
      keepalive,
      signal: signal ?? AbortSignal.timeout(PATIENCE),
      headers: {
        Accept: "application/json",
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const problem = error instanceof Problem ? error : Problem.unreached();
    reached.set(problem.status !== 0);
    throw problem;
  }
  reached.set(true);
  if (answer.ok || answer.status === 304) {
    accept(key);
    return answer;
  }
  if (answer.status === 401) refuse(key);
  throw Problem.told(answer.status, await answer.json().catch(() => null));
}

/** The answer's body, in its shape. */
export async function read<T>(answer: Response, shape: ZodType<T>): Promise<T> {
  const found = shape.safeParse(await answer.json().catch(() => null));
  if (!found.success) throw Problem.unreadable();
  return found.data;
}

export async function request<T>(path: string, shape: ZodType<T>, ask: Ask = {}): Promise<T> {
  return read(await send(path, ask), shape);
}

const remembered = new Map<string, { etag: string; shape: ZodType; value: unknown }>();
session.subscribe(() => remembered.clear());

/** A GET that costs nothing when nothing changed: the same object comes back. */
export async function fresh<T>(path: string, shape: ZodType<T>, query: Ask["query"] = {}): Promise<T> {
  const name = address(path, query);
  const known = remembered.get(name);
  // Who reads the same answer in another shape has not seen it yet.
  const before = known?.shape === shape ? known : undefined;
  const answer = await send(path, {
    query,
    headers: before ? { "If-None-Match": before.etag } : {},
  });
  if (answer.status === 304 && before) return before.value as T;
  const value = await read(answer, shape);
  const etag = answer.headers.get("ETag");
  remembered.delete(name);
  if (etag !== null) remembered.set(name, { etag, shape, value });
  for (const oldest of remembered.keys()) {
    if (remembered.size <= 20) break;
    remembered.delete(oldest);
  }
  return value;
}
