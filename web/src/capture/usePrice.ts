import { useEffect, useState } from "react";
import { config } from "../api/config";
import { price } from "./price";

/** The price of research as the deployment states it; null until it is known. */
export function usePrice(): string | null {
  const [words, setWords] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    config().then(
      (found) => {
        if (!gone) setWords(price(found.research));
      },
      () => {
        if (!gone) setWords(price(null));
      },
    );
    return () => {
      gone = true;
    };
  }, []);
  return words;
}
