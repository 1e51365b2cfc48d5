import { ago, fullTime } from "./time";
import { useNow } from "./useNow";

/** "3 min ago", with the full time on hover. */
export function Age({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={fullTime(at)}>
      {ago(at, now)}
    </time>
  );
}
