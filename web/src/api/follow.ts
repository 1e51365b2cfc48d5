/** An operation's events as they happen: streamed where the server can, asked for again where it can't. */
import { last, readEvent, type OperationEvent } from "./event";
import { Frames } from "./frames";
import { Problem } from "./problem";
import { whenBack } from "../session/back";
import { send } from "./request";
import { eventsOf, eventsPath } from "./server";

const PAUSE = 1_000;
const POLL = 2_000;
const LONGEST = 15_000;

export interface Watcher {
  seen: (events: OperationEvent[]) => void;
  /** Whether a stream is open just now. */
  live: (streaming: boolean) => void;
}

/** Follows from number `after` until the last event, or until the returned function is called. */
export function follow(id: string, after: number, watcher: Watcher): () => void {
  const stop = new AbortController();
  let cursor = after;
  let failures = 0;
  let ended = false;
  const isOver = () => ended;
  const stopped = () => stop.signal.aborted;

  const take = (events: OperationEvent[]) => {
    const newer = events.filter((event) => event.seq > cursor);
    const newest = newer.at(-1);
    if (!newest) return;
    cursor = newest.seq;
    ended = newer.some(last);
    watcher.seen(newer);
  };

  /** Reads one stream to its end. */
  const stream = async (signal: AbortSignal) => {
    const answer = await send(eventsPath(id), {
      query: { after: cursor },
      headers: { Accept: "text/event-stream", ...(cursor > 0 ? { "Last-Event-ID": String(cursor) } : {}) },
      signal,
    });
    if (!answer.headers.get("Content-Type")?.includes("text/event-stream") || !answer.body) {
      await answer.body?.cancel();
      failures = 2;
      return;
    }
    failures = 0;
    watcher.live(true);
    const frames = new Frames();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of frames.push(value)) {
        if (frame.event === "done") ended = true;
        if (frame.event === "error") failures += 1;
        if (!frame.event.startsWith("task.")) continue;
        const event = readEvent(parsed(frame.data));
        if (event) take([event]);
      }
      if (isOver()) {
        await reader.cancel();
        return;
      }
    }
  };

  const look = async (signal: AbortSignal) => {
    for (;;) {
      const { events, more } = await eventsOf(id, cursor, signal);
      take(events);
      if (!more || isOver()) return;
    }
  };

  const run = async () => {
    while (!stop.signal.aborted && !isOver()) {
      if (document.visibilityState !== "visible") {
        await visible(stop.signal);
        continue;
      }
      // A held stream is a billed instance: nobody looking means no stream.
      const round = new AbortController();
      const hide = () => {
        if (document.visibilityState !== "visible") round.abort();
      };
      document.addEventListener("visibilitychange", hide);
      const signal = AbortSignal.any([stop.signal, round.signal]);
      const polling = failures >= 2;
      try {
        if (polling) await look(signal);
        else await stream(signal);
      } catch (error) {
        if (stopped()) return;
        if (!round.signal.aborted) failures += 1;
        if (error instanceof Problem && (error.status === 401 || error.status === 404)) return;
      } finally {
        document.removeEventListener("visibilitychange", hide);
        watcher.live(false);
      }
      if (!isOver() && !round.signal.aborted) {
        const wait = polling ? POLL : Math.min(LONGEST, PAUSE * 2 ** Math.max(0, failures - 1));
        await pause(wait, stop.signal);
      }
    }
  };
  void run();
  return () => stop.abort();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Waits; not longer than until something else on this page reached the server again. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const unsubscribe = whenBack(end);
    signal.addEventListener("abort", end);
  });
}

function visible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== "visible" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", check);
      resolve();
    };
    document.addEventListener("visibilitychange", check);
    signal.addEventListener("abort", check);
  });
}
