import { useEffect, useState } from "react";
import { config, type Config } from "../api/config";
import { settings } from "../settings/settings";
import { useSignal } from "../state/signal";
import { offered, price } from "./price";

export interface Price {
  words: string;
  /** Starting a run costs nothing, so nobody needs to be asked twice. */
  free: boolean;
}

/** The price of research by whoever is to do it; null until it is known. */
export function usePrice(): Price | null {
  const [told, setTold] = useState<{ config: Config | null } | null>(null);
  const { answer, problem } = useSignal(settings);
  useEffect(() => {
    let gone = false;
    const tell = (found: Config | null) => {
      if (!gone) setTold({ config: found });
    };
    config().then(tell, () => tell(null));
    void settings.need();
    return () => {
      gone = true;
    };
  }, []);
  if (!told || (!answer && !problem)) return null;
  const research = told.config && offered(told.config, answer?.settings.research_engine);
  return { words: price(research), free: research?.paid === false };
}
