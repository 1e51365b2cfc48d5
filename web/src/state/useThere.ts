import { useCallback, useEffect, useRef } from "react";

/** Tells whether the component is still on screen: an answer that comes late leads nobody away from where they went. */
export function useThere(): () => boolean {
  const there = useRef(false);
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);
  return useCallback(() => there.current, []);
}
