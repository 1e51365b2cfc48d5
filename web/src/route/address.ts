/** The address of everything: `#/notes/<id>?q=...`. Pure: text to place and back. */
import { KINDS, type Kind } from "../api/note";

export type Room =
  | { at: "notes" }
  | { at: "capture" }
  | { at: "note"; id: string }
  | { at: "tasks" }
  | { at: "operations" }
  | { at: "operation"; id: string }
  /** A conversation, or all of them. */
  | { at: "chat"; id: string | null }
  | { at: "settings" }
  /** What agents propose: one proposal, or all that wait. */
  | { at: "approvals"; id: string | null }
  | { at: "routines" }
  /** What tools did: in one conversation or run, or in all. */
  | { at: "activity"; id: string | null }
  | { at: "agents" }
  | { at: "memory" }
  | { at: "nowhere" };

export interface Address {
  room: Room;
  /** What the feed is filtered by; `#word` in it is a tag. */
  q: string;
  kind: Kind | null;
  bin: boolean;
  /** The citation that is open beside the note. */
  cite: number | null;
}

export const HOME: Address = { room: { at: "notes" }, q: "", kind: null, bin: false, cite: null };

function room(path: string): Room {
  const [first = "", id, ...rest] = path.split("/").filter((part) => part !== "");
  if (rest.length > 0) return { at: "nowhere" };
  switch (first) {
    case "":
      return { at: "notes" };
    case "notes":
      return id === undefined ? { at: "notes" } : { at: "note", id };
    case "operations":
      return id === undefined ? { at: "operations" } : { at: "operation", id };
    case "chat":
    case "approvals":
    case "activity":
      return { at: first, id: id ?? null };
    case "settings":
    case "tasks":
    case "capture":
    case "routines":
    case "agents":
    case "memory":
      return id === undefined ? { at: first } : { at: "nowhere" };
    default:
      return { at: "nowhere" };
  }
}

export function parse(hash: string): Address {
  if (hash !== "" && hash !== "#" && !hash.startsWith("#/")) return { ...HOME, room: { at: "nowhere" } };
  const [path = "", search = ""] = hash.slice(1).split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const kind = KINDS.find((known) => known === query.get("kind")) ?? null;
  const cite = Number(query.get("cite") ?? "");
  let place: Room;
  try {
    place = room(decodeURIComponent(path));
  } catch {
    place = { at: "nowhere" };
  }
  return {
    room: place,
    q: query.get("q") ?? "",
    kind,
    bin: query.get("bin") === "1",
    cite: Number.isInteger(cite) && cite > 0 ? cite : null,
  };
}

function path(place: Room): string {
  switch (place.at) {
    case "notes":
    case "nowhere":
      return "#/";
    case "note":
      return `#/notes/${encodeURIComponent(place.id)}`;
    case "chat":
    case "approvals":
    case "activity":
      return place.id === null ? `#/${place.at}` : `#/${place.at}/${encodeURIComponent(place.id)}`;
    case "capture":
    case "tasks":
    case "settings":
    case "operations":
    case "routines":
    case "agents":
    case "memory":
      return `#/${place.at}`;
    case "operation":
      return `#/operations/${encodeURIComponent(place.id)}`;
  }
}

export function format(address: Address): string {
  const query = new URLSearchParams();
  if (address.q !== "") query.set("q", address.q);
  if (address.kind !== null) query.set("kind", address.kind);
  if (address.bin) query.set("bin", "1");
  if (address.cite !== null) query.set("cite", String(address.cite));
  const text = query.toString();
  return path(address.room) + (text ? `?${text}` : "");
}

/** Another room, with the feed as it is. */
export function to(place: Room, from: Address): Address {
  return { ...from, room: place, cite: null };
}

export function sameRoom(one: Room, other: Room): boolean {
  return path(one) === path(other) && one.at === other.at;
}
