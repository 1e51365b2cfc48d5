/** The log of one operation, growing while it runs. */
import { useEffect, useRef, useState } from "react";
import type { OperationEvent } from "../api/event";
import { follow } from "../api/follow";

export interface Log {
  events: OperationEvent[];
  live: boolean;
}

export function useEvents(id: string, onNews: () => void): Log {
  const [log, setLog] = useState<Log & { id: string }>({ id, events: [], live: false });
  const news = useRef(onNews);
  useEffect(() => {
    news.current = onNews;
  });
  useEffect(() => {
    setLog({ id, events: [], live: false });
    return follow(id, 0, {
      seen: (events) => {
        setLog((before) => ({ ...before, events: [...before.events, ...events] }));
        news.current();
      },
      live: (live) => setLog((before) => (before.live === live ? before : { ...before, live })),
    });
  }, [id]);
  return log.id === id ? log : { events: [], live: false };
}
