import { useEffect, useState } from "react";
import { config } from "../api/config";
import { price } from "./price";

export interface Price {
  words: string;
  /** Starting a run costs nothing, so nobody needs to be asked twice. */
  free: boolean;
}

/** The price of research as the deployment states it; null until it is known. */
export function usePrice(): Price | null {
  const [found, setFound] = useState<Price | null>(null);
  useEffect(() => {
    let gone = false;
    const tell = (next: Price) => {
      if (!gone) setFound(next);
    };
    config().then(
      ({ research }) => tell({ words: price(research), free: research?.paid === false }),
      () => tell({ words: price(null), free: false }),
    );
    return () => {
      gone = true;
    };
  }, []);
  return found;
}
