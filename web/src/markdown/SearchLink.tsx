import type { ReactNode } from "react";
import { HOME } from "../route/address";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useMedia, WIDE } from "../state/useMedia";

/** Looks for a note by its title; on a narrow screen the feed is another page, so it goes there. */
export function SearchLink({ title, children }: { title: string; children: ReactNode }) {
  const from = useHere();
  const wide = useMedia(WIDE);
  return (
    <Go address={{ ...HOME, room: wide ? from.room : HOME.room, q: title }} title={`Search for “${title}”`}>
      {children}
    </Go>
  );
}
