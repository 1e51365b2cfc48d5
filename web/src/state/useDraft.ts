import { useCallback, useState } from "react";

export interface Draft {
  text: string;
  /** It says something else than what is stored. */
  typed: boolean;
  /** Null lets go of what was typed. */
  write: (text: string | null) => void;
  /** This was stored: lets go of it, but not of what was typed since. */
  stored: (text: string) => void;
}

/** What is typed over something stored: it stands until it is stored itself, whatever arrives meanwhile. */
export function useDraft(beneath: string): Draft {
  const [over, setOver] = useState<string | null>(null);
  return {
    text: over ?? beneath,
    typed: over !== null && over !== beneath,
    write: setOver,
    stored: useCallback((text) => setOver((now) => (now === text ? null : now)), []),
  };
}
